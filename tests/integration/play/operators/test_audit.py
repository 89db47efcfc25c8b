"""The audit: no act without a row, no row without an act, and none is ever changed."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import delete, func, select, text, update
from sqlalchemy.exc import DBAPIError

from pbem.db.models import AuditLogEntry, Operator, OutboxMessage, ServiceMail, Submission
from pbem.play import operators
from pbem.play.core.actors import ActionError, Actor
from pbem.play.operators import (
    audit,
    event_actions,
    inbound_actions,
    lookup,
    match_actions,
    membership,
    outbound_actions,
    player_actions,
    rating_actions,
    reveal,
    totp,
)
from pbem.play.operators.perform import ACTS, audit_key
from pbem.states import MatchState, ServiceMailStatus, SubmissionStatus
from tests.support.house import NAMES, address, reply
from tests.support.play.events.entering import BEGUN
from tests.support.play.leagues import drawn
from tests.support.play.operators.office import (
    SHELL,
    WHY,
    audited,
    confirmed,
    does,
    letter_to,
    must_verify,
    operator,
    player_of,
)
from tests.support.play.upkeep.deadline_tasks import running

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.house import House

    Prepared = tuple[Any, str | int, dict[str, Any]]


def on_match(act: Any, **more: Any) -> Callable[[House], Prepared]:
    return lambda house: (act, running(house), more)


def on_person(act: Any, **more: Any) -> Callable[[House], Prepared]:
    def prepare(house: House) -> Prepared:
        house.start_match("martian-whist", 2)
        confirmed(house, "Ann", "Bob")
        return act, player_of(house, "Bob"), more

    return prepare


def _extend(house: House) -> Prepared:
    match_id = running(house)
    return match_actions.extend, match_id, {"seat": house.match(match_id).to_move[0], "days": 2}


def _resume(house: House) -> Prepared:
    match_id = running(house)
    does(house, match_actions.pause, match_id)
    return match_actions.resume, match_id, {}


def _look(house: House) -> Prepared:
    match_id = running(house)
    does(house, reveal.reveal_hidden, match_id)
    return reveal.show, match_id, {}


def _unban(house: House) -> Prepared:
    _act, number, _more = on_person(None)(house)
    does(house, player_actions.ban, number, sentence="No.")
    return player_actions.unban, number, {}


def _merge(house: House) -> Prepared:
    house.start_match("minimax", 1)
    house.make("martian-whist", 2)
    match_acts_done = house.match_ids()[-1]
    does(house, match_actions.abort, match_acts_done)
    confirmed(house, "Ann")
    return player_actions.merge, player_of(house, "Bob"), {"into": player_of(house, "Ann")}


def _dismiss(house: House) -> Prepared:
    house.start_match("minimax", 1)
    return membership.dismiss, operator(house, "Ann").player or 0, {}


def _forget_factor(house: House) -> Prepared:
    _act, number, _more = _dismiss(house)
    with house.transaction() as ctx:
        totp.enroll(ctx, ctx.session.scalars(select(Operator)).one())
    return membership.reset_totp, number, {}


def _retry(house: House) -> Prepared:
    house.make("minimax", 1)
    return outbound_actions.retry, house.all(select(OutboxMessage.id))[0], {}


def _lift(house: House) -> Prepared:
    does(house, outbound_actions.suppress, address("Ann"))
    return outbound_actions.lift, address("Ann"), {}


def _retry_submission(house: House) -> Prepared:
    match_id = running(house)
    name = NAMES[house.match(match_id).to_move[0] - 1]
    mail = house.last(name)
    house.send(reply(mail, "hello").as_bytes(), mail.reply_to, address(name))
    with house.transaction() as ctx:
        ctx.session.execute(
            update(Submission)
            .where(Submission.status == SubmissionStatus.PENDING)
            .values(status=SubmissionStatus.FAILED)
        )
    return (
        inbound_actions.retry,
        house.all(select(Submission.id).where(Submission.status == SubmissionStatus.FAILED))[0],
        {},
    )


def _retry_letter(house: House) -> Prepared:
    number = letter_to(house, house.config.service_address)
    with house.transaction() as ctx:
        ctx.session.execute(update(ServiceMail).values(status=ServiceMailStatus.FAILED))
    return inbound_actions.retry_service_mail, number, {}


def _annul(house: House) -> Prepared:
    match_id = house.start_match("martian-whist", 2)
    house.reply(house.last("Ann"), "resign yes")
    return rating_actions.annul, match_id, {}


def _annul_result(house: House) -> Prepared:
    drawn.begun(house, *drawn.FIVE)
    (match,) = drawn.matches_of(house, "Ann", "Bob")
    drawn.resign(house, match, "Bob", BEGUN)
    return event_actions.annul_result, match, {}


def _remove(house: House) -> Prepared:
    event = drawn.begun(house, *drawn.FIVE)
    return event_actions.remove, player_of(house, "Ann"), {"event": event}


def _exchange(house: House) -> Prepared:
    event = drawn.drawn(house, *drawn.TEN)
    first, second = drawn.groups(house, event)
    return event_actions.exchange, player_of(house, first[0]), {"event": event, "other": player_of(house, second[0])}


def _forward(house: House) -> Prepared:
    number = letter_to(house, "postmaster@games.localhost")
    house.config = replace(house.config, operator_email=address("Dee"))
    return inbound_actions.forward, number, {}


EVERY: dict[str, Callable[[House], Prepared]] = {
    "pause": on_match(match_actions.pause),
    "resume": _resume,
    "extend": _extend,
    "abort": on_match(match_actions.abort),
    "annul": _annul,
    "annul result": _annul_result,
    "remove": _remove,
    "exchange": _exchange,
    "open": on_match(reveal.reveal_hidden),
    "look": _look,
    "ban": on_person(player_actions.ban, sentence="No."),
    "unban": _unban,
    "rename": on_person(player_actions.rename, name="Zoe"),
    "merge": _merge,
    "forget": on_person(player_actions.erase),
    "appoint": on_person(membership.appoint),
    "dismiss": _dismiss,
    "forget factor": _forget_factor,
    "retry notice": _retry,
    "suppress": lambda _house: (outbound_actions.suppress, address("Ann"), {}),
    "lift": _lift,
    "retry submission": _retry_submission,
    "retry letter": _retry_letter,
    "forward": _forward,
}
"""How each act there is comes about, on a house of its own."""


def test_every_act_there_is_is_looked_at_here() -> None:
    assert set(EVERY) == set(ACTS)


def test_whatever_somebody_may_do_as_an_actor_is_an_act() -> None:
    modules = [
        importlib.import_module(f"{operators.__name__}.{module.name}")
        for module in pkgutil.iter_modules(operators.__path__)
    ]
    found = 0
    for module in modules:
        for name, one in inspect.getmembers(module, inspect.isfunction):
            of_here = one.__module__ == module.__name__ and not name.startswith("_")
            if (
                of_here
                and inspect.signature(one).return_annotation == "ActionResult"
                and "Actor" in str(inspect.signature(one))
            ):
                found += 1
                assert hasattr(one, "__wrapped__"), f"{module.__name__}.{name} is no act, so no row tells of it"
    assert found == len(ACTS)


@pytest.mark.parametrize("name", EVERY)
def test_every_act_writes_one_row_and_where_it_is_about_a_match_its_chain_holds(house: House, name: str) -> None:
    act, whom, more = EVERY[name](house)
    known = ACTS[name]
    before = len(audited(house, most=1000))
    assert does(house, act, whom, **more).changed == (name != "look")
    rows = audited(house, most=1000)
    assert len(rows) == before + 1
    line = rows[0]
    assert (line.act, line.subject, line.about) == (name, known.subject, audit_key(known.subject, whom))
    assert (line.by, line.reason, line.request) == ("shell:root", WHY, "r1")
    for match_id in house.match_ids():
        if house.match(match_id).seed is not None:
            must_verify(house, match_id)


@pytest.mark.parametrize("name", [name for name, one in ACTS.items() if one.needs_reason])
def test_what_touches_players_needs_a_reason_and_without_one_nothing_is_done(house: House, name: str) -> None:
    act, whom, more = EVERY[name](house)
    before, lengths = len(audited(house, most=1000)), house.rows(text("SELECT id, log_length, state FROM matches"))
    with pytest.raises(ActionError, match="Give a reason"):
        does(house, act, whom, why=" \t\n", **more)
    assert len(audited(house, most=1000)) == before
    assert house.rows(text("SELECT id, log_length, state FROM matches")) == lengths


def test_an_act_that_fails_halfway_leaves_neither_a_row_nor_a_trace(house: House) -> None:
    match_id = running(house)
    nobody = Actor("operator", "Mallory", 99999)
    with house.transaction() as ctx:
        with pytest.raises(ActionError, match="Only operators"):
            match_actions.abort(ctx, nobody, match_id, WHY)
        match_actions.pause(ctx, SHELL, match_id, WHY)
    assert house.match(match_id).state == MatchState.RUNNING
    assert [line.act for line in audited(house)] == ["pause"]


def test_no_row_of_the_audit_is_changed_or_deleted(house: House) -> None:
    does(house, outbound_actions.suppress, address("Ann"))
    for statement in (
        update(AuditLogEntry).values(reason="another"),
        delete(AuditLogEntry),
        text("TRUNCATE audit_log"),
    ):
        with pytest.raises(DBAPIError, match="the audit log is append-only"), house.transaction() as ctx:
            ctx.session.execute(statement)
    assert house.all(select(func.count(AuditLogEntry.id))) == [1]


def test_the_audit_is_read_page_by_page_and_by_what_it_is_about(house: House) -> None:
    match_id = running(house)
    for _ in range(3):
        does(house, match_actions.pause, match_id)
        does(house, match_actions.resume, match_id)
    does(house, outbound_actions.suppress, address("Ann"))
    first = audited(house, most=4)
    rest = audited(house, most=4, before=first[-1].number)
    assert [line.act for line in first + rest] == ["suppress", *["resume", "pause"] * 3]
    assert len(audited(house, subject=("match", match_id))) == 6
    assert len(audited(house, act="pause")) == 3
    assert audited(house, before=rest[-1].number) == []
    with house.transaction() as ctx:
        assert audit.newest(ctx, 1)[0].about == audit_key("address", address("Ann"))


def test_what_an_operator_types_finds_what_they_mean_and_nothing_else(house: House) -> None:
    match_id = house.start_match("martian-whist", 2)
    ann = player_of(house, "Ann")
    with house.transaction() as ctx:
        for said in (match_id, match_id[:5], f"[{match_id[:5].upper()}]", f" {match_id} "):
            assert lookup.match(ctx, said) == match_id
        for said in (str(ann), "ann@example.org", "ANN@example.org ", "ann"):
            assert lookup.player(ctx, said) == ann
        for said in ("", "%", "_____", match_id[:4], "\0", "nosuchmatch"):
            with pytest.raises(ActionError, match="There is no match"):
                lookup.match(ctx, said)
        for said in ("", "0", "99999", str(2**70), "zoe@example.org", "Zoe", "%", "\0", "²"):
            with pytest.raises(ActionError, match="There is no player"):
                lookup.player(ctx, said)
    does(house, player_actions.rename, player_of(house, "Bob"), name="Cyd")
    house.make("martian-trickery", 3)
    with house.transaction() as ctx, pytest.raises(ActionError, match="Several people are called cyd"):
        lookup.player(ctx, "cyd")
