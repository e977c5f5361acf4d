"""Between the engine and the spider."""
