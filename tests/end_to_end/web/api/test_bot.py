"""The example of a bot plays all five games by the API alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.live_service import address, until
from tests.support.play.accounts.live_programs import key_at
from tests.support.web.api.bots import BOT, GAMES, bot_at, call

if TYPE_CHECKING:
    from tests.support.live_service import LiveService

MAX_LINES = 80
SHORT = {"montauk": {"rounds": 1}}
EASY = {"bot": True, "level": "easy"}


def test_the_bot_plays_a_whole_match_of_each_game(live_service: LiveService) -> None:
    key = key_at(live_service, "Robin")
    fewest = {game["key"]: game["seats"][0] for game in call(live_service, key, "/api/games")}
    own = {"name": "Robin", "email": address("Robin")}
    with bot_at(live_service, key, "minimax") as bot:
        for game in GAMES:
            if game != "minimax":
                seats = [own, *[EASY] * (fewest[game] - 1)]
                call(live_service, key, "/api/matches", {"game": game, "seats": seats, "options": SHORT.get(game, {})})
        endings = bot.endings(len(GAMES))
    assert sorted(ending.game for ending in endings) == sorted(GAMES)
    assert {ending.outcome["ending"] for ending in endings} == {"finished"}
    matches = call(live_service, key, "/api/me/matches")
    assert [match["state"] for match in matches] == ["over"] * len(GAMES)


def test_the_bot_accepts_an_invitation_and_goes_on_where_it_was(live_service: LiveService) -> None:
    host, guest = key_at(live_service, "Hester"), key_at(live_service, "Gus")
    seats = [{"name": name, "email": address(name)} for name in ("Hester", "Gus")]
    with bot_at(live_service, guest):
        match = call(live_service, host, "/api/matches", {"game": "martian-whist", "seats": seats})["id"]
        path = f"/api/me/matches/{match}"
        until(lambda: call(live_service, guest, path)["ply"] and call(live_service, host, path)["moves"])
    view = call(live_service, host, path)
    call(live_service, host, f"{path}/moves", {"ply": view["ply"], "move": view["moves"][0]})
    with bot_at(live_service, guest):
        until(lambda: call(live_service, host, path)["ply"] > view["ply"] + 1)


def test_the_bot_is_short() -> None:
    assert len(BOT.read_text().splitlines()) <= MAX_LINES
