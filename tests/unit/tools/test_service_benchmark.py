"""What `make bench-service` makes of what it sees: replies as people send them, waits, costs by part, and goals."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from benchmarks import senders, sink
from benchmarks.costs import Costs
from benchmarks.goals import Reached, percentile, reached, table
from benchmarks.players import waits_of
from benchmarks.systems import install
from benchmarks.systems.floor.mails import compose
from benchmarks.systems.system import Found
from emails.parsing.reader import parse_mail

if TYPE_CHECKING:
    from pathlib import Path

TURN = sink.parse_turn(compose("turn", 7, 2, 5, "bob@example.org", "<asked@floor.localhost>"), 1.5, Random(1))


def test_a_turn_mail_waits_for_a_reply_to_it() -> None:
    assert TURN
    assert (TURN.player, TURN.reply_to, TURN.match) == ("bob@example.org", "play+7.2.5@floor.localhost", "7")
    assert (TURN.move, TURN.message_id, TURN.at) == ("take 7", "<asked@floor.localhost>", 1.5)


def test_a_receipt_asks_for_nothing() -> None:
    receipt = compose("receipt", 7, 1, 5, "ann@example.org", "<played@floor.localhost>")
    assert sink.parse_turn(receipt, 1.5, Random(1)) is None


def test_a_reply_quotes_the_whole_mail_and_is_read_as_the_move_alone() -> None:
    assert TURN
    raw = senders.quoting(TURN)
    assert all(f"> {line}".rstrip() in raw.decode() for line in TURN.text.splitlines())
    assert parse_mail(raw).typed == ("take 7",)
    assert parse_mail(raw).answers == ("<asked@floor.localhost>",)


def test_a_mail_over_the_line_ends_once() -> None:
    assert senders.as_sent(b"Subject: x\n\ntake 7\n") == b"Subject: x\r\n\r\ntake 7\r\n.\r\n"


@pytest.mark.parametrize(
    ("sent", "asked", "waits"),
    [
        ([("a", 1.0)], [("a", 1.5)], [0.5]),
        ([("a", 1.0), ("b", 1.25)], [("b", 2.25), ("a", 1.5)], [0.5, 1.0]),
        # The turn mail that is replied to is not the answer, even where the reply was due before it came.
        ([("a", 1.0)], [("a", 1.0), ("a", 1.5)], [0.5]),
        # Two who move at the same time: the second one's reply is what the next turn waits for.
        ([("a", 1.0), ("a", 2.0)], [("a", 2.5)], [0.5]),
        # A match that is over asks nobody.
        ([("a", 1.0)], [("b", 1.5)], []),
    ],
)
def test_a_reply_waits_for_the_next_turn_of_its_match(
    sent: list[tuple[str, float]], asked: list[tuple[str, float]], waits: list[float]
) -> None:
    assert waits_of(sent, asked) == waits


def test_parts_of_one_kind_are_added_up() -> None:
    spent = Costs({"door": 1.0, "workers 1": 2.0, "workers 2": 4.0}).since(Costs({"workers 2": 1.0}))
    assert spent.each(1000) == {"door": 1.0, "workers": 5.0, "all": 6.0}


def rounds(**costs: list[float]) -> dict[str, list[Found]]:
    return {
        name: [Found(1000 / ms, {"door": ms / 2, "all": ms}, 1.0, 2.0, 80_000) for ms in each]
        for name, each in costs.items()
    }


def test_ratios_are_medians_of_those_within_each_round() -> None:
    found = {one.what: one.found for one in reached(rounds(ours=[10.0, 40.0, 12.0], floor=[2.0, 10.0, 4.0]))}
    assert found == {"ours, a move, all processors": 12.0, "ours / floor": 4.0}


def test_peers_that_were_not_measured_have_no_ratio() -> None:
    assert [one.what for one in reached(rounds(pgbench=[0.5]))] == []


def test_a_peer_that_took_less_than_can_be_told_has_no_ratio() -> None:
    free = [Found(1.0, {"all": 0.0})]
    assert [one.what for one in reached(rounds(ours=[10.0]) | {"floor": free})] == ["ours, a move, all processors"]


def test_a_goal_says_by_how_much_it_is_missed() -> None:
    assert str(Reached("ours / floor", 5.0, 4.0)).endswith("goal   4.00   over it by 25%")
    assert str(Reached("ours / floor", 4.0, 4.0)).endswith("goal   4.00")


def test_the_table_has_a_line_for_each_system() -> None:
    _head, ours, floor = table(rounds(ours=[10.0], floor=[2.0]))
    assert ours.split() == ["ours", "100.0", "10.00", "1.00", "2.00", "80.0", "door", "5.00"]
    assert floor.split()[:3] == ["floor", "500.0", "2.00"]


def test_a_share_of_all_values_is_not_above_its_percentile() -> None:
    assert percentile([3.0, 1.0, 2.0], 0.95) == 3.0
    assert percentile([float(n) for n in range(100)], 0.95) == 95.0


def test_a_peer_that_is_missing_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(install, "FOLDER", tmp_path)
    assert install.missing("roundup") == "roundup is left out: `make bench-peers` installs it"
