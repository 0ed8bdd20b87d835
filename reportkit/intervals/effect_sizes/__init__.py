"""How large a difference is on a scale of its own."""
