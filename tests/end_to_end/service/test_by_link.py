"""Whole matches on the running service by links alone: invitations, turns and the end are pages without scripts."""

from __future__ import annotations

import re
import time
from functools import partial
from random import Random
from typing import TYPE_CHECKING

import pytest

from tests.support.live_service import LiveService, text_of, until
from tests.support.service.by_link import PATIENCE, Seen, at_turn, opened
from tests.support.service.by_mail import MATCHES

if TYPE_CHECKING:
    from email.message import EmailMessage


@pytest.mark.parametrize(("game", "options", "called"), MATCHES)
def test_a_whole_match_is_played_by_link(
    live_service: LiveService, game: str, options: dict[str, object], called: tuple[str, ...]
) -> None:
    names = tuple(f"{name}L" for name in called)
    match, chance, moves = begun(live_service, game, options, names), Random(game), 0
    end, sitting = time.monotonic() + PATIENCE, dict[str, Seen]()
    while live_service.ask(f"/api/matches/{match}")[1]["outcome"] is None:
        assert time.monotonic() < end, f"not over after {moves} moves"
        for name in names:
            page = at_turn(live_service, match, name, sitting.get(name))
            if page:
                assert "Your turn in" in page.words
                done = (
                    opened(live_service, chance.choice(page.moves()), cookies=page.cookies)
                    .press("Play this move")
                    .judged()
                )
                assert "after=" in done.path
                sitting[name] = done
                moves += 1
        time.sleep(0.02)
    assert "The match is over." in opened(live_service, f"/matches/{match}").words
    status, record = live_service.ask(f"/api/matches/{match}/record")
    assert (status, len(record["log"]), record["result"]["ending"]) == (200, moves, "finished")
    for name in names:
        assert until(partial(live_service.mails_about, name, f"/matches/{match}/record"))


def begun(live_service: LiveService, game: str, options: dict[str, object], names: tuple[str, ...]) -> str:
    """Create a match that everybody accepts on the page of their invitation."""
    seats = [{"name": name, "email": f"{name.lower()}@example.org"} for name in names]
    status, made = live_service.ask("/api/matches", {"game": game, "options": options, "seats": seats})
    assert status == 201, made
    for name in names:
        invitation: EmailMessage = until(partial(live_service.mails_about, name, made["id"]))[0]
        found = re.search(r"/invitation/\w+", text_of(invitation))
        assert found
        page = opened(live_service, found[0]).press("Accept")
        assert "You have accepted" in page.words or "has begun" in page.words or "Your turn" in page.words
    return str(made["id"])
