"""The rules by which mails are sent that differ from those of an ordinary kind; `emails.messages` has all kinds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


@dataclass(frozen=True, slots=True)
class DeliveryRules:
    """How the mails of a kind are sent; the defaults are the rules of an ordinary kind."""

    expires_with_turn: bool = False
    """Whether the mail is true only while the seat that it is about has yet to move."""
    includes_chat: bool = False
    """Whether the mail includes the messages since the one before."""
    is_requested: bool = False
    """Whether the mail was requested on a page, or confirms an unsubscription."""
    ignores_stop: bool = False
    """Whether the mail is sent even to players who stopped the mail of its match, unrequested."""
    protects_account: bool = False
    """Whether the mail protects a player's seat and account: it is also sent to players who unsubscribed.

    It is not sent to addresses that bounce.
    """
    is_secret: bool = False
    """Whether the mail signs its reader in, or was the last to hold an address: nothing of it is stored."""
    is_receipt: bool = False
    """Whether the mail confirms a move sent by mail."""
    is_refusal: bool = False
    """Whether the mail says why a mail was not played."""
    can_loop: bool = False
    """Whether the mail is a reply that an autoresponder could cause for ever."""
    is_for_operators: bool = False
    """Whether the mail is for operators, who may play too: it holds what others wrote, so it is not exported."""


_ORDINARY = DeliveryRules()
_TURN_REMINDER = DeliveryRules(expires_with_turn=True)
_REQUESTED = DeliveryRules(is_requested=True)
_REFUSAL = DeliveryRules(is_refusal=True, can_loop=True)
_KEY = DeliveryRules(protects_account=True, is_secret=True)
_ACCOUNT_NEWS = DeliveryRules(protects_account=True)
_FOR_OPERATORS = DeliveryRules(is_for_operators=True)

SPECIAL: Mapping[str, DeliveryRules] = {
    "turn": DeliveryRules(expires_with_turn=True, includes_chat=True),
    "due soon": _TURN_REMINDER,
    "late": _TURN_REMINDER,
    "nudge": _TURN_REMINDER,
    "final": DeliveryRules(includes_chat=True, ignores_stop=True),
    "said": DeliveryRules(includes_chat=True),
    "receipt": DeliveryRules(is_receipt=True),
    "rejected": _REFUSAL,
    "nothing typed": _REFUSAL,
    "stale": _REFUSAL,
    "plan refused": DeliveryRules(can_loop=True),
    "earlier mail": DeliveryRules(can_loop=True),
    "invited": DeliveryRules(is_requested=True, can_loop=True),
    "board": _REQUESTED,
    "league": _REQUESTED,
    "leagues": _REQUESTED,
    "list": _REQUESTED,
    "ratings": _REQUESTED,
    "stopped all": _REQUESTED,
    "address": _KEY,
    "leaving": _KEY,
    "left": _KEY,
    "sign in": _KEY,
    "wrong sender": _KEY,
    "banned": _ACCOUNT_NEWS,
    "not banned": _ACCOUNT_NEWS,
    "renamed": _ACCOUNT_NEWS,
    "merged": _ACCOUNT_NEWS,
    "letter": _FOR_OPERATORS,
    "refused us": _FOR_OPERATORS,
    "report": _FOR_OPERATORS,
}
"""The rules of each kind that has rules of its own."""


def delivery_rules(kind: str) -> DeliveryRules:
    """Return the rules by which the mails of a kind are sent."""
    return SPECIAL.get(kind, _ORDINARY)


def names(is_selected: Callable[[DeliveryRules], bool]) -> tuple[str, ...]:
    """List the kinds whose rules are selected."""
    return tuple(name for name, rules in SPECIAL.items() if is_selected(rules))
