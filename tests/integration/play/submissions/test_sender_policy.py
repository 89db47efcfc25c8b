"""Who may move by mail: the reply address, From, and what our own mail server says of it."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select, update

from emails.parsing.reader import parse_mail
from pbem.db.models import LogEntry, Player
from pbem.play.core.tokens import ALPHABET
from pbem.play.inbox import judge as inbox_judge
from pbem.play.submissions.sender_policy import ALIGNED, FROM, POLICIES, TOKEN
from tests.support.examples import few
from tests.support.house import address, matches_of, reply

if TYPE_CHECKING:
    from tests.support.house import House, Mail

OURS = "mx.games.localhost"
RESULTS: dict[str, tuple[str, ...]] = {
    "none": (),
    "pass": (f"Authentication-Results: {OURS}; dmarc=pass header.from=example.org",),
    "dkim only": (f"Authentication-Results: {OURS}; dmarc=none; dkim=pass header.d=example.org",),
    "fail": (f"Authentication-Results: {OURS}; dmarc=fail (p=none) header.from=example.org",),
    "no word": (f"Authentication-Results: {OURS}; none",),
    "of others": ("Authentication-Results: mx.example.net; dmarc=pass header.from=example.org",),
    "of another domain": (f"Authentication-Results: {OURS}; dkim=pass header.d=example.net",),
    "second block": (
        f"Authentication-Results: {OURS}; dmarc=fail header.from=example.org",
        f"Authentication-Results: {OURS}; dmarc=pass header.from=example.org",
    ),
    "in a comment": (f"Authentication-Results: {OURS}; (dmarc=pass) dmarc=fail header.from=example.org",),
}
"""What stands above our server's `Received`, by what it says."""
VOUCHED = {"pass", "dkim only"}
DENIED = {"fail", "second block", "in a comment"}
FORGED = f"Authentication-Results: {OURS}; dmarc=pass header.from=example.org"
"""Stands in each of the mails below our server's `Received`, where anybody can write."""

TOKENS = ("good", "changed", "of another seat")
SENDERS = {"own": address("Ann"), "other": "someone@example.org", "another player's": address("Bob")}


def may_play(policy: str, sender: str, result: str) -> bool:
    """The rule as the documents tell it."""
    if policy == TOKEN:
        return True
    if sender != "own" or result in DENIED:
        return False
    return policy == FROM or result in VOUCHED


def delivered(mail: Mail, text: str, sender: str, results: tuple[str, ...]) -> bytes:
    """A reply as our own mail server hands it on."""
    received = f"Received: from mail.example.org by {OURS}; Sat, 21 Nov 2026 10:00:00 +0000"
    return "\n".join([*results, received, FORGED, ""]).encode() + reply(mail, text, sender).as_bytes()


def judge(house: House, match_id: str) -> None:
    with house.transaction() as ctx:
        inbox_judge.judge(ctx, match_id, lambda raw: parse_mail(raw, server=OURS))


def moves(house: House, match_id: str) -> list[Any]:
    return house.all(select(LogEntry.seat).where(LogEntry.match_id == match_id, LogEntry.ply.is_not(None)))


@pytest.mark.parametrize("policy", POLICIES)
def test_the_whole_matrix(house: House, policy: str) -> None:
    """Each way of sending, one after the other: none plays but those that may."""
    house.start_match("martian-whist", 2)
    (turn,) = (mail for mail in house.mails("Ann") if "Reply with your move" in mail.flat)
    bobs = house.last("Bob")
    (match_id,) = house.all(matches_of(turn))
    with house.transaction() as ctx:
        ctx.session.execute(update(Player).values(mail_policy=policy))
    token = turn.reply_to
    recipients = {
        "good": token,
        "changed": token.replace(token[5], next(c for c in ALPHABET if c != token[5]), 1),
        "of another seat": bobs.reply_to,
    }
    rows = [
        row for row in product(TOKENS, SENDERS, RESULTS) if not (row[0] == "good" and may_play(policy, row[1], row[2]))
    ]
    for known, sender, result in few(rows, 3):
        raw = delivered(turn, "take 1", SENDERS[sender], RESULTS[result])
        answer = house.send(raw, recipients[known], SENDERS[sender])
        assert answer.code == (550 if known == "changed" else 250)
        judge(house, match_id)
        assert not moves(house, match_id), (known, sender, result)
    assert len(rows) > 50 + (policy == ALIGNED) * 20
    for result in (result for result in RESULTS if may_play(policy, "own", result)):
        assert house.send(delivered(turn, "take 1", SENDERS["own"], RESULTS[result]), token, "").code == 250
    raw = delivered(turn, "take 2", SENDERS["own"], RESULTS["pass"])
    assert house.send(raw, token, SENDERS["own"]).code == 250
    judge(house, match_id)
    assert moves(house, match_id) == [1]
