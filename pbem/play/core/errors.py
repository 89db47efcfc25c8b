"""The refusal of what a player asks for."""

from __future__ import annotations

from enum import StrEnum


class Code(StrEnum):
    """Why something is refused, as programs read it; docs/reference/api.md lists them."""

    ADDRESS_UNCONFIRMED = "address-unconfirmed"
    ALREADY_ANSWERED = "already-answered"
    ALREADY_BEGUN = "already-begun"
    ALREADY_ENTERED = "already-entered"
    ALREADY_SEATED = "already-seated"
    AWAY = "away"
    BELOW = "below"
    BUSY = "busy"
    CALLED_OFF = "called-off"
    DAILY_LIMIT = "daily-limit"
    ENTRIES_CLOSED = "entries-closed"
    EVENT_OVER = "event-over"
    EXCLUDED = "excluded"
    HAS_CHALLENGED = "has-challenged"
    LAST_HAND = "last-hand"
    MET_LATELY = "met-lately"
    NOT_ENTERED = "not-entered"
    NOT_OVER = "not-over"
    NOT_YOURS = "not-yours"
    NO_OPEN_SEAT = "no-open-seat"
    NO_SEAT = "no-seat"
    NO_VOTE = "no-vote"
    ONESELF = "oneself"
    OTHER_ACCOUNT = "other-account"
    PEOPLE_ONLY = "people-only"
    TABLE_WAITS = "table-waits"
    THEY_ARE_AWAY = "they-are-away"
    THEY_ARE_CHALLENGED = "they-are-challenged"
    TOO_HIGH = "too-high"
    UNKNOWN_NAME = "unknown-name"
    UNRELIABLE = "unreliable"


class Refused(ValueError):  # noqa: N818 -- it is no error of the program
    """Refuses what a player asks for, with a sentence for them.

    `field` names what is wrong, if it is one field; `code` is for programs, which can read no sentence.
    """

    def __init__(self, sentence: str, field: str = "", *, code: Code | None = None) -> None:
        super().__init__(sentence)
        self.field = field
        self.code = code
