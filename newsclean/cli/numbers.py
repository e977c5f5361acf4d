"""Numbers that options take."""

import argparse


def positive(text: str) -> int:
    """A number from 1 on."""
    if not (text.isascii() and text.isdigit() and int(text)):
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive number")
    return int(text)
