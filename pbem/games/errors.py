"""What the rules say no with.

Every message is a sentence for the person who sent the move or asked for the match, fit to be mailed as
it stands. It names what that person may know and nothing about anybody else.
"""


class GameError(Exception):
    """Refuses something by the rules; the base of all errors that a game raises on purpose.

    The sentence is kept as a pattern with its parts, so that it can be said in another language.
    """

    def __init__(self, pattern: str, **parts: object) -> None:
        super().__init__(pattern.format(**parts) if parts else pattern)
        self.pattern = pattern
        self.parts = parts


class OptionError(GameError):
    """Refuses a match: an unknown option, a value that is not allowed, or a wrong number of seats."""


class InvalidMove(GameError):  # noqa: N818 (a name of the engine contract)
    """Says that a text has the form of no move of this phase."""


class IllegalMove(GameError):  # noqa: N818 (a name of the engine contract)
    """Says that a move of the right form may not be played now, or not by this seat."""
