"""What goes wrong on the command line, in words and as an exit code."""

UNUSABLE, USAGE, UNREADABLE, TARGET_DOWN = 1, 2, 3, 4


class CommandError(Exception):
    def __init__(self, message: str, exit_code: int) -> None:
        super().__init__(message)
        self.exit_code = exit_code
