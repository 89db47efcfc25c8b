"""Statistics: what finished matches come to, for each game and for each player, and when that is reckoned anew."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select, update

from pbem.db.models import Match, MoveTiming, Player, SeatHolder, Statistic
from pbem.play.accounts import data_export, deletion, merge
from pbem.play.archive import game_statistics, player_statistics, statistics
from pbem.play.archive.game_statistics import SECONDS_PER_DAY, SECONDS_PER_MINUTE
from tests.support.ended import NOON, ended
from tests.support.play.archive.statistics import handful, refresh
from tests.support.play.players.robots import AS_ROBOT

if TYPE_CHECKING:
    from tests.support.house import House


def of_game(house: House, game: str = "martian-whist") -> Any:
    with house.transaction() as ctx:
        found = statistics.for_game(ctx, game)
        return found.data if found else None


def id_of(house: House, name: str) -> int:
    (number,) = house.all(select(Player.id).where(Player.name == name))
    return int(number)


def of_player(house: House, name: str) -> Any:
    with house.transaction() as ctx:
        found = statistics.for_player(ctx, id_of(house, name))
        return player_statistics.with_opponent_names(ctx, found.data) if found else None


def test_a_game_is_told_in_exact_figures(house: House) -> None:
    handful(house)
    refresh(house)
    assert of_game(house) == {
        "matches": 6,
        "at_most": game_statistics.MAX_MATCHES,
        "endings": {"finished": 3, "resigned": 1, "agreed": 1, "aborted": 1},
        "sizes": [
            {
                "seats": 2,
                "matches": 3,
                "moves": [25, 30, 40],
                "seconds": [3 * SECONDS_PER_DAY, 4 * SECONDS_PER_DAY, 6.5 * SECONDS_PER_DAY],
                "points": [18, 20, 24],
                "spread": {"step": 2, "first": 12, "times": [1, 0, 0, 1, 2, 0, 1, 0, 0, 1]},
                "won": [{"seat": 1, "alone": 1, "shared": 1}, {"seat": 2, "alone": 1, "shared": 1}],
            }
        ],
        "thinking": {"moves": 4, "seconds": [2708, 5400, 113400], "within": [1, 0, 0, 2, 0, 0, 1]},
    }


def test_sizes_are_told_apart_and_whoever_plays_alone_beats_nobody(house: House) -> None:
    ended(house, "Ann", game="minimax", scores=[-7], winners=[1], moves=1, thought=[(1, SECONDS_PER_MINUTE)])
    ended(house, "Ann", "Bob", game="minimax", scores=[-7, -9])
    refresh(house)
    found = of_game(house, "minimax")
    alone, pair = found["sizes"]
    assert (alone["seats"], alone["won"], alone["points"]) == (1, [], [-7, -7, -7])
    assert alone["spread"] == {"step": 1, "first": -7, "times": [1]}
    assert (pair["seats"], pair["spread"]["first"], pair["spread"]["times"]) == (2, -9, [1, 0, 1])
    # A minute is not within a minute: a bucket ends before the next begins.
    assert found["thinking"] == {"moves": 1, "seconds": [60, 60, 60], "within": [0, 1, 0, 0, 0, 0, 0]}
    assert [one["points"] for one in of_player(house, "Ann")["games"]] == [-7]
    assert of_player(house, "Ann")["games"][0] == {
        "game": "minimax", "matches": 2, "solo": 1, "won": 1, "shared": 0, "lost": 0, "undecided": 0, "points": -7
    }  # fmt: skip


def test_matches_that_nobody_played_to_the_end_have_no_lengths(house: House) -> None:
    ended(house, "Ann", "Bob", ending="timed_out", winners=[1])
    refresh(house)
    found = of_game(house)
    assert found["sizes"] == []
    assert found["thinking"] == {"moves": 0, "seconds": None, "within": [0] * 7}
    assert of_player(house, "Ann")["games"][0]["points"] is None
    assert of_game(house, "montauk") is None


def test_only_the_newest_count(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_statistics, "MAX_MATCHES", 2)
    monkeypatch.setattr(player_statistics, "MAX_MATCHES", 2)
    for days in (1, 2, 3):
        ended(house, "Ann", "Bob", scores=[days, 0], days=days)
    refresh(house)
    assert of_game(house)["sizes"][0]["seconds"][0] == 2.25 * SECONDS_PER_DAY
    assert of_player(house, "Ann")["matches"] == 2


def test_what_the_service_or_a_robot_played_took_nobody_any_time(house: House) -> None:
    ended(house, "Ann", "Bob", thought=[(1, 10), (1, 20), (2, 30)])
    with house.transaction() as ctx:
        ctx.session.execute(update(MoveTiming).where(MoveTiming.ply == 1).values(automatic_reason="forced"))
        ctx.session.execute(update(Player).where(Player.name == "Bob").values(**AS_ROBOT))
    refresh(house)
    assert of_game(house)["thinking"]["seconds"] == [20, 20, 20]
    assert of_player(house, "Ann")["thinking"] == {"moves": 1, "seconds": [20, 20, 20]}
    # Nobody reads a robot's own page.
    assert of_player(house, "Bob") is None


def test_a_player_is_told_of_private_matches_too(house: House) -> None:
    handful(house)
    refresh(house)
    assert of_player(house, "Ann") == {
        "matches": 7,
        "at_most": player_statistics.MAX_MATCHES,
        "games": [
            {
                "game": "martian-whist",
                "matches": 7,
                "solo": 0,
                "won": 2,
                "shared": 1,
                "lost": 2,
                "undecided": 2,
                "points": 26,
            }
        ],
        "opponents": [
            {"name": "Bob", "matches": 5, "won": 3, "theirs": 2},
            {"name": "Cyd", "matches": 2, "won": 0, "theirs": 1},
        ],
        "thinking": {"moves": 2, "seconds": [108022, 216015, 324008]},
    }


def test_a_seat_that_somebody_has_left_is_not_theirs_any_more(house: House) -> None:
    match_id = ended(house, "Ann", "Bob")
    with house.transaction() as ctx:
        theirs = SeatHolder.match_id == match_id, SeatHolder.name == "Ann"
        ctx.session.execute(update(SeatHolder).where(*theirs).values(left_at=ctx.now))
    refresh(house)
    assert of_player(house, "Ann") is None
    assert of_player(house, "Bob")["opponents"] == []


def test_only_what_has_changed_is_reckoned_anew(house: House) -> None:
    ended(house, "Ann", "Bob", game="montauk")
    later = NOON + timedelta(days=50)
    refresh(house, later)
    ended(house, "Ann", "Cyd", ended_at=later + timedelta(minutes=1))
    # This one was not seen when the figures were last reckoned: its transaction had not ended.
    ended(house, "Dee", ended_at=later - timedelta(minutes=1), game="minimax")
    with house.transaction(later) as ctx:
        statistics.mark_stale(ctx)
        stale = ctx.session.scalars(select(Statistic.subject).where(Statistic.is_stale)).all()
    named = {id_of(house, name): name for name in ("Ann", "Cyd", "Dee")}
    told = {named[int(one.removeprefix("player:"))] if one.startswith("player:") else one for one in stale}
    assert told == {"game:martian-whist", "game:minimax", "Ann", "Cyd", "Dee"}
    refresh(house, later)
    assert house.all(select(Statistic.subject).where(Statistic.is_stale)) == []
    assert of_player(house, "Ann")["matches"] == 2


def test_many_are_reckoned_in_several_transactions(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statistics, "BATCH_SIZE", 2)
    ended(house, "Ann", "Bob")
    with house.transaction() as ctx:
        statistics.mark_stale(ctx)
        assert statistics.recompute_batch(ctx)
        assert not statistics.recompute_batch(ctx)
    assert of_player(house, "Bob")["matches"] == 1


def test_whoever_leaves_is_in_no_figures_by_name(house: House) -> None:
    ended(house, "Ann", "Bob", scores=[1, 2], winners=[2])
    refresh(house)
    number = id_of(house, "Bob")
    assert of_player(house, "Bob")["matches"] == 1
    with house.transaction() as ctx:
        deletion.delete(ctx, ctx.session.get_one(Player, number))
    with house.transaction() as ctx:
        assert statistics.for_player(ctx, number) is None
    (other,) = of_player(house, "Ann")["opponents"]
    assert "Bob" not in other["name"]
    assert other["theirs"] == 1
    ended(house, "Ann", "Cyd")
    with house.transaction() as ctx:
        ctx.session.execute(update(Statistic).where(Statistic.subject == "watermark").values(computed_at=NOON))
    refresh(house)
    with house.transaction() as ctx:
        assert statistics.for_player(ctx, number) is None


def test_an_account_that_became_part_of_another_brings_its_figures_along(house: House) -> None:
    ended(house, "Ann", "Bob")
    ended(house, "Cyd", "Bob")
    refresh(house)
    number = id_of(house, "Cyd")
    with house.transaction() as ctx:
        merge.merge(ctx, ctx.session.get_one(Player, number), ctx.session.get_one(Player, id_of(house, "Ann")))
    with house.transaction() as ctx:
        assert statistics.for_player(ctx, number) is None
    refresh(house)
    assert of_player(house, "Ann")["matches"] == 2
    assert of_player(house, "Ann")["opponents"] == [{"name": "Bob", "matches": 2, "won": 2, "theirs": 0}]


def test_figures_are_among_what_somebody_takes_along(house: House) -> None:
    ended(house, "Ann", "Bob")
    with house.transaction() as ctx:
        assert data_export.build(ctx, id_of(house, "Ann"))["statistics"] is None
    refresh(house)
    with house.transaction() as ctx:
        taken = data_export.build(ctx, id_of(house, "Ann"))["statistics"]
    assert taken["opponents"] == [{"name": "Bob", "matches": 1, "won": 1, "theirs": 0}]


@pytest.mark.parametrize(
    ("least", "most", "step"), [(0, 0, 1), (0, 11, 1), (0, 12, 2), (5, 40, 5), (-30, 90, 20), (0, 9999, 1000)]
)
def test_points_are_counted_in_round_steps(least: int, most: int, step: int) -> None:
    assert game_statistics.bin_width(least, most) == step
    assert most // step - least // step < game_statistics.MAX_BINS


def test_a_match_that_is_not_over_is_no_reason_to_reckon(house: House) -> None:
    ended(house, "Ann", "Bob", state="running", result=None, ended_at=None)
    refresh(house)
    assert house.all(select(Statistic.subject)) == ["watermark"]
    assert house.all(select(Match.id))
