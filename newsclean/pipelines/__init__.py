"""The way of a page: one pipeline for each step, in this order."""
