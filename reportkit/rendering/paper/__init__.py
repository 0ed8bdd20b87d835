"""Tables and numbers of a report in a user's paper."""
