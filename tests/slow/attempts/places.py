"""All that can be asked of the service: its pages and calls, with what is really there put into their addresses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.slow.attempts.houses import token_of
from tests.support.live_service import text_of

if TYPE_CHECKING:
    from tests.slow.attempts.houses import House, Player, Table
    from tests.slow.attempts.visitors import Visitor

PAGES = (
    "/", "/api/games", "/api/games/minimax/statistics", "/api/matches/{match}", "/api/matches/{match}/record",
    "/api/me", "/api/me/absences", "/api/me/matches", "/api/me/matches/{match}", "/api/openapi.json", "/api/lobby",
    "/api/me/matches/{match}/chat", "/api/me/matches/{match}/offers", "/api/seats/{token}/chat",
    "/api/me/matches/{match}/plan", "/api/me/matches/{match}/votes", "/api/seats/{token}", "/api/seats/{token}/offers",
    "/api/seats/{token}/plan", "/api/seats/{token}/votes", "/api/sought", "/api/submissions/{submission}",
    "/boards.css", "/fairness", "/healthz", "/invitation/{waiting}", "/invitation/{waiting}/decline", "/join/{lobby}",
    "/left", "/lobby", "/m/{token}", "/m/{token}?move={move}", "/m/{token}?chosen={move}",
    "/m/{token}?sent={submission}", "/m/{token}/agreements", "/m/{token}/mail", "/m/{token}/name", "/m/{token}/plan",
    "/m/{token}/replay", "/m/{token}/replay/step", "/m/{token}/report", "/m/{token}/resign", "/m/{token}/talk",
    "/m/{token}/vote", "/m/{token}/why", "/made/{match}", "/mail/{token}", "/seat/{token}", "/matches",
    "/matches/{match}", "/matches/{match}/animation.png", "/matches/{match}/embed", "/matches/{match}/fork",
    "/matches/{match}/host", "/matches/{match}/live", "/matches/{match}/picture.png", "/matches/{match}/poster.png",
    "/matches/{match}/record.txt", "/matches/{match}/replay", "/matches/{match}/replay.html",
    "/matches/{match}/replay/step", "/matches/{match}/seats/1", "/matches/{match}/vote", "/me", "/me/addresses",
    "/me/browsers", "/me/keys", "/me/leave", "/me/leave/asked", "/me/look", "/me/mail", "/me/passkeys", "/me/ratings",
    "/me/statistics", "/me/time", "/metrics", "/mine", "/mine/{match}", "/mine/{match}/webhooks", "/new/minimax",
    "/oembed?url={url}/matches/{match}", "/operators/", "/operators/audit", "/operators/enter", "/operators/letters",
    "/operators/mails", "/operators/matches", "/operators/people", "/operators/rating-pairs", "/operators/reports",
    "/operators/search?q=ann", "/operators/submissions", "/readyz", "/record.schema.json", "/records", "/rules",
    "/rules/minimax", "/rules/minimax/poster.png", "/seats", "/sign-in", "/sign-in/mailed", "/sign-in/{signed}",
    "/statistics", "/statistics/minimax", "/status", "/table/{waiting}", "/unsubscribe/{leaving}", "/viewer.html",
    "/welcome", "/feed/{feed}.atom", "/calendar/{feed}.ics", "/leave/{signed}", "/named/{signed}", "/back/{signed}",
    "/confirm/{signed}", "/address/{signed}", "/me/deals", "/api/me/deals", "/matches/{match}/par", "/m/{token}/par",
    "/me/plays", "/api/me/plays",
    "/api/matches/{match}/par", "/matches/{match}/replay/look-back", "/matches/{match}/replay/look-back/1",
    "/m/{token}/replay/look-back", "/m/{token}/replay/look-back/1", "/api/matches/{match}/lookback", "/leagues",
    "/leagues/feed", "/leagues/1", "/leagues/1/feed", "/leagues/1/leave", "/api/events", "/api/events/1",
    "/api/me/events", "/api/me/stream", "/api/me/stream/poll", "/api/sets", "/api/sets/x", "/sets", "/sets/feed",
    "/sets/x", "/fields/1", "/fields/1/leave",
    "/weekly", "/weekly/1", "/weekly/archive", "/weekly/feed", "/weekly/stop/{signed}", "/api/weekly", "/api/weekly/1",
    "/ladders", "/ladders/martian-whist", "/ladders/martian-whist/feed", "/learn", "/learn/montauk", "/learn/montauk/1",
    "/ladders/martian-whist/leave", "/ladders/martian-whist/challenge?name=1", "/challenges/{signed}", "/api/ladders",
    "/api/ladders/martian-whist", "/m/{token}/notes", "/me/notes", "/api/me/matches/{match}/notes",
    "/m/{token}/line?move={move}", "/m/{token}/lines", "/api/me/matches/{match}/lines",
    "/me/bot",
    "/me/devices", "/manifest.webmanifest", "/app-icon-192.png", "/service-worker.js", "/offline",
)  # fmt: skip
"""What can be opened."""
POSTED = (
    "/weekly", "/weekly/1", "/weekly/mail", "/weekly/stop/{signed}", "/api/weekly/entries",
    "/api/matches", "/api/matches/{match}/fork", "/api/matches/{match}/seats/1", "/api/me/absences",
    "/api/me/matches/{match}/back", "/api/me/matches/{match}/moves", "/api/seats/{token}/moves",
    "/api/lobby/{lobby}/join", "/api/lobby/seat", "/lobby/seat", "/api/me/matches/{match}/accept",
    "/api/me/matches/{match}/chat",
    "/api/me/matches/{match}/offers", "/api/me/matches/{match}/rematch", "/api/seats/{token}/chat",
    "/api/seats/{token}/rematch",
    "/api/seats/{token}/offers", "/back/{signed}", "/confirm/{signed}", "/address/{signed}", "/incoming/raw",
    "/incoming/mailgun", "/incoming/postmark", "/incoming/sendgrid", "/incoming/ses", "/invitation/{waiting}",
    "/invitation/{waiting}/decline", "/join/{lobby}", "/language", "/leave/{signed}", "/m/{token}",
    "/m/{token}/address", "/m/{token}/again",
    "/m/{token}/agreements", "/m/{token}/fresh", "/m/{token}/mail", "/m/{token}/name", "/m/{token}/nudge",
    "/m/{token}/plan", "/m/{token}/rematch", "/m/{token}/replay/comment", "/m/{token}/report", "/m/{token}/resign",
    "/m/{token}/talk", "/m/{token}/undo", "/m/{token}/vote", "/matches/{match}/fork", "/matches/{match}/rematch",
    "/matches/{match}/replay/comment", "/matches/{match}/seats/1", "/me", "/me/addresses", "/me/browsers", "/me/keys",
    "/me/keys/end", "/me/leave", "/me/leave/everything", "/me/links", "/me/look", "/me/mail", "/me/passkeys",
    "/me/passkeys/options", "/me/ratings", "/me/time", "/me/time/away", "/me/time/back", "/me/time/zone", "/mine/feeds",
    "/mine/{match}/back", "/mine/{match}/webhooks", "/named/{signed}", "/new/minimax", "/operators/act/ban",
    "/operators/enter", "/operators/leave", "/operators/second-factor", "/play/minimax", "/sign-in",
    "/sign-in/passkey", "/sign-in/passkey/options", "/sign-in/{signed}", "/sign-in/{signed}/again", "/sign-out",
    "/table/{waiting}", "/unsubscribe/{leaving}", "/welcome", "/matches/{match}/par", "/m/{token}/par",
    "/api/matches/{match}/par", "/matches/{match}/replay/look-back", "/m/{token}/replay/look-back",
    "/api/matches/{match}/lookback", "/leagues/1", "/leagues/1/text", "/leagues/1/leave", "/api/events/1/entries",
    "/fields/1", "/fields/1/leave", "/learn/montauk/1",
    "/ladders/martian-whist", "/ladders/martian-whist/leave", "/ladders/martian-whist/challenge",
    "/ladders/martian-whist/challenges/1/accept", "/challenges/{signed}", "/api/ladders/martian-whist/entries",
    "/api/ladders/martian-whist/challenges", "/api/ladders/martian-whist/challenges/1/accept",
    "/m/{token}/notes", "/me/notes", "/me/bot", "/api/me/bot",
    "/m/{token}/notes", "/me/notes", "/me/devices",
    "/m/{token}/line", "/m/{token}/lines", "/api/me/matches/{match}/lines",
)  # fmt: skip
"""What forms and programs are sent to."""
CALLED = (
    ("PUT", "/api/seats/{token}/plan"), ("DELETE", "/api/seats/{token}/plan"), ("PUT", "/api/seats/{token}/votes"),
    ("DELETE", "/api/submissions/{submission}"), ("DELETE", "/api/me/absences/1"),
    ("DELETE", "/api/events/1/entries"), ("DELETE", "/api/ladders/martian-whist/entries"),
    ("PUT", "/api/me/matches/{match}/notes"), ("DELETE", "/api/me/matches/{match}/lines/1"),
)  # fmt: skip


@dataclass(frozen=True)
class Places:
    """A running match and one that waits, of somebody who is signed in, and all names that addresses hold."""

    table: Table
    owner: Player
    browser: Visitor
    names: dict[str, str]

    def path(self, form: str) -> str:
        return form.format(**self.names)

    def settled(self) -> list[object]:
        """Gather the same once all is done that may have begun."""
        self.table.house.settle()
        return self.state()

    def state(self) -> list[object]:
        """Gather what tells whether anything has changed: the table, the mails, and the player's own things."""
        own = [self.browser.get(path).json for path in ("/api/me", "/api/me/absences", "/api/me/matches")]
        waiting = self.table.house.anybody.get(self.path("/api/matches/{lobby}")).json
        return [self.table.state(), waiting, own, len(self.owner.mails)]


