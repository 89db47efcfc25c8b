"""The relay: everything that is owed goes out, in order, once, whatever happens meanwhile."""

from __future__ import annotations

import email
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email import policy
from typing import TYPE_CHECKING, Any

import pytest
from psycopg import Cursor
from sqlalchemy import delete, func, select, text, update

from emails.outbound import due_mails as owing
from emails.outbound import relay as relays
from emails.outbound import results
from emails.outbound.relay import deliver_shard
from emails.outbound.shard_lock import shard_lock
from pbem.db.models import Match, OutboxMessage
from pbem.db.session import underlying
from pbem.play.core.backoff import RETRY_DELAYS
from pbem.play.core.context import without_transactions
from pbem.play.lifecycle import acceptance
from pbem.play.lifecycle.match_requests import Invitee
from pbem.play.matches.seats import holders
from pbem.play.notifications import outbox
from pbem.play.notifications.outbox import SHARD_COUNT
from pbem.states import MatchState, OutboxState
from tests.support.creating import create_match
from tests.support.emails.inbound.servers import CUT, Neighbour, listening

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.house import House

ANN = "ann@example.org"


@pytest.fixture
def neighbour() -> Neighbour:
    return Neighbour()


@pytest.fixture
def city(house: House, neighbour: Neighbour) -> Iterator[House]:
    """A house whose mail goes to a neighbouring server."""
    with listening(neighbour) as where:
        yield replace(house, config=replace(house.config, smtp_url=f"smtp://{where}"))


def shard_of(address: str) -> int:
    return sum(address.encode()) % SHARD_COUNT


def owed(house: House) -> list[tuple[str, int, str | None]]:
    rows = select(OutboxMessage.state, OutboxMessage.attempts, OutboxMessage.error).order_by(OutboxMessage.id)
    return [tuple(row) for row in house.rows(rows)]


def ids_of(neighbour: Neighbour) -> list[str]:
    read = [email.message_from_bytes(raw, policy=policy.default) for _, raw in neighbour.taken]
    return [str(message["Message-ID"]) for message in read]


def make(house: House, times: int) -> list[str]:
    """Owe Ann some mails; returns their Message-IDs in order."""
    for _ in range(times):
        house.make("minimax", 1)
    return house.all(select(OutboxMessage.message_id).order_by(OutboxMessage.id))


def test_a_recipients_mails_go_out_in_order_over_one_connection(city: House, neighbour: Neighbour) -> None:
    expected = make(city, 30)
    assert deliver_shard(city.engine, city.config, shard_of(ANN)) == 30
    assert ids_of(neighbour) == expected
    assert neighbour.connections == 1
    assert {state for state, _, _ in owed(city)} == {"sent"}
    assert deliver_shard(city.engine, city.config, shard_of(ANN)) == 0


def test_a_shard_is_its_own(city: House, neighbour: Neighbour) -> None:
    make(city, 1)
    for shard in range(SHARD_COUNT):
        if shard != shard_of(ANN):
            assert deliver_shard(city.engine, city.config, shard) == 0
    assert not neighbour.taken


def test_one_relay_at_a_time_has_a_shard(city: House, neighbour: Neighbour) -> None:
    expected = make(city, 20)
    with ThreadPoolExecutor(4) as pool:
        sent = list(pool.map(lambda _: deliver_shard(city.engine, city.config, shard_of(ANN)), range(4)))
    assert sum(sent) == 20
    assert ids_of(neighbour) == expected


def test_who_finds_a_shard_taken_leaves_at_once(city: House, neighbour: Neighbour) -> None:
    make(city, 1)
    alone = without_transactions(city.engine)
    with alone.connect() as connection, shard_lock(underlying(connection), shard_of(ANN)) as mine:
        assert mine
        assert deliver_shard(city.engine, city.config, shard_of(ANN)) == 0
        with alone.connect() as second, shard_lock(underlying(second), shard_of(ANN) + 1) as other:
            assert other
    assert not neighbour.taken
    assert deliver_shard(city.engine, city.config, shard_of(ANN)) == 1


def test_a_line_is_kept_for_the_next_relay(city: House, neighbour: Neighbour) -> None:
    for _time in range(3):
        make(city, 1)
        assert deliver_shard(city.engine, city.config, shard_of(ANN)) == 1
    assert neighbour.connections == 1


def test_what_is_written_while_a_relay_works_is_sent_too(city: House, neighbour: Neighbour) -> None:
    make(city, 1)

    def make_another() -> None:
        neighbour.on_data = None
        city.make("minimax", 1)

    neighbour.on_data = make_another
    assert deliver_shard(city.engine, city.config, shard_of(ANN)) == 2


