"""The numbers of a report for running text: lists, macros, sentences."""