def places_of(house: House, game: str = "martian-whist") -> Places:
    """Begin a match and leave another one waiting; its maker is signed in and has feeds."""
    table = house.table(game, "Ann", "Bob", clock="3 days")
    owner = table.players[0]
    browser = house.signed_in(owner)
    seats = [{"name": owner.name, "email": owner.address}, {"name": "Cyd", "email": "cyd@late.example.org"}]
    made = browser.send("/api/matches", {"game": game, "options": {}, "seats": [*seats[:1], {"open": True}]})
    assert made.status == 201, made.text
    waits = browser.send("/api/matches", {"game": game, "options": {}, "seats": seats})
    assert waits.status == 201, waits.text
    house.settle()
    feeds = browser.press(browser.open("/mine"), "Create private links")
    feed = feeds.text.partition("/feed/")[2].partition(".atom")[0]
    asked = house.visitor()
    known = len(owner.about("/sign-in/"))
    asked.press(asked.open("/sign-in"), "Mail me a link", email=owner.address)
    turn = table.turn(owner)
    view = table.seen_by(turn)
    wrong = house.anybody.send(f"/api/seats/{token_of(turn)}/moves", {"ply": view["ply"], "move": "nothing"})
    signed = house.sign_in_link(owner, known).removeprefix("/sign-in/")
    leaving = text_of(turn).partition("/unsubscribe/")[2][:26]
    names = {
        "match": table.match,
        "token": token_of(turn),
        "move": view["moves"][0].replace(" ", "+"),
        "submission": wrong.json["submission"],
        "waiting": token_of(house.mails("cyd@late.example.org")[-1]),
        "lobby": made.json["id"],
        "url": f"{'https' if house.others else 'http'}://{house.host}",
        "signed": signed,
        "leaving": leaving,
        "feed": feed,
    }
    house.settle()
    return Places(table, owner, browser, names)
