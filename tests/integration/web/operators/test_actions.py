"""Acting by forms: each says what it does and asks why, leads to a row that stays, and is undone where it can be."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import delete, func, select, update

from pbem.db.models import (
    AuditLogEntry,
    Event,
    LogEntry,
    Match,
    OutboxMessage,
    Player,
    ServiceMail,
    Submission,
    Suppression,
)
from pbem.play.lifecycle import endings
from pbem.play.matches.match_state import load_match, lock_match
from pbem.play.matches.seats import holders
from pbem.play.operators.perform import ACTS
from pbem.states import MatchState, OutboxState, ServiceMailStatus, SubmissionStatus
from pbem.web.operators.action_registry import ACTIONS
from tests.support.examples import few
from tests.support.house import address
from tests.support.play.events.entering import BEGUN
from tests.support.play.leagues import drawn
from tests.support.web.common.scanners import written
from tests.support.web.operators.actions import begun
from tests.support.web.operators.looking import everything
from tests.support.web.operators.office import appointed, number_of

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.pages import Page, Visitor

WHY = "They asked for it, twice"
FIELDS = {
    "pause": {"days": "7"},
    "extend": {"seat": "", "days": "2"},
    "ban": {"sentence": "You were rude."},
    "rename": {"name": "Robert"},
    "appoint": {"name": "Bobby"},
}


def whom(house: House, name: str) -> str:
    """Create something that an act can be done to; return what it is called."""
    if name in {"retry-notice", "retry-letter", "forward", "retry-submission"}:
        return failed(house, name)
    if name in {"annul-result", "remove"}:
        drawn.begun(house, *drawn.FIVE)
        (result,) = drawn.matches_of(house, "Ann", "Bob")
        drawn.resign(house, result, "Bob", BEGUN)
        return result if name == "annul-result" else str(number_of(house, "Bob"))
    if name == "exchange":
        first, _second = drawn.groups(house, drawn.drawn(house, *drawn.TEN))
        return str(number_of(house, first[0]))
    match_id = begun(house)
    if name == "annul":
        with house.transaction() as ctx:
            match = lock_match(ctx, match_id)
            match.rated = True
            endings.resign(ctx, load_match(ctx, match), holders(ctx, match)[0])
    if ACTIONS[name].subject == "match":
        return match_id
    if ACTIONS[name].subject == "address":
        return address("Bob")
    return str(number_of(house, "Bob"))


def failed(house: House, name: str) -> str:
    everything(house)
    with house.transaction() as ctx:
        ctx.session.execute(delete(Suppression))
        ctx.session.execute(update(Submission).values(status=SubmissionStatus.FAILED))
        ctx.session.execute(
            update(ServiceMail).values(status=ServiceMailStatus.FAILED, recipient=ctx.config.service_address)
        )
    if name == "retry-submission":
        return str(house.all(select(Submission.id))[0])
    row = OutboxMessage.id if name == "retry-notice" else ServiceMail.id
    where = OutboxMessage.state == OutboxState.FAILED if name == "retry-notice" else ServiceMail.id > 0
    return str(house.all(select(row).where(where))[0])


def form_of(operator: Visitor, name: str, subject: str) -> Page:
    return operator.open(f"/operators/act/{name}?whom={subject}")


def typed(house: House, name: str, subject: str) -> dict[str, str]:
    """Fill in the form of an act."""
    fields = {"reason": WHY, "sure": "on"} | FIELDS.get(name, {})
    if name == "extend":
        fields["seat"] = str(house.match(subject).to_move[0])
    if name in {"remove", "exchange"}:
        fields["event"] = str(house.all(select(Event.id).order_by(Event.id))[0])
    if name == "exchange":
        _first, second = drawn.groups(house, int(fields["event"]))
        fields["other"] = str(number_of(house, second[0]))
    if name == "merge":
        fields["into"] = str(number_of(house, "Ann"))
    return fields


def before(operator: Visitor, house: House, name: str, subject: str) -> None:
    """Do what must have been done, so that an act can undo or look at it."""
    first = {"resume": "pause", "look": "open", "unban": "ban", "lift": "suppress", "dismiss": "appoint"}
    first["forget-factor"] = "appoint"
    if name in first:
        press(operator, house, first[name], subject)


def press(operator: Visitor, house: House, name: str, subject: str) -> Page:
    return form_of(operator, name, subject).press(ACTIONS[name].button, **typed(house, name, subject))


@pytest.fixture
def operator(house: House, operator: Visitor) -> Visitor:
    """An operator of a service that forwards letters."""
    object.__setattr__(house, "config", replace(house.config, operator_email="op@example.org"))
    browser = operator
    browser.client.application.extensions["pbem"] = replace(
        browser.client.application.extensions["pbem"], config=house.config
    )
    return browser


def test_every_act_of_operators_has_a_form() -> None:
    assert len({way.act for way in ACTIONS.values()}) == len(ACTIONS)
    assert {name.replace(" ", "-") for name in ACTS} == set(ACTIONS)
    for name, act in ACTS.items():
        way = ACTIONS[name.replace(" ", "-")]
        assert (way.subject, way.needs_reason) == (act.subject, act.needs_reason)
    for way in ACTIONS.values():
        assert way.undone_by is None or not way.grave


# In this match nobody plays beside whom an account could be merged.
MERGES = {"merge"}


@pytest.mark.parametrize("name", [*few(sorted(set(ACTIONS) - MERGES), 3)])
def test_an_act_by_its_form_leads_to_a_row(house: House, operator: Visitor, name: str) -> None:
    way, subject = ACTIONS[name], whom(house, name)
    before(operator, house, name, subject)
    rows = house.all(select(func.count()).select_from(AuditLogEntry))[0]
    page = press(operator, house, name, subject)
    assert page.status == 200, page.words
    assert house.all(select(func.count()).select_from(AuditLogEntry)) == [rows + 1]
    ((act, by, reason),) = house.rows(
        select(AuditLogEntry.action, AuditLogEntry.actor, AuditLogEntry.reason)
        .order_by(AuditLogEntry.id.desc())
        .limit(1)
    )
    assert act.replace(" ", "-") == name
    assert by.startswith("operator ")
    assert reason == WHY
    if name == "look":
        assert "Revealed information" in page.words
        return
    assert 'role="status"' in page.html
    assert act in operator.open("/operators/audit").words
    if way.undone_by:
        button = ACTIONS[way.undone_by].button
        undoing = page.follow(f"Undo: {button}")
        assert undoing.form(button).fields["whom"] == subject
    else:
        assert "Undo:" not in page.words


def test_a_merged_account_is_gone_and_its_row_stays(house: House, operator: Visitor) -> None:
    begun(house)
    appointed(house, "Cyd")
    one, other = number_of(house, "Bob"), number_of(house, "Cyd")
    page = form_of(operator, "merge", str(one))
    page = page.press("Merge into another account", into=str(other), reason=WHY, sure="on")
    assert page.url.startswith(f"/operators/people/{other}?told=")
    assert 'role="status"' in page.html
    assert house.all(select(AuditLogEntry.target_id).where(AuditLogEntry.action == "merge")) == [str(one)]
    assert house.all(select(Player.id).where(Player.id == one)) == []
    assert operator.open("/operators/audit").words.count("merge") == 1


def test_looking_at_forms_changes_nothing(house: House, operator: Visitor) -> None:
    subjects = {"match": begun(house), "player": str(number_of(house, "Bob")), "address": address("Bob")}
    kept = written(house)
    for name, way in ACTIONS.items():
        for subject in (subjects.get(way.subject, "1"), "x", "9" * 30):
            assert form_of(operator, name, subject).status == 200, name
    assert written(house) == kept


@pytest.mark.parametrize(
    ("name", "wrong", "said"),
    [
        ("pause", {"reason": " "}, "Give a reason"),
        ("pause", {"days": "many"}, "must be a number"),
        ("pause", {"days": "1000"}, "must be at most"),
        ("abort", {"sure": ""}, "this cannot be undone"),
        ("ban", {"whom": "x"}, "nothing has been done yet"),
        ("abort", {"reason": "x" * 501}, "too long"),
        ("extend", {"seat": "9"}, "is not to move"),
    ],
)
def test_what_is_missing_or_wrong_is_said_and_nothing_done(
    house: House, operator: Visitor, name: str, wrong: dict[str, str], said: str
) -> None:
    subject = whom(house, name)
    kept = written(house)
    fields = typed(house, name, subject) | wrong
    if not fields["sure"]:
        del fields["sure"]
    page = form_of(operator, name, subject).press(ACTIONS[name].button, **fields)
    assert page.status in {400, 422}
    assert said in page.words
    assert written(house) == kept
    if "whom" not in wrong:
        assert page.form(ACTIONS[name].button).fields["reason"] == fields["reason"]


@pytest.mark.parametrize("nonce", ["", "made up"])
def test_a_form_from_elsewhere_does_nothing(house: House, operator: Visitor, nonce: str) -> None:
    subject = whom(house, "abort")
    data: dict[str, Any] = typed(house, "abort", subject) | {"whom": subject, "nonce": nonce}
    answer = operator.client.post("/operators/act/abort", data=data)
    assert answer.status_code == 400
    other = form_of(operator, "abort", "another").form("Abort").fields["nonce"]
    assert operator.client.post("/operators/act/abort", data=data | {"nonce": other}).status_code == 400
    assert house.match(subject).state == MatchState.RUNNING


@pytest.mark.parametrize("name", ["ban", "pause", "retry-notice", "suppress", "retry-submission", "forward"])
def test_what_is_not_there_cannot_be_acted_on(house: House, operator: Visitor, name: str) -> None:
    begun(house)
    fields = {"reason": WHY} | FIELDS.get(name, {})
    page = form_of(operator, name, "999").press(ACTIONS[name].button, **fields)
    assert page.status == 422
    assert house.all(select(AuditLogEntry.action).where(AuditLogEntry.action.not_in(("appoint", "enter")))) == []


def test_buttons_stand_where_they_can_be_used(house: House, operator: Visitor) -> None:
    match_id = begun(house)
    page = operator.open(f"/operators/matches/{match_id}")
    assert {"Pause", "Extend deadline", "Abort", "Reveal hidden information"} <= set(page.links)
    assert not {"Resume", "Show revealed information"} & set(page.links)
    page = press(operator, house, "pause", match_id)
    assert "Paused:" in page.words
    assert "Resume" in page.links
    page = press(operator, house, "open", match_id)
    assert "Show revealed information" in page.links
    assert house.all(select(LogEntry.event).order_by(LogEntry.number)) == ["paused", "opened"]
    page = press(operator, house, "abort", match_id)
    assert not {"Pause", "Resume", "Abort"} & set(page.links)
    bob = operator.open(f"/operators/people/{number_of(house, 'Bob')}")
    assert "Ban" in bob.links
    bob = press(operator, house, "ban", str(number_of(house, "Bob")))
    assert "with the message: “You were rude.”" in bob.words
    assert "Unban" in bob.links
    bob = press(operator, house, "suppress", address("Bob"))
    assert bob.url.startswith(f"/operators/people/{number_of(house, 'Bob')}")
    assert f"Resume mail {address('Bob')}" in bob.links
    page = press(operator, house, "suppress", "stranger@example.net")
    assert page.url.startswith("/operators/suppressed")
    assert house.all(select(func.count()).select_from(Suppression)) == [2]
    assert house.all(select(Match.state)) == ["over"]


def test_an_act_without_its_subject_asks_for_it(operator: Visitor) -> None:
    page = operator.open("/operators/suppressed").follow("Stop mail")
    page = page.press("Continue", whom="somebody@example.net")
    assert page.form("Stop mail").fields["whom"] == "somebody@example.net"


def test_what_was_done_is_told_by_nobody_else(operator: Visitor) -> None:
    assert "forged" not in operator.open("/operators/people/1?told=forged").words
