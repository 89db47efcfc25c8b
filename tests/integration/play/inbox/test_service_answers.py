"""What players are answered whose mail to the service holds no command for it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from emails.parsing.reader import parse_mail
from pbem.db.models import OutboxMessage, Player, ServiceMail
from pbem.play.inbox import service_answers, service_mail
from pbem.play.submissions.sender_policy import Alignment
from tests.support.play.lobby.request_parser import TO, statuses, verified, write

if TYPE_CHECKING:
    from tests.support.house import House

OPERATOR = "operator@example.org"


@pytest.fixture
def operated(house: House) -> House:
    """A house whose operator reads mail."""
    verified(house, "Ann")
    return replace(house, config=replace(house.config, operator_email=OPERATOR))


def test_a_command_of_a_match_is_told_where_it_belongs(operated: House) -> None:
    said = write(operated, "board")
    told = operated.only("Ann")
    assert "“board” is about one match: reply with it to a mail of that match." in told.flat
    assert "“lobby” to get the list of open tables" in told.flat
    assert told.message["In-Reply-To"] == said
    assert statuses(operated) == ["done"]
    assert not operated.mails("Operator")


def test_a_typing_error_is_answered_with_the_command_that_was_meant(house: House) -> None:
    verified(house, "Ann")
    write(house, "loby")
    told = house.only("Ann").flat
    assert "No command was found in your mail, so nothing was done. Did you mean “lobby”?" in told


@pytest.mark.parametrize("to", [TO, "postmaster@games.localhost", "abuse@games.localhost"])
def test_who_writes_to_the_operator_is_told_so_and_where_commands_work(operated: House, to: str) -> None:
    write(operated, "Hello, who runs this?", to=to)
    assert operated.mails("Operator")
    told = operated.only("Ann").flat
    assert "Your mail went to the operator, who may answer it." in told
    assert "This is what you can write to games@games.localhost" in told
    assert statuses(operated) == ["stored"]


def test_five_such_mails_a_day_are_answered_and_all_are_kept(operated: House) -> None:
    for number in range(service_answers.MAX_PER_DAY + 2):
        write(operated, f"Thought number {number}")
    assert len(operated.mails("Ann")) == service_answers.MAX_PER_DAY
    assert len(operated.mails("Operator")) == service_answers.MAX_PER_DAY + 2


def test_nobody_is_answered_whose_address_is_not_verified_or_whose_mail_no_person_wrote(operated: House) -> None:
    write(operated, "Hello?", "bob@example.org")
    write(operated, "Hello?", "dee@example.org", to="postmaster@games.localhost")
    write(operated, "Hello?", Auto_Submitted="auto-replied")
    write(operated, "Hello?", "", to="postmaster@games.localhost")
    with operated.transaction() as ctx:
        ctx.session.scalars(select(Player).where(Player.name == "Ann")).one().banned_at = ctx.now
    write(operated, "Hello?", to="postmaster@games.localhost")
    assert set(operated.all(select(OutboxMessage.recipient).where(OutboxMessage.match_id.is_(None)))) == {OPERATOR}


def test_a_mail_whose_from_our_server_denies_is_not_answered(operated: House) -> None:
    operated.send(b"From: ann@example.org\n\nHello?\n", TO, "ann@example.org")
    (number,) = operated.all(select(ServiceMail.id))
    with operated.transaction() as ctx:
        service_mail.process(ctx, number, lambda raw: replace(parse_mail(raw), alignment=Alignment.FAIL))
    assert operated.mails("Operator")
    assert not operated.mails("Ann")
