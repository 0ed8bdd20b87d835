"""NUMBERS AND LISTS as papers write them."""
