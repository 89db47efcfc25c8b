"""The lobby by mail: the tables that wait as a letter, and sitting down at one by answering it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from pbem.boards.prose import series
from pbem.db.models import Match
from pbem.play import joining, links, lobby, matches, notices, people
from pbem.words import _

if TYPE_CHECKING:
    from pbem.db.models import Player
    from pbem.play.lobby import OpenTable
    from pbem.play.table import Table

TABLES, ASKED, REFUSED, HELP = "lobby", "join?", "not joined", "service help"
"""The kinds of mail about no seat that answer somebody: what waits, whether they want to join, why not, what else."""


@dataclass(frozen=True, slots=True)
class Asker:
    """Who wrote: where the answer goes, how they are called, in which language, and the mail that is answered.

    `player` is who they are, where the mail shows it; else they must show first that the address is theirs.
    """

    email: str
    name: str
    language: str
    message_id: str | None
    player: Player | None = None


def tell(table: Table, asker: Asker) -> None:
    """Owe somebody the list of tables that wait."""
    page = lobby.page(table, lobby.Wanted(), most=lobby.MAILED)
    _owe(table, asker, TABLES, {"tables": _listed(page.tables), "more": page.after is not None})


def explain(table: Table, asker: Asker) -> None:
    """Owe somebody the words that the service's own address understands."""
    _owe(table, asker, HELP, {})


def join(table: Table, asker: Asker, typed: str) -> str:
    """Seat whoever asks for a table by its first letters; gives why not, or "".

    What stands behind the letters is a text for the deal. Somebody whose address nobody has shown to be theirs is
    asked by a mail to it, and nothing else happens.
    """
    code, text = [*typed.split(None, 1), "", ""][:2]
    code = code.strip("<>,.;:“”\"'")
    try:
        match = _meant(table, asker, code)
        proven = "-" in code and lobby.proves(table.config, code, match.id, asker.email)
        if asker.player is None and not proven:
            _still_open(match)
            _owe(table, asker, ASKED, {"table": match.id, "email": asker.email, **_about(table, match)})
            return ""
        player = asker.player or people.players_at(table, {asker.email: asker.name})[asker.email]
        people.confirm(table, asker.email)
        with table.session.begin_nested():
            joining.sit(table, match, player, text, asker.message_id)
    except matches.MatchError as refused:
        page = lobby.page(table, lobby.Wanted(), most=3)
        _owe(table, asker, REFUSED, {"reason": str(refused), "tables": _listed(page.tables)})
        return str(refused)
    return ""


def _meant(table: Table, asker: Asker, code: str) -> Match:
    """Find the table that somebody names: by its first letters, by what a mail to them holds, by an invitation."""
    if "-" in code:
        match = lobby.invited_to(table, code)
        named = code.lower().translate(links.CONFUSED).partition("-")[0]
        if match is None and lobby.proves(table.config, code, named, asker.email):
            match = table.session.get(Match, named)
        found = [match] if match else []
    else:
        found = lobby.called(table, code)
    if not found:
        raise matches.MatchError("", _("There is no table called “{code}”.", code=code[: lobby.LONGEST]))
    if len(found) > 1 and found[1].state == "inviting":
        raise matches.MatchError(
            "", _("More than one table is called “{code}”: write some more of its letters.", code=code)
        )
    newer = joining.successor(table, found[0])
    return newer if newer and newer.public else found[0]


def _still_open(match: Match) -> None:
    if match.state != "inviting" or not match.open_seats:
        raise matches.MatchError("", _("All seats of this table are taken, or it waits no longer."))


def _about(table: Table, match: Match) -> dict[str, Any]:
    seated = [holder.name for holder in matches.holders(table, match)]
    return {
        "game": match.game,
        "others": series(seated),
        "size": len(match.seats),
        "options": match.options,
        "clock": match.clock,
        "on_time": match.on_time,
        "reliable": match.reliable,
    }


def _listed(tables: tuple[OpenTable, ...]) -> list[dict[str, Any]]:
    return [
        {
            "match": one.match,
            "code": code,
            "game": one.game,
            "options": dict(one.options),
            "clock": one.clock,
            "on_time": one.on_time,
            "reliable": one.reliable,
            "rated": one.rated,
            "seated": one.seated,
            "standings": [[name, asdict(own)] for name, own in one.standings],
            "size": len(one.names),
        }
        for one, code in zip(tables, lobby.codes(tables), strict=True)
    ]


def _owe(table: Table, asker: Asker, kind: str, facts: dict[str, Any]) -> None:
    about = {"name": asker.name, "language": asker.language}
    once = f"{kind} {asker.email} {asker.message_id or table.now.isoformat()}"
    notices.owe_mail(table, kind, asker.email, facts | about, once=once, answers=asker.message_id)
