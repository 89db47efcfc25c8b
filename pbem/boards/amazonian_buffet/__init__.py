"""Drawing of Amazonian Buffet, as a picture and as text, and its rules for players."""

from pbem.boards.amazonian_buffet.drawing import AmazonianBuffet

__all__ = ["AmazonianBuffet"]