def test_a_relay_ends_after_some_seconds(city: House, neighbour: Neighbour, monkeypatch: pytest.MonkeyPatch) -> None:
    make(city, 4)
    monkeypatch.setattr(relays, "MAX_RUN_SECONDS", 0.3)

    def wait() -> None:
        time.sleep(0.2)

    neighbour.on_data = wait
    sent = deliver_shard(city.engine, city.config, shard_of(ANN))
    assert 1 <= sent <= 2
    monkeypatch.setattr(relays, "MAX_RUN_SECONDS", 60)
    assert deliver_shard(city.engine, city.config, shard_of(ANN)) == 4 - sent


def test_a_notice_that_is_no_longer_true_is_dropped(city: House, neighbour: Neighbour) -> None:
    match_id = city.make("minimax", 1)
    with city.transaction() as ctx:
        (holder,) = holders(ctx, match := ctx.session.get_one(Match, match_id))
        acceptance.accept(ctx, match, holder, "")
        match.ply = 2
    assert deliver_shard(city.engine, city.config, shard_of(ANN)) == 1
    assert [state for state, _, _ in owed(city)] == ["sent", "dropped"]
    assert len(neighbour.taken) == 1


@pytest.mark.parametrize(
    ("state", "ply", "to_move"), [(MatchState.OVER, 1, []), (MatchState.RUNNING, 2, [1]), (MatchState.RUNNING, 1, [])]
)
def test_a_turn_is_told_only_while_it_is(house: House, state: MatchState, ply: int, to_move: list[int]) -> None:
    match_id = house.start_match("minimax", 1)
    (notice,) = house.all(select(OutboxMessage).where(OutboxMessage.kind == "turn"))
    match = house.match(match_id)
    assert outbox.is_still_true(match, notice)
    match.state, match.ply, match.to_move = state, ply, to_move
    assert not outbox.is_still_true(match, notice)
    # One that says what was played is the receipt too.
    notice.render_data = {**notice.render_data, "played": "a move"}
    assert outbox.is_still_true(match, notice)
    notice.kind, notice.render_data = "final", {}
    assert outbox.is_still_true(match, notice)


def test_a_temporary_refusal_is_tried_again_after_each_pause_then_fails(city: House, neighbour: Neighbour) -> None:
    make(city, 1)
    tries = len(RETRY_DELAYS) + 1
    neighbour.at_rcpt = ["451 4.3.0 Later"] * tries
    for attempt, pause in enumerate(RETRY_DELAYS, 1):
        before = datetime.now(UTC)
        assert deliver_shard(city.engine, city.config, shard_of(ANN)) == 0
        assert owed(city) == [("pending", attempt, "4.3.0 Later")]
        (due,) = city.all(select(OutboxMessage.due_at))
        assert before + pause - timedelta(seconds=1) <= due <= datetime.now(UTC) + pause
        # Not before its time.
        assert deliver_shard(city.engine, city.config, shard_of(ANN)) == 0
        assert len(neighbour.at_rcpt) == tries - attempt
        with city.transaction() as ctx:
            ctx.session.execute(update(OutboxMessage).values(due_at=before))
    deliver_shard(city.engine, city.config, shard_of(ANN))
    assert owed(city) == [("failed", len(RETRY_DELAYS), "4.3.0 Later")]


def test_a_mail_that_waits_does_not_hold_up_the_next(city: House, neighbour: Neighbour) -> None:
    make(city, 3)
    neighbour.at_data = ["250 OK", "451 4.3.0 Later"]
    assert deliver_shard(city.engine, city.config, shard_of(ANN)) == 2
    assert [state for state, _, _ in owed(city)] == ["sent", "pending", "sent"]


def test_a_permanent_refusal_fails_at_once(city: House, neighbour: Neighbour) -> None:
    make(city, 2)
    neighbour.at_rcpt = ["550 5.1.1 No such user"]
    assert deliver_shard(city.engine, city.config, shard_of(ANN)) == 1
    assert owed(city) == [("failed", 0, "5.1.1 No such user"), ("sent", 0, None)]


def test_a_line_that_is_cut_keeps_the_mail_owed(city: House, neighbour: Neighbour) -> None:
    make(city, 2)
    neighbour.at_data = [CUT]
    assert deliver_shard(city.engine, city.config, shard_of(ANN)) == 1
    assert [state for state, _, _ in owed(city)] == ["pending", "sent"]


