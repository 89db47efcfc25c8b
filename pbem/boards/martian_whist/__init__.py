"""Drawing of Martian Whist, as a picture and as text, and its rules for players."""

from pbem.boards.martian_whist.drawing import MartianWhist

__all__ = ["MartianWhist"]
