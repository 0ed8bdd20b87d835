"""From the columns of a frame to arrays of names, ids and scores."""
