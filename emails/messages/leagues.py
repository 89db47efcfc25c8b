"""Mails about leagues: a season begins, is put off or over, somebody has left it; the list, tables and entries."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from emails.content.blocks import BulletList, Button, Footnote, Heading, Links, TitledList
from emails.messages.invitations import option_sentences
from emails.messages.kinds import MessageKind
from emails.messages.shared import operator_reason
from pbem.games import GAMES
from pbem.i18n import _, current_locale, marked, several
from pbem.play.clocks import timeout_policies
from pbem.play.events import entries
from pbem.play.inbox import league_mail
from pbem.play.leagues import season_mails, wording
from pbem.play.matches import descriptions
from pbem.play.operators import event_actions
from pbem.states import EventState

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from emails.content.blocks import Block
    from emails.messages.context import MessageContext

_MOVEMENTS: Mapping[str, str] = {
    "up": marked("You go up a group."),
    "stays": marked("You stay in your group."),
    "down": marked("You go down a group."),
}


def _begins(reader: MessageContext) -> list[Block]:
    facts = reader.facts
    if facts.get("operated"):
        lead = _("The operator has exchanged you and {name} in {season}: you play in group {number} now.",
                 name=facts["instead_of"], season=_season(reader), number=facts["group"])  # fmt: skip
    elif facts["instead_of"]:
        lead = _("You take the place of {name} in {season}.", name=facts["instead_of"], season=_season(reader))
    else:
        lead = several(
            "Your season: one match, which begins on {day}.",
            "Your season: {number} matches, which begin on {day}.",
            len(facts["matches"]),
            day=reader.day("begin"),
        )
    begun = facts["begun"]
    return [
        lead,
        *operator_reason(reader),
        *([] if facts["instead_of"] else [_("This is {season}.", season=_season(reader))]),
        _("The matches have begun.") if begun else _("All your matches begin at the same time. We will mail you then."),
        *_matches(reader),
        *([] if begun else _texts(reader)),
        *_terms(reader),
        _page(reader),
        _how_to_leave(reader),
        *_commitments(reader),
    ]


def _restored(reader: MessageContext) -> list[Block]:
    lead = _(
        "The service was restored from a backup, and may have lost what happened since. You take part in {season}.",
        season=_season(reader),
    )
    shown = [*_matches(reader), *_commitments(reader)] if reader.facts["matches"] else []
    return [lead, *shown, _page(reader)]


def _put_off(reader: MessageContext) -> list[Block]:
    return [
        _("Too few people have entered {season}, so it does not begin yet.", season=_season(reader)),
        _("You stay entered. It is to begin on {day}.", day=reader.day("begin")),
        _page(reader),
        _how_to_leave(reader),
    ]


def _over(reader: MessageContext) -> list[Block]:
    facts = reader.facts
    lead = _(
        "Season {number} of the league of {game} is over. You have place {place} of your group.",
        number=facts["season"],
        game=reader.game,
        place=facts["place"],
    )
    rows = [
        (place, name, wording.points(points), met, name == facts["name"]) for place, name, points, met in facts["rows"]
    ]
    movement = [_(_MOVEMENTS[facts["movement"]])] if facts["movement"] else []
    if facts["begin"]:
        after = [_("You are entered in the next season. It begins on {day}.", day=reader.day("begin"))]
        after_links: list[Block] = [_how_to_leave(reader)]
    else:
        after, after_links = [_("To play the next season, enter it.")], []
    return [lead, _standings(_("The table of your group:"), rows), *movement, *after, _page(reader),
            *after_links]  # fmt: skip


def _left(reader: MessageContext) -> list[Block]:
    if reader.facts["reason"] == entries.ON_TIME:
        lead = _("You lost two matches on time, so you were withdrawn from {season}.", season=_season(reader))
        return [lead, _("You cannot enter the next season, but the one after it."), _page(reader)]
    lead = _("You have left {season}.", season=_season(reader))
    if reader.facts["reason"] == entries.REMOVED:
        lead = _("The operator has removed you from {season}.", season=_season(reader))
        return [lead, *operator_reason(reader), _page(reader)]
    if reader.facts["begun"] and not reader.facts["entered"]:
        seat = _("Your matches that were not over are resigned, or somebody else plays them.")
        return [lead, seat, _page(reader)]
    return [lead, _page(reader)]


def _result_annulled(reader: MessageContext) -> list[Block]:
    lead = _(
        "The operator has annulled the result of your match of {game}: it counts in no table of the league.",
        game=reader.game,
    )
    return [lead, *operator_reason(reader), Links(((_("The finished match"), reader.page),))]


def _list(reader: MessageContext) -> list[Block]:
    leagues = reader.facts["leagues"]
    if not leagues:
        return [_("There are no leagues yet.")]
    blocks: list[Block] = [_("These are the leagues. In each, small groups play all their matches at the same time.")]
    for one in leagues:
        blocks += [Heading(GAMES[one["game"]].name), *(_state(reader, season) for season in one["seasons"])]
    line = f"{reader.word(league_mail.ENTER)} {GAMES[leagues[0]['game']].key}"
    how = _("To enter a league, reply with a line such as “{line}”.", line=line)
    return [*blocks, how, Button(_("The leagues on a page"), f"{reader.config.base_url}/leagues")]


def _state(reader: MessageContext, season: Mapping[str, Any]) -> str:
    """Return how far a season is, and whether the reader takes part."""
    about = replace(reader, facts=season)
    number = season["season"]
    if season["state"] == EventState.OPEN:
        begin = _("Season {number} begins on {day}.", number=number, day=about.day("begin"))
        count = season["entrants"]
        people = several("One person has entered.", "{count} people have entered.", count)
        text = f"{begin} {people if count else _('Nobody has entered yet.')}"
    elif season["state"] == EventState.DRAWN:
        text = _("Season {number} is drawn and begins on {day}.", number=number, day=about.day("begin"))
    else:
        text = _("Season {number} has begun.", number=number)
    own = season["own"]
    if own is None:
        return text
    if own["grp"]:
        return f"{text} {_('You play in group {number}.', number=own['grp'])}"
    waits = season["state"] != EventState.OPEN
    return f"{text} {_('You are on its waiting list.') if waits else _('You have entered.')}"


def _table(reader: MessageContext) -> list[Block]:
    facts = reader.facts
    if not facts["groups"]:
        blocks: list[Block] = [_("The league of {game} has no table yet.", game=reader.game)]
        return [*blocks, Button(_("The leagues on a page"), f"{reader.config.base_url}/leagues")]
    lead = _("These are the standings in {season}.", season=_season(reader))
    groups = [_standings(_("Group {number}:", number=one["number"]), one["rows"]) for one in facts["groups"]]
    more = [_("There are more groups on the page.")] if facts["more"] else []
    return [lead, *groups, *more, _page(reader)]


def _entered(reader: MessageContext) -> list[Block]:
    facts = reader.facts
    typed = [_("Your text is part of the deals of your matches.")] if facts["typed"] else []
    if facts["again"]:
        return [_("You have entered {season}.", season=_season(reader)), *typed, _page(reader)]
    if facts["waits"]:
        lead = _("You are on the waiting list of {season}.", season=_season(reader))
        how = _(
            "You take the place of somebody who leaves in its first week. If nobody does, you play the next season."
        )
    else:
        lead = _("You have entered {season}. It begins on {day}.", season=_season(reader), day=reader.day("begin"))
        how = _(
            "Two days before, the groups are drawn, and we will mail you your matches. You are listed under your name."
        )
    stays = _("You stay entered for the seasons after it, until you leave.")
    return [lead, how, *typed, stays, _page(reader), _how_to_leave(reader)]


def _leave_when(reader: MessageContext) -> list[Block]:
    line = f"{reader.word(league_mail.LEAVE)} {reader.facts['game']}"
    at = 1 if current_locale() == "de" else 0
    now, later = f"{line} {league_mail.NOW[at]}", f"{line} {league_mail.LATER[at]}"
    return [
        _("You are playing {season}. When do you want to leave?", season=_season(reader)),
        BulletList((
            _("“{line}”: you play this season to its end, and not the next one.", line=later),
            _("“{line}”: you leave at once. {consequence}", line=now, consequence=reader.facts["consequence"]),
        )),
        _("Reply with one of these lines."),
        _page(reader),
    ]  # fmt: skip


def _stays_no_more(reader: MessageContext) -> list[Block]:
    lead = _("You play {season} to its end, and are not entered in the next one.", season=_season(reader))
    return [lead, _page(reader)]


def _refused(reader: MessageContext) -> list[Block]:
    return [reader.facts["reason"], Button(_("The leagues on a page"), f"{reader.config.base_url}/leagues")]


def _season(reader: MessageContext) -> str:
    return _("season {number} of the league of {game}", number=reader.facts["season"], game=reader.game)


def _page(reader: MessageContext) -> Button:
    return Button(_("The season on its page"), f"{reader.config.base_url}/leagues/{reader.facts['event']}")


def _standings(heading: str, rows: Sequence[Sequence[Any]]) -> TitledList:
    return TitledList(heading, tuple(map(_row, rows)), has_places=True)


def _row(row: Sequence[Any]) -> str:
    place, name, points, met, own = row
    if place is None:
        return _("{name} has left; their results do not count.", name=name)
    who = _("{name} (you)", name=name) if own else name
    return _("{place}. {name}: {points} of {count} points", place=place, name=who, points=points, count=met)


def _matches(reader: MessageContext) -> Iterator[Block]:
    if not reader.facts["matches"]:
        return
    lines = tuple(_match(one, number) for number, one in enumerate(reader.facts["matches"], 1))
    group = reader.facts["group"]
    yield TitledList(
        _("Your matches in group {number}, with the players in the order of their seats:", number=group), lines
    )
    base = f"{reader.config.base_url}/matches"
    pages = ((_("Match {number}", number=number), f"{base}/{one['match']}") for number, one in _numbered(reader))
    yield Links(tuple(pages))


def _numbered(reader: MessageContext) -> Iterator[tuple[int, Mapping[str, Any]]]:
    return enumerate(reader.facts["matches"], 1)


def _match(one: Mapping[str, Any], number: int) -> str:
    names = descriptions.mark_robots(one["names"], dict(one["robots"]))
    seated = descriptions.player_list([_("you") if seat == one["seat"] else name for seat, name in enumerate(names, 1)])
    if one["friendly"]:
        return _(
            "Match {number}: {names}. It has a robot, so it is friendly and does not count.",
            number=number,
            names=seated,
        )
    return _("Match {number}: {names}.", number=number, names=seated)


def _texts(reader: MessageContext) -> Iterator[Block]:
    """Return how to add a text to the deals, until the season begins."""
    if reader.facts["typed"]:
        yield _("The text that you typed is part of the deals.")
    line = f"{reader.word(league_mail.ENTER)} {reader.facts['game']} ..."
    how = _(
        "Until they begin, you can add a text to the deals: reply “{line}”, with your text for the dots.", line=line
    )
    yield how


def _terms(reader: MessageContext) -> Iterator[Block]:
    facts = reader.facts
    clock = timeout_policies.describe(facts["clock"], timeout_policies.LOSS)
    yield TitledList(_("How it is played:"), (*option_sentences(facts["game"], facts["options"]), clock))


def _commitments(reader: MessageContext) -> Iterator[Block]:
    lines = [
        _("Match {number}: {commitment}", number=number, commitment=one["commitment"])
        for number, one in _numbered(reader)
    ]
    if lines:
        yield Footnote((_("The commitments to the deals:"), *lines))


def _how_to_leave(reader: MessageContext) -> Block:
    address = quote(reader.config.service_address, safe="@+")
    line = f"{reader.word(league_mail.LEAVE)} {reader.facts['game']}"
    return Links(((_("To leave the league, write “{line}”", line=line), f"mailto:{address}?body={quote(line)}"),))


_kind = partial(MessageKind, is_unredacted=True)
_season_kind = partial(_kind, game_fact="game")
_season_answer = partial(_season_kind, is_answer=True)

KINDS = (
    _season_kind(season_mails.BEGINS, _begins, subject=marked("Your season")),
    _season_kind(season_mails.RESTORED, _restored, subject=marked("Your season")),
    _season_kind(season_mails.PUT_OFF, _put_off, subject=marked("The season is put off")),
    _season_kind(season_mails.OVER, _over, subject=marked("The season is over")),
    _season_kind(season_mails.LEFT, _left, subject=marked("You left a league")),
    MessageKind(
        event_actions.RESULT_ANNULLED,
        _result_annulled,
        subject=marked("Result annulled"),
        summary=marked("The operator has annulled the result of your match of {game}."),
    ),
    _kind(league_mail.LIST, _list, subject=marked("The leagues"), is_answer=True),
    _season_answer(league_mail.TABLE, _table, subject=marked("The table of the league")),
    _season_answer(league_mail.ENTERED, _entered, subject=marked("Your entry")),
    _season_answer(league_mail.ASKED, _leave_when, subject=marked("Your league")),
    _season_answer(league_mail.STAYS_NO_MORE, _stays_no_more, subject=marked("Your league")),
    _kind(league_mail.REFUSED, _refused, subject=marked("Your league"), is_answer=True),
)
