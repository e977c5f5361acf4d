"""The laboratory's commands, which `newsclean.cli` finds by their names."""
