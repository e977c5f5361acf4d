"""The spiders of newsclean's own project."""
