"""Montauk as text and in sentences; its picture is in `montauk_tracks`."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, ClassVar

from pbem.boards import montauk_tracks
from pbem.boards.card_words import said, spelled
from pbem.boards.drawing import Board, Drawing, Entry, Names
from pbem.boards.montauk_tracks import worth
from pbem.boards.playing_cards import sorted_by_suit
from pbem.boards.prose import COLUMNS, counted, glued, listed, numeral, paragraphs, plain, series, shown
from pbem.games.cards import DECK, SUIT_NAMES, fold
from pbem.games.montauk_cards import BEATS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_SPOTS = (6, 5, 4, 3, 2, 1)
_PYRAMIDS = 6
_NAME_COLUMNS = 26
_TIMES = {2: "twice", 4: "four times", 6: "six times"}


class Montauk(Drawing):
    """Draws the tracks, the trick and the hands of Montauk."""

    key: ClassVar[str] = "montauk"
    crib: ClassVar[tuple[str, ...]] = (
        "Spades beat hearts and diamonds, hearts diamonds and clubs, diamonds clubs,",
        "and clubs beat spades. In one suit the card that follows wins.",
        "Worth: A to 6 are 1 to 6, 7 to Q are 1 to 6 again, K is 0.",
        "The winner spends both worths. Equal worth: one four times, if twins six.",
        "Same suit or worth: an extra card, once; if it matches the winner's, 4 or 6.",
    )

    def svg(self, board: Board, names: Names, you: int | None = None) -> str:
        """Draw both tracks with the trick between them, and the own hand."""
        head = _result(board, names) if board["phase"] == "over" else f"Round {board['round']} of {board['rounds']}"
        shown_names = [shown(name) for name in names]
        return montauk_tracks.picture(board, shown_names, you, head, self.words(board, names, you))

    def text(self, board: Board, names: Names, you: int | None = None) -> str:
        """List the trick, how many pyramids stand on each spot, the scores, and the own hand."""
        lines = ["Montauk", *paragraphs([f"{_headline(board)}.", f"{_now(board, names)}."], COLUMNS).splitlines()]
        lines += ["", *_trick_lines(board, names)]
        lines += ["Spot".ljust(_NAME_COLUMNS) + "".join(f"{spot:4}" for spot in _SPOTS) + "  vault"]
        for seat, (name, track) in enumerate(zip(names, board["tracks"], strict=True), 1):
            counts = "".join(f"{track['spots'][spot - 1]:4}" for spot in _SPOTS)
            lines.append(f"{_who(name, seat, you):{_NAME_COLUMNS}}{counts}  {track['off']:5}")
        lines.append("")
        for seat, name in enumerate(names, 1):
            points, nulls = _points(board["scores"][seat - 1]), counted(board["nulls"][seat - 1], "null")
            lines.append(f"{_who(name, seat, you)}: {points}, {nulls}")
            if board["first"] == seat:
                lines.append("  first to empty the track in this round")
            if any(board["pips"]):
                lines.append(f"  pips left over from finished rounds: {board['pips'][seat - 1]}")
        lines.append(f"Nulls in the middle: {board['nulls_left']}")
        if board["played"]:
            lines += listed("Cards shown in this round: ", sorted_by_suit(board["played"]))
        if board["hand"]:
            worths = [f"{card} (worth {worth(card)})" for card in sorted_by_suit(board["hand"])]
            lines += ["", *listed("Your hand: ", worths)]
        for name, held in zip(names, board.get("hands", ()), strict=False):
            lines += listed(f"Hand of {shown(name)}: ", sorted_by_suit(held) or ["empty"])
        return "\n".join(lines)

    def words(self, board: Board, names: Names, you: int | None = None) -> str:
        """Tell the trick, both tracks, the scores and the own hand."""
        sentences = [f"{_headline(board)}.", f"{_now(board, names)}."]
        sentences += _trick_said(board, names)
        over = board["phase"] == "over"
        when, which = ("in all", "the last") if over else ("from the rounds before", "this")
        for seat, (name, track) in enumerate(zip(names, board["tracks"], strict=True), 1):
            who = _who(name, seat, you)
            standing = [
                f"{numeral(track['spots'][spot - 1])} on spot {spot}" for spot in _SPOTS if track["spots"][spot - 1]
            ]
            vault = f"{numeral(track['off']) if track['off'] else 'none'} in the vault"
            on_track = f"pyramids: {series(standing)}" if standing else "no pyramids left on the track"
            sentences.append(f"{who} has {on_track}, and {vault}.")
            if board["first"] == seat:
                sentences.append(f"{who} was the first to empty the track.")
            nulls, points = counted(board["nulls"][seat - 1], "null"), _points(board["scores"][seat - 1])
            held = "" if over else f"{counted(board['hand_sizes'][seat - 1], 'card')} in hand, "
            sentences.append(f"{who} has {held}{nulls} in {which} round, and {points} {when}.")
            if any(board["pips"]):
                sentences.append(f"{who} has {counted(board['pips'][seat - 1], 'pip')} left over from finished rounds.")
        if not over:
            is_left = "is" if board["nulls_left"] == 1 else "are"
            sentences.append(f"In the middle {is_left} {counted(board['nulls_left'], 'null')}.")
        if board["played"]:
            sentences.append(f"Shown in this round: {spelled(sorted_by_suit(board['played']))}.")
        if board["hand"]:
            sentences.append(f"You hold {spelled(sorted_by_suit(board['hand']))}.")
        for name, held in zip(names, board.get("hands", ()), strict=False):
            sentences.append(f"{shown(name)} holds {spelled(sorted_by_suit(held))}.")
        return paragraphs(sentences)

    def tell(self, entry: Entry, names: Names) -> str:
        """Tell a card or the steps, and what came of the trick, of the round and of the match."""
        name, move = shown(names[entry["seat"] - 1]), entry["move"]
        if entry["phase"] == "lead":
            return f"{name} led {said(move)}." if move else f"{name} led a card, face down."
        if entry["phase"] == "follow":
            winner = shown(names[entry["winner"] - 1])
            told = f"{name} followed with {said(move)}"
            won = (
                f"{told} and won the trick"
                if entry["winner"] == entry["seat"]
                else f"{told}, and {winner} won the trick"
            )
            sentences = [won + (f", with {_values(entry['to_use'])} to use" if entry["to_use"] else "")]
        else:
            sentences = [f"{name} moved {_steps(str(move))}"]
        return plain(". ".join([*sentences, *_news(entry, names)]) + ".")

    def prompt(self, board: Board, you: int, moves: Sequence[str]) -> str:  # noqa: ARG002
        """Ask for a card or for steps, with one of the listed moves as the example."""
        if not moves:
            return "There is nothing to play now."
        # Of steps those that begin highest; of cards the first.
        chosen = max(moves) if board["to_use"] else moves[0]
        # Words follow the example, so that it stands alone on no line however the text is broken.
        example = f"For example, {glued(chosen, 'would be a move.')}"
        if board["phase"] == "lead":
            ask = "You lead: name one card of your hand. It lies face down until it is followed."
        elif board["phase"] == "follow":
            ask = "Follow with one card of your hand, whatever its suit. Then both cards are shown."
        else:
            ask = (
                f"You won the trick and have {_values(board['to_use'])} to use on your track. Each brings a pyramid so "
                "many spots lower, or off. Write one step for each: the spot where a pyramid stands, a hyphen, and a "
                "lower spot or the word “off”."
            )
        return paragraphs([ask, example], COLUMNS)

    def brings(self, board: Board, names: Names, you: int, move: str) -> tuple[str, ...]:  # noqa: ARG002
        """Tell which suits a card beats, or how many pyramids a spending brings to the vault."""
        if board["to_use"]:
            home = move.count("-off")
            off = board["tracks"][you - 1]["off"] + home
            if off == _PYRAMIDS:
                return ("This empties your track.",)
            vault = f"This brings {counted(home, 'pyramid')} to the vault, {counted(off, 'pyramid')} in all."
            return (vault,) if home else ()
        suit = move[1]
        beaten = series([SUIT_NAMES[one] for one in BEATS[suit]])
        beating = series([SUIT_NAMES[one] for one in BEATS if suit in BEATS[one]])
        own = SUIT_NAMES[suit]
        if board["phase"] == "lead":
            return (f"It would lie face down. It wins against {beaten}; {beating} beat it, and so do other {own}.",)
        return (f"If {beaten} were led, or other {own}, this wins the trick; against {beating} it loses.",)

    def what(self, board: Board, names: Names, you: int, place: str) -> tuple[str, ...]:  # noqa: ARG002
        """Tell what a card is worth and where it was seen, or who has how many pyramids on a spot."""
        spot = place.lower().removeprefix("spot ").removeprefix("feld ").strip()
        if spot in {"vault", "off"} or (spot.isdecimal() and int(spot) in _SPOTS):
            tracks = board["tracks"]
            counts = [one["off"] if not spot.isdecimal() else one["spots"][int(spot) - 1] for one in tracks]
            where = f"on spot {spot}" if spot.isdecimal() else "in the vault"
            has = [f"{_name(names, seat)} {counted(count, 'pyramid')}" for seat, count in enumerate(counts, 1)]
            return (f"There stand {where}: {series(has)}.",)
        card = fold(place).upper()
        if card not in DECK:
            return ()
        beaten = series([SUIT_NAMES[one] for one in BEATS[card[1]]])
        told = f"{said(card).capitalize()} is worth {worth(card)}, and beats {beaten}."
        if card == board["led"] and board["lead_lies"]:
            return (told, "It lies face down, as your lead.")
        if card in (board["hand"] or ()):
            return (told, "It is in your hand.")
        seen = "It was shown in this round." if card in board["played"] else "It has not been shown in this round."
        return (told, seen)

    def held(self, board: Board, you: int) -> tuple[str, ...]:  # noqa: ARG002
        """Tell the hand with what each card is worth."""
        hand = sorted_by_suit(board["hand"] or ())
        if not hand:
            return ("You hold no cards.",)
        return (plain(f"You hold {series([f'{said(card)}, worth {worth(card)}' for card in hand])}."),)


def _name(names: Names, seat: int) -> str:
    return shown(names[seat - 1])


def _who(name: str, seat: int, you: int | None) -> str:
    return f"{shown(name)}{' (you)' if seat == you else ''}"


def _points(points: int) -> str:
    return f"minus {counted(-points, 'point')}" if points < 0 else counted(points, "point")


def _values(values: Sequence[int]) -> str:
    """Say the values to use: "3 and 6", "2 four times", "5"."""
    if len(values) > 1 and len(set(values)) == 1:
        return f"{values[0]} {_TIMES[len(values)]}"
    return series([str(value) for value in values])


def _headline(board: Board) -> str:
    if board["phase"] == "over":
        return f"The game is over after {counted(board['rounds'], 'round')}"
    return f"Round {board['round']} of {board['rounds']}, trick {board['trick']} of 6"


def _now(board: Board, names: Names) -> str:
    phase = board["phase"]
    if phase == "over":
        return _result(board, names)
    leader, other = _name(names, board["leader"]), _name(names, 3 - board["leader"])
    if phase == "lead":
        return f"{leader} is to lead"
    if phase == "follow":
        return f"{leader} led a card face down, and {other} is to follow"
    return f"{_name(names, board['winner'])} won the trick and is to use {_values(board['to_use'])}"


def _result(board: Board, names: Names) -> str:
    (first, left), (second, other_left) = zip(board["scores"], board["pips"], strict=True)
    if (first, -left) == (second, -other_left):
        return f"It is a draw at {first} all"
    winner = 1 if (first, -left) > (second, -other_left) else 2
    if first == second:
        fewer, more = sorted((left, other_left))
        return f"{_name(names, winner)} wins: {first} all, and fewer pips left, {fewer} to {more}"
    return f"{_name(names, winner)} wins by {max(first, second)} to {min(first, second)}"


def _laid(board: Board, names: Names) -> Iterator[tuple[str, str, str]]:
    """List what lies in the trick: who laid it or how it came there, the card, and a word on it."""
    leader, other = _name(names, board["leader"]), _name(names, 3 - board["leader"])
    if board["led"]:
        yield leader, board["led"], "face down still" if board["lead_lies"] else "led"
    elif board["lead_lies"]:
        yield leader, "", "face down"
    if board["followed"]:
        yield other, board["followed"], "followed"
    if board["extra"]:
        yield "the pile", board["extra"], "extra"


def _trick_lines(board: Board, names: Names) -> list[str]:
    laid = [
        f"{card} from {who} ({word})" if card else f"a card from {who} ({word})"
        for who, card, word in _laid(board, names)
    ]
    return [*listed("The trick: ", laid), ""] if laid else []


def _trick_said(board: Board, names: Names) -> Iterator[str]:
    leader, other = _name(names, board["leader"]), _name(names, 3 - board["leader"])
    if board["led"] and board["lead_lies"]:
        yield f"The card that lies face down is {said(board['led'])}."
    elif board["led"]:
        yield f"{leader} led {said(board['led'])}, and {other} followed with {said(board['followed'])}."
    if board["extra"]:
        yield f"The extra card from the pile was {said(board['extra'])}."


def _steps(move: str) -> str:
    told = []
    for step, count in Counter(move.split()).items():
        start, end = step.split("-")
        where = "off the track" if end == "off" else f"to {end}"
        told.append(f"{counted(count, 'pyramid')} from {start} {where}")
    return series(told)


def _news(entry: Entry, names: Names) -> Iterator[str]:
    """Tell what came after a card or a spending, in the order in which it happened."""
    if "extra" in entry:
        use = _values(entry["extra_to_use"]) if entry["extra_to_use"] else "nothing"
        yield f"The extra card was {said(entry['extra'])}, for {use} to use"
    if "first" in entry:
        yield f"All six are off the track, and the race is won by {_name(names, entry['first'])}"
    if "null" in entry:
        why = (
            "with none borne off in a trick that was won"
            if entry["null_for"] == "won for nothing"
            else "for losing to an empty track"
        )
        yield f"A null went to {_name(names, entry['null'])}, {why}"
    if "points" in entry:
        brought = series(
            [f"{_points(points)} for {shown(name)}" for name, points in zip(names, entry["points"], strict=True)]
        )
        total = series([f"{points} for {shown(name)}" for name, points in zip(names, entry["scores"], strict=True)])
        yield f"The round is over: {brought}"
        yield f"That makes {total} in all"
