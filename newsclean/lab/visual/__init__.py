"""Trains and measures the network of `visual`."""
