"""The refusal of what a player asks for."""

from __future__ import annotations


class Refused(ValueError):  # noqa: N818 -- it is no error of the program
    """Refuses what a player asks for, with a sentence for them; `field` names what is wrong, if it is one field."""

    def __init__(self, sentence: str, field: str = "") -> None:
        super().__init__(sentence)
        self.field = field
