"""Matches whose turns are pushed, for tests of notifications on devices."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, update

from pbem.db.models import OutboxMessage, Player, PushMessage
from pbem.play.notifications.push_delivery import deliver_due_messages

if TYPE_CHECKING:
    from tests.support.house import House

ANN, BOB = 1, 2


def whist(house: House) -> tuple[str, int]:
    """Start a match; return it and the seat that is not to move."""
    match_id = house.start_match("martian-whist", 2)
    return match_id, 3 - house.match(match_id).to_move[0]


def name(seat: int) -> str:
    """Return the name of the player in a seat."""
    return "Ann" if seat == ANN else "Bob"


def pass_turn(house: House, match_id: str) -> None:
    """Play for the seat to move until it is another's turn."""
    mover = house.match(match_id).to_move[0]
    for _move in range(12):
        if house.match(match_id).to_move != [mover]:
            return
        house.reply(house.last(name(mover)), house.legal(match_id, mover)[0])
    pytest.fail(f"it is still the turn of {name(mover)}")


def push(house: House) -> int:
    """Send the push messages that are due; return how many were accepted."""
    return deliver_due_messages(house.engine, house.config)


def turn_mail(house: House, match_id: str, seat: int) -> OutboxMessage:
    """Return the newest turn mail of a seat."""
    theirs = OutboxMessage.match_id == match_id, OutboxMessage.kind == "turn"
    newest = house.all(select(OutboxMessage).where(*theirs).order_by(OutboxMessage.id.desc()))
    found = next(mail for mail in newest if mail.render_data.get("seat", seat) == seat)
    assert isinstance(found, OutboxMessage)
    return found


def only_message(house: House) -> PushMessage:
    """Return the one push message that there is."""
    (message,) = house.all(select(PushMessage))
    assert isinstance(message, PushMessage)
    return message


def change_player(house: House, seat: int, **values: object) -> None:
    """Change columns of the player in a seat."""
    with house.transaction() as ctx:
        ctx.session.execute(update(Player).where(Player.name == name(seat)).values(**values))
