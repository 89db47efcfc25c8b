"""Looking at everything there is: each page says what it shows and why it stands so, and changes nothing."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, update

from emails.parsing.reader import parse_mail
from pbem.db.models import (
    Deadline,
    Heartbeat,
    OutboxMessage,
    Player,
    ServiceMail,
    Submission,
    WebhookDelivery,
)
from pbem.play.accounts import deletion
from pbem.play.core.context import system_time
from pbem.play.inbox import service_mail
from pbem.play.lifecycle import endings
from pbem.play.matches.seats import holders
from pbem.play.notifications import failed_mails
from pbem.play.operators.search import inbound
from pbem.play.players import registry
from pbem.play.upkeep import after_restore
from pbem.states import OutboxState, ServiceMailStatus, SubmissionStatus
from tests.support.house import address, reply
from tests.support.web.common.scanners import written
from tests.support.web.operators.looking import RAW, TOKEN, everything
from tests.support.web.operators.office import appointed, number_of, set_up
from tests.support.web.operators.sign_in import DOORS, PAGES
from tests.support.web.site import visitor

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.pages import Visitor


def paths(house: House) -> list[str]:
    """List every page of theirs, with what there is."""
    match_id = everything(house)
    sent = house.all(select(Submission.id))
    numbers = [f"/letters/{number}" for number in house.all(select(ServiceMail.id))]
    numbers += [f"/mails/{number}" for number in house.all(select(OutboxMessage.id))]
    numbers += [f"/people/{number}" for number in house.all(select(Player.id))]
    shows = ("judging", "clock", "quiet", "running", "inviting", "over", "all")
    plain = [path for path in PAGES + DOORS if not path.endswith(("/x", "/1"))]
    return [
        *plain, *numbers, f"/matches/{match_id}", *(f"/submissions/{name}" for name in sent),
        *(f"/matches?show={show}" for show in shows), "/act/abort?whom=x", "/act/suppress", "/mails?state=failed",
        "/letters?status=failed", "/submissions?status=pending",
    ]  # fmt: skip


def test_every_page_is_there_whole_and_changes_nothing(house: House, operator: Visitor) -> None:
    every = paths(house)
    before = written(house)
    for path in every:
        page = operator.open(f"/operators{path}")
        assert page.status == 200, path
        assert page.html.count("<h1>") == 1, path
        assert len(page.html) < 60_000, path
        assert TOKEN not in page.html, path
    assert written(house) == before
    assert len(every) > 40


@pytest.mark.parametrize("path", ["/people/999", "/people/99999999999999999999", "/matches/x", "/mails/0", "/mails/y",
                                  "/letters/999999999999999999999", "/submissions/x", "/act/x"])  # fmt: skip
def test_what_is_not_there_is_not_found(operator: Visitor, path: str) -> None:
    assert operator.open(f"/operators{path}").status == 404


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/submissions", "listed here with their status"),
        ("/letters", "None. Mails to the service’s own address"),
        ("/mails?state=failed", "None. Pending, sent and failed mails"),
        ("/bounces", "could not deliver are listed here"),
        ("/domains", "Domains that refuse mail from this service"),
        ("/suppressed", "None. Addresses that get no mail"),
        ("/unreached", "cannot be reached by mail"),
        ("/reports", "No reports."),
        ("/rating-pairs", "None. Pairs with 8 or more rated matches"),
        ("/matches", "No matches in this state."),
        ("/people?q=nobody", "No player has this name"),
        ("/search", "Enter a search term."),
        ("/search?q=nothing+of+the+kind", "Nothing found."),
        ("", "No problems."),
    ],
)
def test_an_empty_page_says_what_it_would_show(operator: Visitor, path: str, said: str) -> None:
    assert said in operator.open(f"/operators{path}").words


# -- what is wrong now ---------------------------------------------------------------------------------


def test_a_mail_that_could_not_be_written_stands_on_the_first_page_until_it_is_sent_after_all(
    house: House, operator: Visitor
) -> None:
    house.start_match("martian-whist", 2)
    with house.transaction() as ctx:
        turn = (
            select(OutboxMessage.id)
            .where(OutboxMessage.kind == "turn")
            .order_by(OutboxMessage.id)
            .limit(1)
            .scalar_subquery()
        )
        gone = {"state": "failed", "finished_at": ctx.now, "error": failed_mails.rendering_error(KeyError("x"))}
        number = ctx.session.scalar(
            update(OutboxMessage).where(OutboxMessage.id == turn).values(gone).returning(OutboxMessage.id)
        )
    page = operator.open("/operators")
    wrong, _, _well = page.words.partition("In order")
    assert "Failed mails that can be retried1" in wrong
    assert str(number) in page.follow("Failed mails that can be retried").words
    mail = operator.open(f"/operators/mails/{number}")
    assert "you can send it again" in mail.words
    assert "/act/retry-notice" in mail.html


def test_the_first_page_tells_what_is_wrong_and_leads_there(house: House, operator: Visitor) -> None:
    match_id = everything(house)
    old = system_time() - timedelta(hours=2)
    with house.transaction() as ctx:
        ctx.session.merge(Heartbeat(part="worker", seen_at=old))
        ctx.session.execute(update(Submission).values(status=SubmissionStatus.PENDING, received_at=old))
        ctx.session.add(Deadline(match_id=match_id, seat=1, ply=1, asked_at=old, next_action_at=old))
        ctx.session.execute(update(ServiceMail).values(status=ServiceMailStatus.FAILED))
        ctx.session.execute(
            update(OutboxMessage).where(OutboxMessage.kind == "turn").values(state=OutboxState.PENDING, due_at=old)
        )
    page = operator.open("/operators")
    assert "No problems." not in page.words
    wrong, _, _well = page.words.partition("In order")
    for said in ("waiting to be judged2", "from “worker”1", "not acted on1", "could not be read1", "refuse us1"):
        assert said in wrong, said
    assert "2 hours" in wrong
    listed = page.follow("Moves and mails waiting to be judged")
    assert listed.words.count("pending by mail, Ann (seat 1)") == 2
    assert match_id in page.follow("Deadlines passed but not acted on").words
    assert "failed #" in page.follow("Service mails that could not be read").words
    assert "refuses.example" in page.follow("Mail domains that refuse us").words
    assert "pending: turn" in page.follow("Mails due but not sent").words
    assert "rude to me" in page.follow("Abuse reports of the last week").words
    assert "bob@example.org: mailbox unknown" in page.follow("Mails bounced since yesterday").words


def test_a_backup_is_old_by_its_own_measure(house: House, operator: Visitor) -> None:
    for age, wrong in ((timedelta(hours=47), False), (timedelta(hours=49), True)):
        with house.transaction() as ctx:
            after_restore.record_backup(ctx.session, system_time() - age)
        page = operator.open("/operators")
        assert ("No problems." in page.words) is not wrong
        said, _, well = page.words.partition("In order")
        assert "Newest backup1" in (said if wrong else well)
        assert "No heartbeat" not in page.words


def test_letters_that_did_not_reach_the_operator_are_told(house: House, operator: Visitor) -> None:
    house = replace(house, config=replace(house.config, operator_email="op@example.net"))
    extensions = operator.client.application.extensions
    extensions["pbem"] = replace(extensions["pbem"], config=house.config)
    with house.transaction() as ctx:
        raw = RAW % (b"Hi", b"Help")
        service_mail.store(ctx, "abuse@games.localhost", "a@x.org", raw, b"1", parse_mail(raw), forward=True)
        ctx.session.execute(update(OutboxMessage).values(state=OutboxState.FAILED, error="550 no such user"))
    page = operator.open("/operators")
    assert "Service mails of the last week that were not forwarded1" in page.words.partition("In order")[0]


def test_calls_that_are_late_and_moves_that_failed_are_told_too(house: House, operator: Visitor) -> None:
    everything(house)
    with house.transaction() as ctx:
        ctx.session.execute(update(Submission).values(status=SubmissionStatus.FAILED))
    page = operator.open("/operators")
    assert "Submissions that could not be judged2" in page.words.partition("In order")[0]
    assert not house.all(select(WebhookDelivery.id))


# -- why each ended as it did --------------------------------------------------------------------------


def test_a_submission_says_why_it_ended_so(house: House, operator: Visitor) -> None:
    match_id = everything(house)
    first, second = house.all(select(Submission.id).order_by(Submission.received_at))
    page = operator.open(f"/operators/submissions/{first}")
    assert "It was a legal move, in time, and was played." in page.words
    assert "They are shown when the match is over." in page.words
    assert "take 1" not in page.words
    assert "From ann@example.org" in page.words.replace("From", "From ")
    assert "It came for a turn that was over." in operator.open(f"/operators/submissions/{second}").words
    with house.course(match_id) as (table, course):
        endings.resign(table, course, holders(table, course.match)[1])
    page = operator.open(f"/operators/submissions/{first}")
    assert "take 1" in page.words
    assert "may contain hidden information" not in page.words
    for status in inbound.STATUSES:
        with house.transaction() as table:
            table.session.execute(update(Submission).where(Submission.id == first).values(status=status))
        assert operator.open(f"/operators/submissions/{first}").status == 200
    assert match_id in page.words


def test_an_ignored_mail_says_whose_it_was(house: House, operator: Visitor) -> None:
    house.start_match("minimax", 1)
    mail = house.last("Ann")
    asked, whys = reply(mail, "nonsense"), {}
    copy = reply(mail, "nonsense below which a relay wrote")
    copy.replace_header("Message-ID", asked["Message-ID"])
    for raw, sender in (
        (asked.as_bytes(), "ann@example.org"),
        (reply(mail, "I am away.", Auto_Submitted="auto-replied").as_bytes(), "ann@example.org"),
        (copy.as_bytes(), "ann@example.org"),
        (reply(mail, "nonsense", sender="eve@example.org").as_bytes(), "eve@example.org"),
        (mail.raw, "games@games.localhost"),
    ):
        assert house.send(raw, mail.reply_to, sender).code == 250
        house.judge(house.match_ids()[0])
    for name in house.all(select(Submission.id).where(Submission.status == SubmissionStatus.IGNORED)):
        page = operator.open(f"/operators/submissions/{name}")
        (whys[name],) = re.findall(r'<p class="lead">(.*?)</p>', page.html)
    assert sorted(whys.values()) == sorted(
        [
            "An automatic mail, such as an absence notice: it was stored, but neither played nor answered.",
            "A copy of a mail that was judged before, changed by a relay: it was stored, but not played.",
            "It may not come from the seat’s player, and is not read until they confirm it.",
            "It is a mail of this service that came back: it was stored, and not judged.",
        ]
    )


def test_mails_of_a_deleted_account_say_that_it_is_gone(house: House, operator: Visitor) -> None:
    house.start_match("minimax", 1)
    mail = house.last("Ann")
    house.reply(mail, "I am away.", Auto_Submitted="auto-replied")
    house.send(reply(mail, "nonsense").as_bytes(), mail.reply_to, "ann@example.org")
    with house.transaction() as ctx:
        deletion.delete(ctx, ctx.session.get_one(Player, number_of(house, "Ann")))
    judged, waiting = house.all(select(Submission.id).order_by(Submission.received_at))
    for name in (judged, waiting):
        assert "Its player’s account was deleted" in operator.open(f"/operators/submissions/{name}").words


def test_a_mail_says_why_it_stands_so(house: House, operator: Visitor) -> None:
    everything(house)

    def why(**values: object) -> str:
        with house.transaction() as ctx:
            invitations = select(OutboxMessage).where(OutboxMessage.kind == "invitation").order_by(OutboxMessage.id)
            notice = ctx.session.scalars(invitations.limit(1)).one()
            for name, value in values.items():
                setattr(notice, name, value)
        return operator.open(f"/operators/mails/{notice.id}").words

    now = system_time()
    assert "accepted it" in why(state="sent", error=None)
    assert "no longer needed: no longer true." in why(state="dropped", error="no longer true")
    assert "is not retried." in why(state="failed", error=None)
    owed = why(state="pending", due_at=now + timedelta(hours=1), error="451 later", recipient="x@refuses.example")
    assert "scheduled for later" in owed
    assert "rejects this service: we do not like you" in owed
    assert "The last attempt failed: 451 later" in owed
    assert "is sent with the next mails" in why(due_at=now, error=None, recipient="x@example.net")
    assert "would be dropped: the address is suppressed" in why(recipient=address("Bob"))
    assert "someone at games.localhost" in why(recipient=f"probe+{TOKEN}@games.localhost")


def test_a_letter_says_what_was_typed_without_secrets(house: House, operator: Visitor) -> None:
    everything(house)
    page = operator.open("/operators/letters").follow(
        next(said for said in operator.open("/operators/letters").links if said.startswith("stored"))
    )
    assert "nothing works" in page.words
    assert "Not forwarded: set PBEM_OPERATOR_EMAIL" in page.words
    assert "[hidden]" in page.words
    with house.transaction() as ctx:
        ctx.session.execute(update(ServiceMail).values(raw=RAW % (b"Nothing", b"")))
    assert "This mail has no text of its own." in operator.open(page.url).words


def test_a_person_is_shown_with_what_fails_for_them(house: House, operator: Visitor) -> None:
    match_id = everything(house)
    page = operator.open(f"/operators/people/{number_of(house, 'Bob')}")
    assert "mailbox unknown" in page.words or "Suppressed since" in page.words
    assert "bounce" in page.words
    assert match_id in page.words
    assert "Reports about this player: 1" in page.words
    assert "rude to me" in page.follow("Reports about this player: 1").words
    assert page.follow("Matches: 1").words.count(match_id) == 1
    ann = operator.open(f"/operators/people/{number_of(house, 'Ann')}")
    assert "played by mail, Ann" in ann.follow("Submissions").words
    assert "sent: invitation" in ann.follow("Mails about their matches").words
    assert "Operator, as Opa" in operator.open(f"/operators/people/{number_of(house, 'Opa')}").words


def test_a_match_is_shown_with_what_makes_it_wait(house: House, operator: Visitor) -> None:
    match_id = house.make("martian-whist", 2, {}, clock="3 days")
    page = operator.open(f"/operators/matches/{match_id}")
    assert "Waiting for players." in page.words
    assert "not accepted yet" in page.words
    for name in ("Ann", "Bob"):
        house.reply(house.only(name), "yes")
    page = operator.open(f"/operators/matches/{match_id}")
    assert "Running, at ply 1." in page.words
    assert "to move, due" in page.words
    assert "You have 3 days for this move" in page.words
    with house.transaction() as ctx:
        ctx.session.execute(update(Submission).values(status=SubmissionStatus.PENDING))
    assert "2 submissions wait to be judged." in operator.open(page.url).words
    old = system_time() - timedelta(days=40)
    with house.transaction() as ctx:
        ctx.session.execute(update(Deadline).values(asked_at=old, next_action_at=old))
        ctx.session.execute(update(Submission).values(received_at=old))
    for show in ("judging", "clock", "quiet"):
        assert match_id in operator.open(f"/operators/matches?show={show}").words, show


def test_somebody_without_an_address_and_a_robot_are_shown_too(house: House, operator: Visitor) -> None:
    with house.transaction() as ctx:
        player = Player(name="Nix", created_at=ctx.now, deleted_at=ctx.now)
        ctx.session.add(player)
        ctx.session.flush()
        registry.get_or_create(ctx, {"x@example.net": "Xia"})
        number = player.id
    page = operator.open(f"/operators/people/{number}")
    assert "this player cannot get mail" in page.words
    assert "Account deleted." in page.words
    assert "Act" not in page.words.split()


def test_two_operators_have_entries_of_their_own(house: House, operator: Visitor) -> None:
    other = appointed(house, "Ute")
    cookie = operator.client.get_cookie("pbem-operator", domain="127.0.0.1")
    assert cookie
    other.client.set_cookie("pbem-operator", cookie.value, domain="127.0.0.1")
    assert other.open("/operators").url == "/operators/second-factor"
    set_up(house, other, "Ute")
    assert other.open("/operators").url == "/operators"
    assert visitor(house).open("/operators").status == 404
