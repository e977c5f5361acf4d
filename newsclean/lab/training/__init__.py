"""Training of the `hybrid` method from a corpus with gold texts."""