def test_no_mail_is_given_up_for_a_line_that_is_cut_however_often(city: House, neighbour: Neighbour) -> None:
    make(city, 1)
    for waited in (0, 0, 0, 1, 10, 100, 1000, 1000, 1000, 1000, 1000):
        neighbour.at_data = [CUT]
        now = datetime.now(UTC)
        with city.transaction() as ctx:
            ctx.session.execute(update(OutboxMessage).values(due_at=now, created_at=now - timedelta(hours=waited)))
        assert deliver_shard(city.engine, city.config, shard_of(ANN)) == 0
        assert [row[:2] for row in owed(city)] == [("pending", 0)]
        (due,) = city.all(select(OutboxMessage.due_at))
        # At first so soon that nobody notices, later seldom enough that nobody minds.
        pause = min(max(timedelta(hours=waited) / 10, results.MIN_RETRY_DELAY), results.MAX_RETRY_DELAY)
        assert now + pause - timedelta(seconds=1) <= due <= datetime.now(UTC) + pause + timedelta(seconds=1)
    with city.transaction() as ctx:
        ctx.session.execute(update(OutboxMessage).values(due_at=now))
    assert deliver_shard(city.engine, city.config, shard_of(ANN)) == 1
    assert [state for state, _, _ in owed(city)] == ["sent"]


def test_while_nobody_is_there_to_take_mails_all_wait_as_they_are(house: House, city: House) -> None:
    make(city, 3)
    away = replace(house.config, smtp_url="smtp://127.0.0.1:1")
    for _ in range(12):
        assert deliver_shard(city.engine, away, shard_of(ANN)) == 0
    assert owed(city) == [("pending", 0, None)] * 3
    assert deliver_shard(city.engine, city.config, shard_of(ANN)) == 3


@pytest.mark.parametrize("mails_a_line", [1, 100], ids=["the line is opened anew", "the line is cut"])
def test_where_a_mail_server_goes_away_between_two_mails_the_others_wait(
    house: House, neighbour: Neighbour, monkeypatch: pytest.MonkeyPatch, mails_a_line: int
) -> None:
    monkeypatch.setattr("emails.outbound.transport.MAX_MAILS_PER_CONNECTION", mails_a_line)
    make(house, 4)
    mark = results.mark_sent
    with ExitStack() as there:
        where = there.enter_context(listening(neighbour))
        city = replace(house, config=replace(house.config, smtp_url=f"smtp://{where}"))

        def leave(*which: Any) -> None:
            mark(*which)
            there.close()

        monkeypatch.setattr(relays, "mark_sent", leave)
        assert deliver_shard(city.engine, city.config, shard_of(ANN)) == 1
    # A mail that was on its way as the line was cut keeps that with it; nothing counts against any.
    assert [(state, attempts) for state, attempts, _ in owed(city)] == [("sent", 0), *[("pending", 0)] * 3]
    assert [bool(error) for _, _, error in owed(city)] == [False, mails_a_line > 1, False, False]


def test_a_disk_that_takes_no_mails_only_delays_them(house: House) -> None:
    make(house, 2)
    box = house.folder / ANN
    box.parent.mkdir(parents=True, exist_ok=True)
    box.write_text("where a folder should be")
    assert deliver_shard(house.engine, house.config, shard_of(ANN)) == 0
    assert [(state, attempts) for state, attempts, _ in owed(house)] == [("pending", 0)] * 2
    box.unlink()
    with house.transaction() as ctx:
        ctx.session.execute(update(OutboxMessage).values(due_at=datetime.now(UTC)))
    assert deliver_shard(house.engine, house.config, shard_of(ANN)) == 2


