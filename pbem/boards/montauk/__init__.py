"""Drawing of Montauk, as a picture and as text, and its rules for players."""

from pbem.boards.montauk.drawing import Montauk

__all__ = ["Montauk"]
