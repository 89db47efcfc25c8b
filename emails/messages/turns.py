"""Mails about the course of a match: your turn, your move was played, the match began, the match is over."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from emails.content import game_rules
from emails.content.blocks import Button, Footnote, Links
from emails.messages.invitations import match_details, practice_note
from emails.messages.kinds import Files, MessageKind
from emails.messages.offers import takeback_sentence
from emails.messages.par import par
from emails.messages.shared import (
    automatic_move_note,
    board,
    deal_contribution,
    news,
    operator_reason,
    other_match,
    position,
    week_note,
    your_turn,
)
from emails.messages.subjects import match_title, with_match
from emails.messages.timeouts import seat_sentence
from pbem.i18n import _, marked
from pbem.play.events import titles
from pbem.play.matches import descriptions
from pbem.states import EventKind
from pbem.time_format import format_day, format_moment

if TYPE_CHECKING:
    from emails.content.blocks import Block
    from emails.messages.context import MessageContext


def _turn(reader: MessageContext) -> list[Block]:
    lead, *rest = _turn_blocks(reader)
    return [lead, *_event(reader), *rest]


def _event(reader: MessageContext) -> list[Block]:
    """Name the event of a match, and the group there."""
    if "event" not in reader.facts:
        return []
    kind, game, season, group, _number = reader.facts["event"]
    return [titles.place(titles.title(kind, game, season), group)]


def _turn_blocks(reader: MessageContext) -> list[Block]:
    if "former" in reader.facts:
        return [f"{seat_sentence(reader)} {_('It is your turn.')}", *your_turn(reader)]
    if reader.facts.get("starts"):
        lead = _("Your match of {match} has begun. It is your turn.", match=match_title(reader))
        return [
            lead,
            *practice_note(reader),
            *week_note(reader),
            *your_turn(reader),
            *_first_details(reader),
            *([] if week_note(reader) else deal_contribution(reader)),
        ]
    if reader.facts.get("played"):
        return [_played_lead(reader), *your_turn(reader)]
    if took := reader.facts.get("taken_back"):
        return [f"{takeback_sentence(took, reader.facts['seat'])} {_('It is your turn.')}", *your_turn(reader)]
    # Inboxes show the first sentence: the last action of another player, which is public.
    news = reader.facts["news"]
    others = [entry for entry in news if entry["seat"] != reader.facts["seat"]]
    last = descriptions.log_sentences(reader.facts["game"], others[-1:], reader.names, reader.facts["seat"])
    lead = f"{_('It is your turn.')} {last[0]}" if last else _("It is your turn in {game}.", game=reader.game)
    again = len(news) == len(last)
    return [lead, *your_turn(replace(reader, facts={**reader.facts, "news": [] if again else news}))]


def _played_lead(reader: MessageContext) -> str:
    """Return the first sentence of a mail that is both a receipt and about the next turn."""
    others = [entry["seat"] for entry in reader.facts["news"] if entry["seat"] not in {None, reader.facts["seat"]}]
    if not others:
        return _("Your move was played, and it is your turn again.")
    return _("{name} has replied to your move. It is your turn.", name=reader.names[others[-1] - 1])


def _first_details(reader: MessageContext) -> list[Block]:
    """Describe a match in the first mail about it, to a player who got no invitation."""
    return [Footnote(tuple(details))] if reader.facts.get("first") and (details := match_details(reader)) else []


def _receipt(reader: MessageContext) -> list[Block]:
    # The move may be secret, so it is not in the first sentence, which inboxes show.
    lead = _("Your move was played. {turn}", turn=descriptions.turn(reader.view, reader.names, reader.facts["seat"]))
    return [
        lead,
        _("You played: {move}.", move=reader.facts["played"]),
        *automatic_move_note(reader),
        *position(reader),
    ]


def _begun(reader: MessageContext) -> list[Block]:
    lead = _(
        "Your match of {game} has begun. {first} moves first; we will mail you when it is your turn.",
        game=reader.game,
        first=reader.to_move,
    )
    details = [*_first_details(reader), *deal_contribution(reader)]
    return [lead, *practice_note(reader), *automatic_move_note(reader), *position(reader), *details]


def _final(reader: MessageContext) -> list[Block]:
    result, facts = reader.facts["result"], reader.facts
    return [
        f"{descriptions.ending(result, reader.names, facts['seat'])} {_('Thank you for playing.')}",
        *([_("Your plan resigned for you: its condition was met.")] if facts.get("planned") else []),
        *_event(reader),
        *_called_off(reader),
        *_left_lying(reader),
        *_rating(reader),
        *par(reader),
        *news(reader),
        board(reader),
        *other_match(reader),
        *([] if facts.get("practice") else _rematch_offer(reader)),
        *_withheld(reader),
        Links(_final_pages(reader)),
        *game_rules.designer_credit(facts["game"]),
    ]


def _withheld(reader: MessageContext) -> list[Block]:
    """Return why others cannot see the match yet, or why there is no record of it yet."""
    withheld = reader.facts.get("withheld")
    if not withheld:
        return []
    if not withheld["table"]:
        return [_("The record is there once the other match of this deal is over, too.")]
    if withheld.get("week"):
        day = format_day(datetime.fromisoformat(withheld["until"]), "UTC")
        return [_("Others still play the wheel of the week. Its table is there on {day}, and comes by mail.", day=day)]
    if withheld["until"] is None:
        return [_("Others still play this deal. Until all of them are done, only your table sees this match.")]
    day = format_moment(datetime.fromisoformat(withheld["until"]), reader.zone)
    return [_("Others still play this deal. Until all are done, by {day}, only your table sees this match.", day=day)]


def _final_pages(reader: MessageContext) -> tuple[tuple[str, str], ...]:
    withheld = reader.facts.get("withheld")
    is_closed, has_record = withheld and withheld["table"], not (withheld or reader.facts.get("practice"))
    return (
        (_("The finished match"), reader.own_page if is_closed else reader.page),
        (_("The match step by step"), f"{reader.turn_page}/replay" if is_closed else reader.replay_page),
        *(((_("Its record, to keep and to check"), reader.record_page),) if has_record else ()),
        *_season_page(reader),
        (_("The rules of {game}", game=reader.game), reader.rules_page),
    )


def _season_page(reader: MessageContext) -> tuple[tuple[str, str], ...]:
    """Return the link to the table of a league's season, to which a match counts."""
    if "event" not in reader.facts:
        return ()
    kind, *_place, number = reader.facts["event"]
    page = f"{reader.config.base_url}/leagues/{number}"
    return ((_("The table of the season"), page),) if kind == EventKind.LEAGUE else ()


