"""Drawing of Martian Trickery, as a picture and as text, and its rules for players."""

from pbem.boards.martian_trickery.drawing import MartianTrickery

__all__ = ["MartianTrickery"]
