"""What each kind of notice says: from its facts to a letter's subject and parts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from emails import rules
from emails.parts import Board, Button, Choice, Choices, Letter, Meant, Part, Say, Small, Tell
from pbem.boards import drawing_of
from pbem.boards.prose import series
from pbem.games import GAMES
from pbem.play import telling

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pbem.boards import Guide
    from pbem.config import Config

NEWS_AT_MOST = 12
"""A mail tells at most so many moves; the page has them all."""
LISTED_AT_MOST = 24
"""More legal moves than these are not listed but explained."""

_WHAT_THIS_IS = (
    "Slow games by mail: you get a mail when it is your turn, and answer it with your move. No account, no password."
)
_FAIR_DEAL = (
    "A fair deal: behind “accept” you may type a text of your own, whatever you like. The server cannot have chosen "
    "the deal if at least one player not in league with it added text that the server did not make."
)


@dataclass(frozen=True, slots=True)
class Reader:
    """Whom a letter is for: the facts of the notice, and the seat's own link and reply address."""

    facts: Mapping[str, Any]
    config: Config
    link: str
    reply: str

    @property
    def names(self) -> tuple[str, ...]:
        """The players, in seat order."""
        return tuple(self.facts["names"])

    @property
    def view(self) -> Mapping[str, Any]:
        """What the reader may know of the match."""
        view: Mapping[str, Any] = self.facts["view"]
        return view

    @property
    def game(self) -> str:
        """The game's name."""
        return GAMES[self.facts["game"]].name

    @property
    def page(self) -> str:
        """Where the match may be looked at."""
        return f"{self.config.base_url}/matches/{self.facts['match']}"

    @property
    def turn_page(self) -> str:
        """Where the reader may move."""
        return f"{self.config.base_url}/m/{self.link}"

    @property
    def invitation_page(self) -> str:
        """Where the reader may accept."""
        return f"{self.config.base_url}/invitation/{self.link}"

    @property
    def rules_page(self) -> str:
        """Where the rules of the game are told."""
        return f"{self.config.base_url}/rules/{self.facts['game']}"

    @property
    def others(self) -> str:
        """The other players, as a sentence names them."""
        return series([name for seat, name in enumerate(self.names, 1) if seat != self.facts["seat"]])

    @property
    def to_move(self) -> str:
        """Who may act now, as a sentence names them."""
        return series([self.names[seat - 1] for seat in self.view["to_move"]])

    @property
    def their_turn(self) -> bool:
        """Whether the reader may act now."""
        return self.facts["seat"] in self.view["to_move"]


def letter(kind: str, reader: Reader) -> Letter:
    """Write the letter of one kind of notice."""
    parts = [*_KINDS[kind](reader), _proof(reader, full=kind in {"invitation", "final"})]
    others = f" with {reader.others}" if reader.others else ""
    subject = f"{reader.game}{others} [{reader.facts['match'][:5]}]"
    return Letter(subject, tuple(parts))


def _turn(reader: Reader) -> list[Part]:
    played = reader.facts.get("played")
    lead = "Your move was played, and it is your turn again." if played else _asked(reader)
    return [Say(lead), *_your_turn(reader), *_deal(reader)]


def _asked(reader: Reader) -> str:
    """Ask for a move after the last thing that somebody else did, which an inbox shows beside the subject."""
    others = [entry for entry in reader.facts["news"] if entry["seat"] != reader.facts["seat"]]
    told = telling.told(reader.facts["game"], others[-1:], reader.names, reader.facts["seat"])
    return f"It is your turn. {told[0]}" if told else f"It is your turn in {reader.game}."


def _your_turn(reader: Reader) -> list[Part]:
    drawing = drawing_of(reader.facts["game"])
    prompt = drawing.prompt(reader.view["board"], reader.facts["seat"], reader.view["moves"])
    listed = reader.view["moves"] if reader.view["moves_are_all"] else []
    if len(listed) > LISTED_AT_MOST:
        listed = []
    moves = reader.facts["suggestions"]
    named = drawing.named(reader.view["board"], reader.facts["seat"], moves)
    likely = [_choice(reader, move, *words) for move, words in zip(moves, named, strict=True)]
    return [
        Say(prompt),
        *_news(reader),
        _board(reader),
        *(Tell(f"{heading}:", lines) for heading, lines in _guide(reader)),
        Choices("You may play", tuple(likely), tuple(listed)),
        Button("Choose your move on its page", reader.turn_page),
        Small((*drawing.crib, "Reply with your move on a line of its own, above the quoted mail.", _commands(reader))),
    ]