def _final_subject(reader: MessageContext) -> str:
    winners = reader.facts["result"]["winners"]
    if winners == [reader.facts["seat"]]:
        return with_match(_("Game over, you won"), reader)
    if len(winners) == 1:
        return with_match(_("Game over, {name} won", name=reader.names[winners[0] - 1]), reader)
    return with_match(_("Game over, a draw") if winners else _("Game over"), reader)


def _called_off(reader: MessageContext) -> list[Block]:
    if not reader.facts.get("operated"):
        return []
    return [_("The operator has called it off; it does not count."), *operator_reason(reader)]


def _left_lying(reader: MessageContext) -> list[Block]:
    days = reader.facts.get("idle_days")
    if days is None:
        return []
    return [_("Nobody has moved for {days} days. You can play on from any of its steps.", days=days)]


def _rating(reader: MessageContext) -> list[Block]:
    """Return what a rated match did to the reader's rating, or where it will stand."""
    if "rating" not in reader.facts:
        return []
    if reader.facts["rating"] is None:
        page = f"{reader.config.base_url}/me/ratings"
        return [Links(((_("What it does to your rating stands here in a minute"), page),))]
    before, after = reader.facts["rating"]
    return [_("Your rating in {game}: {before} → {after}.", game=reader.game, before=before, after=after)]


def _rematch_offer(reader: MessageContext) -> list[Block]:
    """Offer a rematch, by a reply or on the turn page."""
    word = reader.word("rematch")
    if reader.has_opponents:
        how = _("Play again? Reply “{word}”: same players, same options, and the seats rotate.", word=word)
        return [how, Button(_("Ask for a rematch"), reader.turn_page)]
    return [_("Play again? Reply “{word}”.", word=word), Button(_("Play again"), reader.turn_page)]


KINDS = (
    MessageKind(
        "turn", _turn, subject=marked("Your turn"), summary=marked("It is your turn in {game}."), is_previewed=True
    ),
    MessageKind(
        "receipt",
        _receipt,
        subject=marked("Move played"),
        summary=marked("Your move in {game} was played."),
        is_previewed=True,
        is_answer=True,
    ),
    MessageKind(
        "begun",
        _begun,
        subject=marked("The match has begun"),
        summary=marked("Your match of {game} has begun. We will mail you when it is your turn."),
        is_previewed=True,
    ),
    MessageKind(
        "final",
        _final,
        subject=marked("Game over"),
        build_subject=_final_subject,
        summary=marked("Your match of {game} is over. Thank you for playing."),
        is_previewed=True,
        is_pictured=True,
        has_full_proof=True,
        files=Files.RECORD,
    ),
)
