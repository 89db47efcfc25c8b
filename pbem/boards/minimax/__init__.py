"""Drawing of Minimax, as a picture and as text, and its rules for players."""

from pbem.boards.minimax.drawing import Minimax

__all__ = ["Minimax"]
