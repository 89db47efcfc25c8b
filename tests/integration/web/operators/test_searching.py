"""Search and long lists of operators: anything is found by its name, and no row is left out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import (
    OutboxMessage,
    Player,
    SeatHolder,
    ServiceMail,
    Submission,
    Suppression,
)
from pbem.play.core.context import system_time
from tests.support.web.operators.looking import everything
from tests.support.web.operators.office import number_of

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.pages import Page, Visitor


def test_anything_is_found_by_what_it_is_called(house: House, operator: Visitor) -> None:
    match_id = everything(house)
    (name, once), *_ = house.rows(select(Submission.id, Submission.idempotency_key).order_by(Submission.received_at))
    ((mail, message_id), *_) = house.rows(select(OutboxMessage.id, OutboxMessage.message_id).order_by(OutboxMessage.id))
    ann = number_of(house, "Ann")

    def found(typed: str) -> Page:
        return operator.open("/operators").press("Search", q=typed)

    for typed in (match_id, match_id[:5], match_id[:5].upper()):
        assert f"/operators/matches/{match_id}" in found(typed).html, typed
    for typed in (name, name[:12], once.hex()):
        assert f'"/operators/submissions/{name[:12]}"' in found(typed).html, typed
    for typed in (message_id, message_id.strip("<>")):
        assert f"/operators/mails/{mail}" in found(typed).html, typed
    for typed in ("ann", "ANN@example.org", f"#{ann}", "@example.org"):
        assert f"/operators/people/{ann}" in found(typed).html, typed
    assert "/operators/letters/" in found((b"\1" * 32).hex()).html
    page = found("ann@example.org")
    assert "invitation" in page.follow("Mails to this address").words
    assert "played by mail" in page.follow("Submissions by its owner").words
    listed = page.follow("Service mails from it").words
    assert "postmaster" in listed or "someone at" in listed
    for nothing in ("", "%", "_", "'", "\u2028", "9" * 40, "f" * 64, "z" * 26, "@", "<>"):
        assert found(nothing).status == 200, nothing


def walked(page: Page) -> list[str]:
    """Go on to the end of a list; gives what each of its pages links to."""
    found = rows_of(page)
    while "Next page" in page.links:
        page = page.follow("Next page")
        found += rows_of(page)
    assert page.status == 200
    return found


def rows_of(page: Page) -> list[str]:
    return re.findall(r'<li><a href="(/operators/[a-z]+/\w+)"', page.html)


def test_long_lists_go_on_page_by_page_and_leave_nothing_out(house: House, operator: Visitor) -> None:
    match_id = everything(house)
    now = system_time()
    with house.transaction() as ctx:
        # Many at the very same moment: their names decide.
        ctx.session.add_all(Player(name=f"Zoe {number}", created_at=now) for number in range(60))
        letter = {"recipient": "games@games.localhost", "sender": "", "raw": b"", "received_at": now}
        ctx.session.add_all(ServiceMail(**letter, idempotency_key=bytes([3, number])) for number in range(30))
        (holder,) = ctx.session.scalars(
            select(SeatHolder.id).where(SeatHolder.match_id == match_id, SeatHolder.seat == 1)
        )
        sent = {"match_id": match_id, "holder_id": holder, "ply": 1, "via": "api", "text": "x", "received_at": now}
        names = (f"s{number:011}".ljust(26, "0") for number in range(30))
        ctx.session.add_all(Submission(**sent, id=name, idempotency_key=name.encode()) for name in names)
        hash_ = (bytes([9, number]) * 16 for number in range(30))
        ctx.session.add_all(Suppression(hash=one, reason="manual", suppressed_at=now) for one in hash_)
    for path, count in (("/people?q=zoe", 60), ("/letters", 31), (f"/submissions?match={match_id}", 32)):
        page = operator.open(f"/operators{path}")
        found = walked(page)
        assert len(found) == len(set(found)) == count, path
    page, listed = operator.open("/operators/suppressed"), 0
    while True:
        listed += page.words.count("address of no player")
        if "Next page" not in page.links:
            break
        page = page.follow("Next page")
    assert listed == 31
    assert "Back to the first page" in page.links
    for place in ("x", "2026-01-01T00:00:00+00:00~x", "2026-01-01T00:00:00+00:00~99999999999999999999"):
        assert operator.open(f"/operators/people?before={place.replace('+', '%2B')}").status == 200