def test_most_mails_cost_one_statement_each(city: House, neighbour: Neighbour, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(owing, "FRESH_SECONDS", 60)
    monkeypatch.setattr(relays, "MAX_RUN_SECONDS", 60)
    expected = make(city, 30)
    said: list[str] = []
    execute = Cursor.execute

    def count(cursor: Cursor[Any], query: Any, *given: Any, **named: Any) -> Any:
        said.append(str(query).strip())
        return execute(cursor, query, *given, **named)

    monkeypatch.setattr(Cursor, "execute", count)
    assert deliver_shard(city.engine, city.config, shard_of(ANN)) == 30
    assert ids_of(neighbour) == expected
    assert sum(one.startswith("UPDATE") for one in said) == 30
    assert len(said) <= 30 + 8


def test_a_turn_that_passes_while_a_relay_works_is_not_told(
    city: House, neighbour: Neighbour, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a batch was loaded with is relied on for a moment only."""
    monkeypatch.setattr(owing, "FRESH_SECONDS", 0.2)
    for match_id in (city.make("minimax", 1), city.make("minimax", 1)):
        with city.transaction() as ctx:
            (holder,) = holders(ctx, match := ctx.session.get_one(Match, match_id))
            acceptance.accept(ctx, match, holder, "")

    def move_on() -> None:
        neighbour.on_data = None
        with city.transaction() as ctx:
            ctx.session.execute(update(Match).values(ply=5))
        time.sleep(0.3)

    neighbour.on_data = move_on
    deliver_shard(city.engine, city.config, shard_of(ANN))
    assert city.all(select(OutboxMessage.state).where(OutboxMessage.kind == "turn")) == ["dropped"] * 2
    assert len(neighbour.taken) == 2


def test_what_becomes_of_a_mail_while_its_refusal_comes_stays_so(city: House, neighbour: Neighbour) -> None:
    make(city, 2)

    def drop() -> None:
        neighbour.on_data = None
        with city.transaction() as ctx:
            ctx.session.execute(update(OutboxMessage).values(state=OutboxState.DROPPED))

    neighbour.at_data, neighbour.on_data = ["451 4.3.0 Later"], drop
    assert deliver_shard(city.engine, city.config, shard_of(ANN)) == 0
    assert owed(city) == [("dropped", 0, None)] * 2


def test_whoever_leaves_while_a_refusal_comes_keeps_nobody_from_their_mail(city: House, neighbour: Neighbour) -> None:
    make(city, 1)
    with city.transaction() as ctx:
        number = ctx.session.scalars(select(OutboxMessage.id)).one()
        guests = [Invitee("Nan", "nan@example.org")]
        create_match(ctx, "minimax", {}, guests)
    assert shard_of("nan@example.org") == shard_of(ANN)

    def leave() -> None:
        neighbour.on_data = None
        with city.transaction() as ctx:
            ctx.session.execute(delete(OutboxMessage).where(OutboxMessage.id == number))

    neighbour.at_data, neighbour.on_data = ["451 4.3.0 Later"], leave
    assert deliver_shard(city.engine, city.config, shard_of(ANN)) == 1
    assert [recipient for recipient, _mail in neighbour.taken] == ["nan@example.org"]


def test_a_crash_after_the_250_repeats_the_mail_with_the_same_message_id(
    city: House, neighbour: Neighbour, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = make(city, 2)
    mark = results.mark_sent

    def crash(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(relays, "mark_sent", crash)
    with pytest.raises(KeyboardInterrupt):
        deliver_shard(city.engine, city.config, shard_of(ANN))
    monkeypatch.setattr(relays, "mark_sent", mark)
    assert [state for state, _, _ in owed(city)] == ["pending", "pending"]
    assert deliver_shard(city.engine, city.config, shard_of(ANN)) == 2
    assert ids_of(neighbour) == [expected[0], *expected]
    first, again = neighbour.taken[:2]
    assert first == again


def test_a_mail_that_cannot_be_written_fails_alone(city: House, neighbour: Neighbour) -> None:
    make(city, 2)
    with city.transaction() as ctx:
        broken = "UPDATE outbox_messages SET kind = 'of no kind' WHERE id = (SELECT min(id) FROM outbox_messages)"
        ctx.session.execute(text(broken))
    assert deliver_shard(city.engine, city.config, shard_of(ANN)) == 1
    assert [state for state, _, _ in owed(city)] == ["failed", "sent"]
    assert len(neighbour.taken) == 1


def test_what_was_told_is_kept_for_its_reader_and_what_was_dropped_is_forgotten(city: House) -> None:
    make(city, 2)
    with city.transaction() as ctx:
        stale = select(func.min(OutboxMessage.id)).scalar_subquery()
        ctx.session.execute(update(OutboxMessage).where(OutboxMessage.id == stale).values(kind="turn", ply=0))
    deliver_shard(city.engine, city.config, shard_of(ANN))
    dropped, sent = city.all(select(OutboxMessage).order_by(OutboxMessage.id))
    assert (dropped.state, dropped.render_data, dropped.render_preferences) == ("dropped", {}, None)
    assert (sent.state, sent.render_preferences["language"], sent.render_preferences["generation"]) == ("sent", "en", 1)
    assert sent.render_data["name"] == "Ann"
    assert dropped.finished_at
    assert sent.finished_at
