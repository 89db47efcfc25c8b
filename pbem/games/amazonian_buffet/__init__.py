"""Rules of Amazonian Buffet."""

from pbem.games.amazonian_buffet.game import AmazonianBuffet

__all__ = ["AmazonianBuffet"]
