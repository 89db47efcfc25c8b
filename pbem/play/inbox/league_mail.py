"""Leagues by mail, to a match or to the service itself: the list, a table, entering and leaving."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.db.models import Address, Event
from pbem.i18n import _
from pbem.play.core.errors import Refused
from pbem.play.events import entries
from pbem.play.leagues import deal_texts, leaving, overview, season_tables, wording
from pbem.play.lobby import request_parser
from pbem.play.notifications import outbox
from pbem.play.submissions.sender_policy import unproven_text
from pbem.states import EventState

if TYPE_CHECKING:
    from pbem.db.models import Entrant, Player
    from pbem.play.core.context import Context
    from pbem.play.leagues.overview import League, Season
    from pbem.play.lobby.lobby_mail import MailSender

LEAGUES, LEAGUE, ENTER, LEAVE = "leagues", "league", "enter league", "leave league"
"""The commands."""
LIST, TABLE, ENTERED, REFUSED = "leagues", "league", "entered league", "not in league"
"""Mail kinds: the list, a table, what became of an entry, and a refusal. Leaving has the mail of the season."""
ASKED, STAYS_NO_MORE = "leave league?", "stays no more"
"""Mail kinds: the question when somebody leaves, and that they leave after the season."""
NOW, LATER = ("now", "jetzt"), ("later", "später")
"""Words for when to leave, in each language."""
MAX_ROWS = 60
"""Maximum rows of tables in a mail; the page has them all."""


def handle(ctx: Context, sender: MailSender, command: str, text: str) -> str:
    """Do what a command about leagues requests, and enqueue the answer; return why not, or an empty string."""
    player = sender.player or ctx.session.get_one(Address, sender.email).player
    if command == LEAGUES:
        _enqueue(ctx, sender, LIST, {"leagues": [_league_facts(one) for one in overview.leagues(ctx, player.id)]})
        return ""
    try:
        with ctx.session.begin_nested():
            league, rest = _find_league(ctx, player, text)
            if command == LEAGUE:
                _enqueue_table(ctx, sender, league, player)
            elif sender.player is None:
                raise Refused(unproven_text(player))  # noqa: TRY301 -- answered like all others
            elif command == ENTER:
                _enter(ctx, sender, league, player, rest)
            else:
                _leave(ctx, sender, league, player, rest)
    except Refused as refused:
        _enqueue(ctx, sender, REFUSED, {"reason": str(refused)})
        return str(refused)
    return ""


def _find_league(ctx: Context, player: Player, text: str) -> tuple[League, str]:
    """Find the league of a typed game; return it with the text after the name."""
    words = text.split()
    if not words:
        raise Refused(_("Write the name of a game after it, such as “league montauk”."))
    game, left = request_parser.parse_game(words)
    found = next((one for one in overview.leagues(ctx, player.id) if one.game == game.key), None)
    if found is None:
        raise Refused(_("There is no league of {game}.", game=game.name))
    return found, text.split(None, len(words) - len(left))[-1].strip() if left else ""


def _enter(ctx: Context, sender: MailSender, league: League, player: Player, text: str) -> None:
    """Enter the next season, or the waiting list of the one that was drawn; who is in has their text stored."""
    own = [one.event for one in (*league.current, league.upcoming) if one and one.has_entered]
    waiting = [event for event in own if text and deal_texts.takes_texts(ctx, event)]
    if waiting:
        event = waiting[0]
        entrant = deal_texts.store(ctx, event, player, text)
    else:
        event = _season_to_enter(ctx, league)
        entrant = entries.enter(ctx, event, player, player.name, text=text)
    waits = event.state != EventState.OPEN and entrant.grp is None
    _enqueue(ctx, sender, ENTERED, _event_facts(event) | {"typed": bool(text), "again": bool(waiting), "waits": waits})


def _leave(ctx: Context, sender: MailSender, league: League, player: Player, when: str) -> None:
    """Leave the season that a player is in; one that has their matches only once they have said when."""
    season = _own_season(league)
    has_matches = season.own is not None and season.own.grp is not None
    if has_matches and when.casefold() in LATER:
        leaving.stay_no_more(ctx, season.event, player.id)
        _enqueue(ctx, sender, STAYS_NO_MORE, _event_facts(season.event))
    elif has_matches and when.casefold() not in NOW:
        consequence = leaving.consequence(ctx, season.event, player.id)
        _enqueue(ctx, sender, ASKED, _event_facts(season.event) | {"consequence": consequence})
    else:
        leaving.leave(ctx, season.event, player.id)


def _season_to_enter(ctx: Context, league: League) -> Event:
    """Return the season for which an entry is meant: the drawn one while it has a waiting list, else the next."""
    wanted = [one.event for one in (*league.current, league.upcoming) if one and entries.takes_entries(ctx, one.event)]
    if not wanted:
        raise Refused(_("Entries are not open yet."))
    return wanted[0]


def _own_season(league: League) -> Season:
    """Return the season that a player leaves: the newest that is drawn or played, or else the next."""
    own = next((one for one in (*league.current, league.upcoming) if one and one.has_entered), None)
    if own is None:
        raise Refused(_("You have not entered."))
    return own


def _enqueue_table(ctx: Context, sender: MailSender, league: League, player: Player) -> None:
    """Enqueue the table of the reader's group, or of all groups, in the season that is played or was the last."""
    own_seasons = (one for one in league.current if one.has_entered)
    season = next(iter((*own_seasons, *league.current, *league.past)), None)
    if season is None:
        facts = _event_facts(league.upcoming.event) if league.upcoming else {"game": league.game}
        _enqueue(ctx, sender, TABLE, facts | {"groups": [], "more": False})
        return
    own = season.own.grp if season.own else None
    tables = season_tables.load(ctx, season.event, [own] if own else None)
    shown: list[dict[str, Any]] = []
    for table in tables:
        if sum(len(one["rows"]) for one in shown) + len(table.rows) <= MAX_ROWS:
            rows = [_row_facts(row, table.entrants[row.player], player) for row in table.rows]
            shown.append({"number": table.number, "rows": rows})
    facts = _event_facts(season.event) | {"groups": shown, "more": len(shown) < len(tables)}
    _enqueue(ctx, sender, TABLE, facts)


def _row_facts(row: Any, entrant: Entrant, player: Player) -> list[Any]:
    return [row.place, entrant.name, wording.points(row.points), row.meetings, row.player == player.id]


def _league_facts(league: League) -> dict[str, Any]:
    seasons = [_season_facts(one) for one in (*league.current, league.upcoming) if one]
    return {"game": league.game, "seasons": seasons}


def _season_facts(season: Season) -> dict[str, Any]:
    own = {"grp": season.own.grp} if season.own and season.has_entered else None
    return _event_facts(season.event) | {"entrants": season.entrants, "own": own}


def _event_facts(event: Event) -> dict[str, Any]:
    times = {name: at.isoformat() for name, at in (("draws", event.draws_at), ("begin", event.starts_at)) if at}
    return {"event": event.id, "game": event.game, "season": event.season, "state": event.state} | times


def _enqueue(ctx: Context, sender: MailSender, kind: str, facts: dict[str, Any]) -> None:
    player = sender.player or ctx.session.get_one(Address, sender.email).player
    facts = facts | {"name": sender.name, "language": sender.language, "zone": player.time_zone}
    once = f"{kind} {sender.email} {sender.message_id or ctx.now.isoformat()}"
    outbox.enqueue_mail(ctx, kind, sender.email, facts, once=once, answers=sender.message_id)