def _receipt(reader: Reader) -> list[Part]:
    lead = f"Your move was played: {reader.facts['played']}. Now it is {telling.possessive(reader.to_move)} turn."
    return [Say(lead), *_position(reader)]


def _rejected(reader: Reader) -> list[Part]:
    line = reader.facts["line"][:200]
    lead = f"Nothing was played. You wrote “{line}”. {reader.facts['reason']}"
    near = tuple(_choice(reader, move) for move in reader.facts.get("near", ()))
    return [Say(lead), *([Meant(near)] if near else []), *_your_turn(reader)]


def _nothing_typed(reader: Reader) -> list[Part]:
    lead = "Nothing was played: there was nothing in your mail above the quoted one."
    return [Say(lead), *_your_turn(reader)]


def _stale(reader: Reader) -> list[Part]:
    lead = f"Nothing new was played. {reader.facts['reason']}"
    if reader.their_turn:
        return [Say(lead), Say("It is your turn again; this is the match now."), *_your_turn(reader)]
    return [Say(lead), Say("This is the match now."), *_position(reader)]


def _wrong_sender(reader: Reader) -> list[Part]:
    lead = (
        "Somebody answered one of your mails from another address "
        f"({reader.facts['sender'].replace('@', ' at ') or 'unknown'}). Nothing was played."
    )
    then = "If it was you, please write again from this address, or use the page below."
    return [Say(lead), Say(then), *(_your_turn(reader) if reader.their_turn else _position(reader))]


def _board_wanted(reader: Reader) -> list[Part]:
    if reader.their_turn:
        return [Say(f"This is your match of {reader.game}; it is your turn."), *_your_turn(reader)]
    return [Say(f"This is your match of {reader.game}."), *_position(reader)]


def _help(reader: Reader) -> list[Part]:
    lead = f"How to play {reader.game} by mail."
    how = "Answer a mail that says it is your turn with your move on a line of its own. The rest is quoted or ignored."
    words = Tell(
        "Instead of a move you may write, alone on the first line:",
        (
            "“board” to be sent the position again,",
            "“draw” to offer or to agree to a draw,",
            "“resign” to give up (you are asked once more),",
            "“rules” to be sent the rules of the game,",
            "“help” to be sent this.",
        ),
    )
    return [Say(lead), Say(how), words, *(_your_turn(reader) if reader.their_turn else _position(reader))]


def _rules(reader: Reader) -> list[Part]:
    turn = [Button("It is your turn: choose your move", reader.turn_page)] if reader.their_turn else []
    page = Button("The same with pictures", reader.rules_page)
    return [Say(f"These are the rules of {reader.game}."), page, *rules.told(reader.facts["game"]), *turn]


def _resign(reader: Reader) -> list[Part]:
    lead = "Do you want to resign? Nothing has happened yet."
    then = "To give up this match for good, reply with the words “resign yes” alone on the first line."
    return [Say(lead), Say(then), *_position(reader)]


def _draw_offered(reader: Reader) -> list[Part]:
    lead = "Your draw offer has been passed on; it stands until somebody moves."
    return [Say(lead), *(_your_turn(reader) if reader.their_turn else _position(reader))]


def _draw_offer(reader: Reader) -> list[Part]:
    lead = f"{reader.facts['by']} offers a draw. To agree, reply with the word “draw” alone on the first line."
    return [Say(lead), Say("The offer stands until somebody moves."), *_position(reader)]


def _begun(reader: Reader) -> list[Part]:
    lead = (
        f"Your match of {reader.game} has begun. {reader.to_move} moves first; you will be mailed when it is your turn."
    )
    return [Say(lead), *_position(reader), *_deal(reader)]


def _final(reader: Reader) -> list[Part]:
    result = reader.facts["result"]
    return [
        Say(f"{telling.ending(result, reader.names, reader.facts['seat'])} Thank you for playing."),
        *_news(reader),
        _board(reader),
        Button("The finished match", reader.page),
        Button(
            "Its record, to keep and to check", f"{reader.config.base_url}/api/matches/{reader.facts['match']}/record"
        ),
        Button(f"The rules of {reader.game}", reader.rules_page),
        *rules.credit(reader.facts["game"]),
    ]


