"""The laboratory: what measures and trains newsclean, and is never imported by it."""
