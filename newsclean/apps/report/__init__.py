"""The state of all sites: in the terminal, as a page for a wall, and in `newsclean serve`."""
