"""How good is it? Measures against gold texts."""
