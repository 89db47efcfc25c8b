"""What each kind of link and reply address may do: every command that there is, by every door, at every age."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.db.models import OutboxMessage, Submission
from pbem.play.core import tokens
from pbem.play.inbox import commands
from pbem.play.submissions import queue
from pbem.play.submissions.permissions import PERMISSIONS, Credential, Permission, Right
from pbem.play.submissions.queue import API, LINK, MAIL
from pbem.states import MatchState, SubmissionStatus
from tests.support.examples import few
from tests.support.house import address, reply
from tests.support.places import ROOT
from tests.support.play.submissions.permissions import LINES, Played, invited_and_moved, over, running
from tests.support.snapshots import ASKED, COUNTED, SENT, snapshot

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.house import House, Mail
ASKING = sorted(name for name, command in commands.by_name().items() if command.right is Right.ASK)
ACTING = sorted(
    name
    for name, command in commands.by_name().items()
    # An invitation's address is no earlier one while the match waits.
    if command.right is not Right.ASK and command.states & {"running", "over"}
)


def line_of(name: str, played: Played) -> str:
    return LINES[name].format(lobby=played.lobby[:5], match=played.match[:5])


def by_link(house: House, played: Played, mail: Mail, line: str, via: str = LINK) -> Submission:
    with house.transaction() as ctx:
        found = tokens.find(ctx, mail.token, tokens.LINK)
        assert found
        kept = queue.send_move(ctx, found, via, 2, line)
    house.judge(played.match)
    (row,) = house.all(select(Submission).where(Submission.id == kept))
    assert isinstance(row, Submission)
    return row


def by_mail(house: House, played: Played, mail: Mail, line: str) -> Submission:
    answer = reply(mail, line)
    assert house.send(answer.as_bytes(), mail.reply_to, address("Ann")).code == 250
    house.judge(played.match)
    (row,) = house.all(select(Submission).where(Submission.message_id == str(answer["Message-ID"])))
    assert isinstance(row, Submission)
    return row


STATES = pytest.mark.parametrize("state", [running, over], ids=["running", "over"])
AGES = pytest.mark.parametrize("age", ["invitation", "turn"])


def test_every_command_has_a_line_here() -> None:
    assert LINES.keys() == commands.by_name().keys()
    for name, line in LINES.items():
        said = commands.parse([line.format(lobby="4x7kq", match="4x7kq")])
        assert said
        assert said.command.name == name
        assert said.confirmed or not said.command.needs_confirmation


def test_every_credential_answers_every_right() -> None:
    assert PERMISSIONS.keys() == set(Credential)
    assert all(row.keys() == set(Right) for row in PERMISSIONS.values())
    earlier = {credential for credential in Credential if credential not in {Credential.LINK, Credential.REPLY}}
    assert all(PERMISSIONS[one][Right.ACT] is not Permission.GRANTED for one in earlier)


@STATES
@AGES
@pytest.mark.parametrize("via", [LINK, API])
def test_an_earlier_link_does_nothing_and_tells_nothing(
    house: House, state: Callable[[House, Played], None], age: str, via: str
) -> None:
    played = invited_and_moved(house)
    state(house, played)
    before, mailed = snapshot(house, COUNTED | SENT), len(house.all(select(OutboxMessage.id)))
    for name in few(LINES, 8):
        row = by_link(house, played, getattr(played, age), line_of(name, played), via)
        assert row.status == SubmissionStatus.ALREADY_PLAYED, name
        assert row.reason in {"That turn has already been played.", "The match is over."}
    assert snapshot(house, COUNTED | SENT) == before
    assert len(house.all(select(OutboxMessage.id))) == mailed


@STATES
@AGES
def test_an_earlier_reply_address_acts_for_nobody_and_tells_only_the_player(
    house: House, state: Callable[[House, Played], None], age: str
) -> None:
    played = invited_and_moved(house)
    state(house, played)
    before, mailed = snapshot(house, COUNTED | SENT | ASKED), {*house.all(select(OutboxMessage.id))}
    for name in few(LINES, 8):
        if name != "start":
            by_mail(house, played, getattr(played, age), line_of(name, played))
    assert snapshot(house, COUNTED | SENT | ASKED) == before
    answered = house.all(select(OutboxMessage.recipient).where(OutboxMessage.id.not_in(mailed)))
    assert answered
    assert set(answered) == {address("Ann")}


@pytest.mark.parametrize("name", [*few(ACTING, 4)])
def test_what_came_to_an_earlier_reply_address_is_asked_for_once_more(house: House, name: str) -> None:
    played = invited_and_moved(house)
    if "running" not in commands.by_name()[name].states:
        over(house, played)
    row = by_mail(house, played, played.turn, line_of(name, played))
    assert row.status == SubmissionStatus.REJECTED
    asked = house.only("Ann")
    assert "Nothing was done. You wrote “" in asked.flat
    assert asked.reply_to != played.turn.reply_to
    answer = by_mail(house, played, asked, line_of(name, played))
    assert "earlier turn" not in (answer.reason or "")


@pytest.mark.parametrize("name", [*few(ASKING, 4)])
def test_what_is_asked_of_an_earlier_reply_address_is_answered_to_the_player(house: House, name: str) -> None:
    played = invited_and_moved(house)
    row = by_mail(house, played, played.turn, line_of(name, played))
    assert row.via == MAIL
    assert row.status in {SubmissionStatus.DONE, SubmissionStatus.REJECTED}
    assert len(house.mails("Ann")) == 1


def test_an_address_that_has_moved_in_a_sealed_stage_is_an_earlier_one(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    first = house.last("Ann")
    house.reply(first, "stay")
    house.reply(house.last("Bob"), "stay")
    house.reply(house.last("Cyd"), "stay")
    sealed = house.last("Ann")
    house.reply(sealed, house.legal(match_id, 1)[0])
    assert house.match(match_id).to_move == [2, 3]
    house.mails("Ann")
    house.reply(sealed, "resign yes")
    asked = house.only("Ann")
    assert "reply to a mail about an earlier turn" in asked.flat
    assert house.match(match_id).state == MatchState.RUNNING
    house.reply(asked, "resign yes")
    assert house.match(match_id).state == MatchState.OVER


# -- what the documents say ----------------------------------------------------------------------------


def rows_of(heading: str) -> list[list[str]]:
    """Return the cells of the tables below a heading of docs/reference/security.md."""
    text = (ROOT / "docs/reference/security.md").read_text().split(f"\n## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_the_documents_say_what_the_table_says() -> None:
    rows = rows_of("What a link or a reply address may do")
    for credential in Credential:
        assert [credential.value, *(PERMISSIONS[credential][right].value for right in Right)] in rows
    for right in Right:
        named = " ".join(
            f"`{name}`" for name in sorted(n for n, one in commands.by_name().items() if one.right is right)
        )
        assert [f"`{right.value}`", named] in [[row[0], row[-1]] for row in rows]
