"""Mails about a match that has not begun."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from emails.content.blocks import Button, Footnote, Links, Picture
from emails.messages.kinds import MessageKind
from emails.messages.shared import deal_contribution, operator_reason, shuffle_part, week_note
from emails.messages.subjects import with_match
from pbem.boards import drawing_for
from pbem.boards.prose import series
from pbem.boards.rules import rules_for, translated
from pbem.i18n import _, marked, several
from pbem.play.clocks import match_lengths, time_controls, timeout_policies
from pbem.play.lobby import open_tables
from pbem.play.matches import descriptions
from pbem.play.players import bots, reliability
from pbem.play.players.reliability import Reliability
from pbem.play.ratings import wording as rating_wording

if TYPE_CHECKING:
    from collections.abc import Mapping

    from emails.content.blocks import Block
    from emails.messages.context import MessageContext


def _invitation(reader: MessageContext) -> list[Block]:
    facts = reader.facts
    details = _terms(reader)
    default = _("If you add none, we use this: {entropy}", entropy=facts["entropy"])
    if facts.get("made") is True:
        return _seat_opened(reader, details) if facts.get("vacated") else _match_created(reader, details)
    if facts.get("joined"):
        return _seat_joined(reader, details)
    if facts.get("stays"):
        return _match_redealt(reader, [*details, default])
    invited = reader.has_opponents and not facts["creator"]
    words = facts.get("words")
    fair = _(
        "A fair deal: after “accept” you can add any text. The server cannot have chosen the deal if at least one "
        "player not in league with it added text that the server did not make."
    )
    return [
        _invitation_lead(reader),
        *(_invitation_replaced(reader) if facts.get("vacated") else []),
        *pair_note(reader),
        *(week := week_note(reader)),
        *([_("{name} writes: “{text}”", name=facts["inviter"], text=words)] if words else []),
        *(_game_preview(reader) if invited else []),
        how_it_is_played(),
        *practice_note(reader),
        *_match_length(reader),
        *(_inviter_reliability(reader) if invited else []),
        Button(_("Accept"), reader.invitation_page),
        _("Or just reply “yes” or “no”, alone on the first line."),
        *(_decline_links(reader) if invited else []),
        # The deal of a week is made already, and nobody can watch.
        Footnote(tuple(details) if week else (*details, *_visibility(reader), fair, default)),
    ]


def match_details(reader: MessageContext) -> list[str]:
    """Describe a match to its host: how long it takes, and its terms."""
    return [*_match_length(reader), *_terms(reader)]


def _terms(reader: MessageContext) -> list[str]:
    facts = reader.facts
    return [*option_sentences(facts["game"], facts["options"]), *_clock(reader), *bot_sentences(facts)]


def how_it_is_played() -> str:
    """Return what somebody who may be new here needs to know first."""
    return _(
        "You play by mail, slowly: when it is your turn you get a mail, and reply with your move. "
        "No account, no password, no costs."
    )


def option_sentences(game: str, options: Mapping[str, Any]) -> list[str]:
    """Describe each option of a match and its value."""
    pairs = (
        (descriptions.option_question(game, name), descriptions.option_value(game, name, value))
        for name, value in options.items()
    )
    return [f"{asked} {chosen}." if asked.endswith("?") else f"{asked}: {chosen}." for asked, chosen in pairs]


def _visibility(reader: MessageContext) -> list[str]:
    """Return what it means for an invitee that a match is public."""
    if reader.facts.get("rated"):
        return [_("The match is public: anybody can watch it."), rating_wording.rated_sentence(), *_chances(reader)]
    return [_("The match is public: anybody can watch it.")] if reader.facts.get("watched") else []


def _chances(reader: MessageContext) -> list[str]:
    """Return who is likelier to win by the ratings of two players, if both have one."""
    known = reader.facts.get("chances")
    return [rating_wording.chances_sentence(*known)] if known else []


def practice_note(reader: MessageContext) -> list[str]:
    """Explain that a match for practice continues from a position of another one."""
    lead = _("It is for practice: it begins with a position of a finished match, and does not count.")
    return [lead] if reader.facts.get("practice") else []


def pair_note(reader: MessageContext) -> list[str]:
    """Explain that an invitation is to two matches of one deal."""
    pair = reader.facts.get("pair")
    if not pair:
        return []
    both = {"there": reader.facts["match"], "back": pair["other"]}
    return [
        _(
            "There and back: these are two matches of the same deal, {there} and {back}, with the seats exchanged. "
            "One answer counts for both, and both begin together.",
            **both,
        )
    ]


def _game_preview(reader: MessageContext) -> list[Block]:
    """Show the game in play, and describe it in two sentences."""
    game = reader.facts["game"]
    rules, alt = rules_for(game), _("A picture of {game}, as others play it.", game=reader.game)
    picture = [
        Picture(partial(drawing_for(game).svg, example.board, example.names, example.you, described=False), alt)
        for example in rules.examples[:1]
    ]
    return [*picture, *([translated(rules).lead] if rules.lead else [])]


def _match_length(reader: MessageContext) -> list[str]:
    """Estimate the length of the match, if it has been measured."""
    facts = reader.facts
    clock = facts.get("clock", time_controls.UNLIMITED)
    long = match_lengths.describe(facts["game"], len(reader.names), facts["options"], clock)
    return [_("It takes {long}.", long=long)] if long else []


def _clock(reader: MessageContext) -> list[str]:
    clock = reader.facts.get("clock", time_controls.UNLIMITED)
    return [] if clock == time_controls.UNLIMITED else clock_sentences(reader.facts)


def clock_sentences(facts: Mapping[str, Any]) -> list[str]:
    """Describe the time control, what happens on timeout, and who may take an open seat."""
    ends = timeout_policies.describe_policy(facts["clock"], facts.get("on_time", ""))
    who = timeout_policies.describe_reliability(facts.get("reliable"))
    return [_("The clock: {clock}.", clock=time_controls.short_description(facts["clock"])), *filter(None, (ends, who))]


def bot_sentences(facts: Mapping[str, Any]) -> list[str]:
    """Describe what a table with an open seat allows bots, if anything."""
    return [*filter(None, [bots.describe(facts.get("bots", bots.NONE))])]


def _inviter_reliability(reader: MessageContext) -> list[Block]:
    """Describe the reliability of the inviting player."""
    known, name = reader.facts.get("standing"), reader.facts["inviter"]
    return [_("{name}: {own}.", name=name, own=reliability.describe(Reliability(**known)))] if known and name else []


def _decline_links(reader: MessageContext) -> list[Block]:
    page, inviter = f"{reader.invitation_page}/decline", reader.facts["inviter"]
    ever = _("No more invitations from {name}", name=inviter) if inviter else _("No more invitations")
    pages = (
        (_("How {game} is played", game=reader.game), reader.rules_page),
        (_("No, thank you"), page),
        (ever, f"{page}?ever={'person' if inviter else 'anybody'}"),
    )
    return [Links(pages)]


def _match_created(reader: MessageContext, details: list[str]) -> list[Block]:
    """Confirm a new match that waits for others to its host, and explain how to call it off."""
    lead = _("You created a match of {game} with {others}; it begins when everybody has accepted.",
             game=reader.game, others=reader.others)  # fmt: skip
    if reader.facts.get("found_none"):
        opened = _("No open table had a seat for you, so you opened one of {game}.", game=reader.game)
        lead = f"{opened} {_('It begins when its last seat is taken.')}"
    return [
        lead,
        *pair_note(reader),
        *practice_note(reader),
        *_match_length(reader),
        _("If this was not you, reply “decline” before it begins, and it is called off."),
        *(open_seat_link(reader) if "" in reader.names else []),
        Footnote((*details, shuffle_part(reader))),
    ]  # fmt: skip


def open_seat_link(reader: MessageContext) -> list[Block]:
    """Link to the page where anybody can take an open seat."""
    page = open_tables.invitation_link(reader.config, reader.facts["match"])
    return [
        _("Anybody with this link can take an open seat. Share it with friends:"),
        Button(_("Join this table"), page),
    ]


def _seat_joined(reader: MessageContext, details: list[str]) -> list[Block]:
    """Confirm a seat to the player who took it, and explain how to leave it."""
    return [
        _("You have taken a seat in a match of {game} with {others}.", game=reader.game, others=reader.others),
        _("It begins when all seats are taken and everybody has accepted; you need not do anything more."),
        _("If this was not you, or you would rather not, reply “decline” before it begins."),
        *deal_contribution(reader),
        Footnote(tuple(details)),
    ]


def _match_redealt(reader: MessageContext, details: list[str]) -> list[Block]:
    """Inform a player who had accepted that the match is dealt anew, and that they need to do nothing."""
    replaced = _("{name} has replaced a player at your table of {game}; you play with {others} now.",
                 name=reader.facts["inviter"], game=reader.game, others=reader.others)  # fmt: skip
    return [
        _vacated_seats(reader) if reader.facts.get("vacated") else replaced,
        *pair_note(reader),
        _("So that nobody can choose between deals, this is a new match with a secret of its own."),
        _("You had accepted, so you keep your seat. If you would rather not, reply “decline”."),
        _("What you added to the earlier deal no longer counts. Until the match begins you can add a text to this one: "
          "reply “accept” followed by your text."),
        Footnote(tuple(details)),
    ]  # fmt: skip


def _seat_opened(reader: MessageContext, details: list[str]) -> list[Block]:
    """Inform a host that the seats of invitees are open to others now, and how to share the new match."""
    in_lobby = _("The table is also in the lobby, where anybody can join.")
    return [
        _vacated_seats(reader),
        _("So that nobody can choose between deals, this is a new match with a secret of its own."),
        _("It begins when all seats are taken and everybody has accepted; you need not do anything more."),
        _("If you would rather not, reply “decline” before it begins, and it is called off."),
        *open_seat_link(reader),
        *([in_lobby] if reader.facts["watched"] else []),
        Footnote((*details, shuffle_part(reader))),
    ]


def _invitation_replaced(reader: MessageContext) -> list[str]:
    """Explain to an invitee who has not answered why they get another invitation."""
    return [f"{_vacated_seats(reader)} {_('This invitation replaces your earlier one.')}"]


def _vacated_seats(reader: MessageContext) -> str:
    """Explain why seats of a match are open."""
    names, game = reader.facts["vacated"]["names"], reader.game
    if reader.facts["vacated"]["declined"]:
        return _("{name} has declined, so their seat at the table of {game} is open to others now.",
                 name=series(names), game=game)  # fmt: skip
    return several(
        "{names} did not answer in three weeks, so their seat at the table of {game} is open to others now.",
        "{names} did not answer in three weeks, so their seats at the table of {game} are open to others now.",
        len(names), names=series(names), game=game,
    )  # fmt: skip


def _not_made(reader: MessageContext) -> list[Block]:
    return [
        _("No match was created. {reason}", reason=reader.facts["reason"]),
        _("Write it like this, alone on the first line: “new minimax”, or “new martian-whist with ann@example.org”."),
        _("“with anybody” leaves a seat open and lists the table in the lobby: “new montauk with anybody”."),
        _(
            "After that you can add options with what you choose, the time for a move such as “3 days” or “relaxed”, "
            "“loss on time”, and the word “private”."
        ),
    ]


def _invitation_subject(reader: MessageContext) -> str:
    facts, game = reader.facts, reader.game
    if facts.get("made") is True:
        made = _("A seat at your table is open") if facts.get("vacated") else _("You created a match")
        return with_match(made, reader)
    if facts.get("joined"):
        return with_match(_("You have a seat"), reader)
    if facts.get("stays"):
        return with_match(_("A new deal"), reader)
    if not reader.has_opponents or facts["creator"] or not facts["inviter"]:
        return with_match(_("Invitation"), reader)
    if facts.get("rematch") is not None:
        return _("{inviter} would like a rematch of {game}", inviter=facts["inviter"], game=game)
    return _("{inviter} invites you to {game}", inviter=facts["inviter"], game=game)


def _invitation_lead(reader: MessageContext) -> str:
    facts, game, others = reader.facts, reader.game, reader.others
    if not others:
        return _("A match of {game} waits for you.", game=game)
    if facts["creator"]:
        return _("You are starting a match of {game} with {others}. Accept to begin it.", game=game, others=others)
    if not facts["inviter"]:
        return _("You are invited to a match of {game} with {others}.", game=game, others=others)
    address = facts.get("inviter_address")
    inviter = f"{facts['inviter']} ({address})" if address else facts["inviter"]
    if facts.get("rematch") is not None:
        return _rematch_lead(reader, inviter)
    named = [(seat, name) for seat, name in enumerate(reader.names, 1) if name]
    guests = [name for seat, name in named if name != facts["inviter"] and seat != facts["seat"]]
    if not guests:
        return _("{inviter} invites you to a match of {game}.", inviter=inviter, game=game)
    return _(
        "{inviter} invites you to a match of {game}, and {others} too.",
        inviter=inviter, game=game, others=descriptions.player_list(guests),
    )  # fmt: skip


def _rematch_lead(reader: MessageContext, inviter: str) -> str:
    """Propose a rematch, with the result of the last match."""
    winners, game = reader.facts["rematch"], reader.game
    if winners == [reader.names[reader.facts["seat"] - 1]]:
        return _("{inviter} would like a rematch of {game}, which you won.", inviter=inviter, game=game)
    if len(winners) == 1:
        return _("{inviter} would like a rematch of {game}, which {name} won.",
                 inviter=inviter, game=game, name=winners[0])  # fmt: skip
    return _("{inviter} would like a rematch of {game}.", inviter=inviter, game=game)


def _accepted(reader: MessageContext) -> list[Block]:
    return [_("You have accepted; the match begins when everybody has."), *deal_contribution(reader)]


def _not_begun(reader: MessageContext) -> list[Block]:
    """Explain how to answer an invitation; `accepted` is a fact where the reader has replied with something else."""
    waits = _("The match has not begun yet: not everybody has accepted.")
    how = _("If you have not accepted yourself, reply “accept” alone on the first line, or use the page.")
    if reader.facts.get("accepted"):
        how = _("You have accepted and need not do anything more. To call it off, reply “decline”.")
    elif "accepted" in reader.facts:
        waits = _("We could not tell whether you accept or decline, so nothing was done.")
        how = _("To accept, reply “accept”; to decline, reply “decline”: one word, alone on the first line.")
    return [waits, how, Button(_("Accept or decline"), reader.invitation_page)]


def _declined(reader: MessageContext) -> list[Block]:
    if reader.facts.get("reopened"):
        return [_("You have declined. Your seat is open to others, and you get no more mail about it.")]
    if reader.view["outcome"] is None:
        return [_("You have left the table. Your seat is open to others, and you get no more mail about it.")]
    return [_("You have declined. The match is called off, and you get no more mail about it.")]


def _declined_for_ever(reader: MessageContext) -> list[Block]:
    name = reader.facts["inviter"]
    off = _("The match is called off, and you get no more mail about it.")
    reopened = _("Your seat is open to others, and you get no more mail about it.")
    return [
        _("You get no more invitations from {name}.", name=name) if name else _("You get no more invitations."),
        *([off] if reader.facts["called_off"] else []),
        *([reopened] if reader.facts.get("reopened") else []),
        _("If you change your mind, you can undo this on the page of the invitation:"),
        Button(_("Undo"), f"{reader.invitation_page}/decline"),
    ]


def _called_off(reader: MessageContext) -> list[Block]:
    game = reader.game
    if reader.facts.get("operated"):
        return [_("The operator has called off your match of {game}.", game=game), *operator_reason(reader)]
    unopened = _("The table could not be opened to others.")
    return [
        _("{name} has declined, so the match of {game} is called off.", name=reader.facts["by"], game=game),
        *([unopened] if reader.facts.get("unopened") else []),
    ]


KINDS = (
    MessageKind(
        "invitation",
        _invitation,
        subject=marked("Invitation"),
        build_subject=_invitation_subject,
        is_unredacted=True,
        has_full_proof=True,
    ),
    MessageKind("accepted", _accepted, subject=marked("You have accepted"), is_unredacted=True, is_answer=True),
    MessageKind("invited", _not_begun, subject=marked("Not begun yet"), is_unredacted=True, is_answer=True),
    MessageKind("declined", _declined, subject=marked("You have declined"), is_unredacted=True, is_answer=True),
    MessageKind(
        "declined for ever",
        _declined_for_ever,
        subject=marked("No more invitations"),
        is_unredacted=True,
        is_answer=True,
    ),
    MessageKind("called off", _called_off, subject=marked("Called off"), is_unredacted=True),
    MessageKind("not made", _not_made, subject=marked("No match was created"), is_unredacted=True),
)