def _invitation(reader: Reader) -> list[Part]:
    facts = reader.facts
    invited = f"{facts['inviter']} invites you" if facts["inviter"] else "You are invited"
    if facts["creator"] and reader.others:
        lead = f"You are starting a match of {reader.game} with {reader.others}. Accept to begin it."
    elif reader.others:
        lead = f"{invited} to a match of {reader.game} with {reader.others}."
    else:
        lead = f"A match of {reader.game} waits for you."
    game, chosen = facts["game"], facts["options"].items()
    options = [f"{telling.question(game, name)} {telling.choice(game, name, value)}." for name, value in chosen]
    entropy = facts["entropy"]
    return [
        Say(lead),
        Say(_WHAT_THIS_IS),
        Say("To accept, reply with the word “accept” alone on the first line, or use the page."),
        Button("Accept or decline", reader.invitation_page),
        Small((*options, _FAIR_DEAL, f"If you type none, this stands for you: {entropy}")),
    ]


def _accepted(reader: Reader) -> list[Part]:
    return [Say("You have accepted; the match begins when everybody has."), *_deal(reader)]


def _invited(reader: Reader) -> list[Part]:
    lead = "The match has not begun yet: it waits for everybody to accept."
    then = "If you have not accepted yourself, reply with the word “accept” alone on the first line, or use the page."
    return [Say(lead), Say(then), Button("Accept or decline", reader.invitation_page)]


def _declined(_reader: Reader) -> list[Part]:
    return [Say("You have declined; the match is called off, and nobody will write to you about it again.")]


def _called_off(reader: Reader) -> list[Part]:
    return [Say(f"{reader.facts['by']} has declined, so the match of {reader.game} is called off.")]


_KINDS: dict[str, Callable[[Reader], list[Part]]] = {
    "turn": _turn,
    "receipt": _receipt,
    "rejected": _rejected,
    "nothing typed": _nothing_typed,
    "stale": _stale,
    "wrong sender": _wrong_sender,
    "board": _board_wanted,
    "help": _help,
    "rules": _rules,
    "resign?": _resign,
    "draw offered": _draw_offered,
    "draw offer": _draw_offer,
    "begun": _begun,
    "final": _final,
    "invitation": _invitation,
    "accepted": _accepted,
    "invited": _invited,
    "declined": _declined,
    "called off": _called_off,
}


def _position(reader: Reader) -> list[Part]:
    if not reader.view["board"]:
        return []
    page = [Button("Look at the match", reader.page)] if reader.facts["public"] else []
    return [*_news(reader), _board(reader), *page, Small((_commands(reader),))]


def _news(reader: Reader) -> list[Part]:
    news = reader.facts["news"]
    lines = telling.told(reader.facts["game"], news[-NEWS_AT_MOST:], reader.names, reader.facts["seat"])
    if len(news) > NEWS_AT_MOST:
        lines.insert(0, f"({len(news) - NEWS_AT_MOST} earlier moves are on the page.)")
    return [Tell("What happened:", tuple(lines))] if lines else []


def _board(reader: Reader) -> Board:
    drawing = drawing_of(reader.facts["game"])
    board, you = reader.view["board"], reader.facts["seat"]
    return Board(
        text=reader.view["text"],
        svg=drawing.svg(board, reader.names, you),
        words=drawing.words(board, reader.names, you),
    )


def _deal(reader: Reader) -> list[Part]:
    """Tell a player what they added to the deal, in the mail after they accepted."""
    facts = reader.facts
    if "entropy_by" not in facts:
        return []
    if facts["entropy_by"] == "player":
        return [
            Say(f"Your text for the deal was “{facts['typed']}”; its SHA-256, {facts['entropy']}, goes into the deal.")
        ]
    return [Say(f"You typed no text for the deal, so the one from your invitation stands for you: {facts['entropy']}")]


def _proof(reader: Reader, *, full: bool) -> Small:
    facts = reader.facts
    lines = [f"Proof: this match’s chain stands at {facts['head'][:16]}."]
    if full:
        lines += [f"Commitment to the deal: {facts['commitment']}", f"Match: {facts['match']}"]
    return Small(tuple(lines))


def _commands(reader: Reader) -> str:
    draw = ", draw" if reader.others else ""
    return f"You may also reply with one word: help, rules, board{draw}, resign."


def _guide(reader: Reader) -> Guide:
    return telling.guide(reader.facts["game"], reader.view["board"], reader.names, reader.facts["seat"])


def _choice(reader: Reader, move: str, name: str = "", hint: str = "") -> Choice:
    return Choice(move, f"{reader.turn_page}?move={quote(move)}", _mailto(reader, move), name, hint)


def _mailto(reader: Reader, move: str) -> str:
    address = reader.config.reply_address(reader.reply)
    return f"mailto:{quote(address, safe='@+')}?subject={quote('My move')}&body={quote(move)}"
