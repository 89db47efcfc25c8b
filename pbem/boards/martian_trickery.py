"""Martian Trickery as text and in sentences; its picture is in `trickery_table`."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, ClassVar

from pbem.boards import trickery_table
from pbem.boards.card_words import by_suit, said, spelled
from pbem.boards.drawing import Board, Drawing, Entry, Names
from pbem.boards.playing_cards import sorted_by_suit
from pbem.boards.prose import COLUMNS, counted, glued, listed, numeral, paragraphs, plain, series, shown
from pbem.games import cards, pyramids
from pbem.games.cards import RANKS, SUIT_NAMES
from pbem.games.martian_trickery_score import hand_score

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class MartianTrickery(Drawing):
    """Draws the prizes, the trick and the hands of Martian Trickery."""

    key: ClassVar[str] = "martian-trickery"
    crib: ClassVar[tuple[str, ...]] = (
        "Lead a prize and a card; no spade until one has trumped another suit.",
        "Follow suit if you can. The highest spade wins, else the suit that was led.",
        "Three of one size or a tree of one colour: 7. Other trees: 5. Singles: 1.",
        "One black pyramid: your points of its size count for nothing.",
        "Two black: your points count below zero. Three: 21 more for you.",
    )

    def svg(self, board: Board, names: Names, you: int | None = None) -> str:
        """Draw the prizes and the trick on the table, the own hand, and what each player has won."""
        title = f"Martian Trickery: {_headline(board)}"
        shown_names = [shown(name) for name in names]
        return trickery_table.picture(board, shown_names, you, title, self.words(board, names, you))

    def text(self, board: Board, names: Names, you: int | None = None) -> str:
        """List the prizes, the trick, what each player has won, and the own hand."""
        lines = [
            "Martian Trickery",
            *paragraphs([f"{_headline(board)}.", f"{_now(board, names)}."], COLUMNS).splitlines(),
        ]
        if board["phase"] != "over":
            lines += ["", *listed("In the middle: ", board["middle"] or ["nothing"])]
            lines.append(f"Spades are {'broken' if board['broken'] else 'not broken yet'}.")
            lines += _trick_lines(board, names)
        lines += [""]
        for seat, name in enumerate(names, 1):
            lines += _share(board, seat, _who(name, seat, you))
        if board["prizes"] == "two-stash":
            lines.append("Every tree is worth 5 in this match, of one colour or not.")
        if board["hand_scores"]:
            lines += ["", "Hands so far, in the order of the players above:"]
            lines += [
                f"Hand {hand}: {', '.join(map(str, scores))}" for hand, scores in enumerate(board["hand_scores"], 1)
            ]
        if board["hand"]:
            lines += ["", "Your hand:"]
            lines += [line for suit, held in by_suit(board["hand"]) for line in listed(f"  {suit}: ".ljust(12), held)]
        for name, held in zip(names, board.get("hands_open", ()), strict=False):
            lines += listed(f"Hand of {shown(name)}: ", sorted_by_suit(held) or ["empty"])
        return "\n".join(lines)

    def words(self, board: Board, names: Names, you: int | None = None) -> str:
        """Tell whose turn it is, the prizes, the trick, the hauls and scores, and the own hand."""
        sentences = [f"{_headline(board)}.", f"{_now(board, names)}."]
        if board["phase"] != "over":
            sentences += _prizes_said(board)
            sentences.append(f"Spades are {'broken' if board['broken'] else 'not broken yet'}.")
        sentences += [f"{shown(names[laid['seat'] - 1])} played {said(laid['card'])}." for laid in board["trick"]]
        if board["tricks"] and not board["trick"]:
            last = board["tricks"][-1]
            cards = [f"{said(laid['card'])} from {_name(names, laid['seat'])}" for laid in last["cards"]]
            won = f"{_name(names, last['winner'])} won it, and with it the {pyramids.name(last['prize'])}"
            sentences.append(f"In the last trick lay {series(cards)}; {won}.")
        for seat, name in enumerate(names, 1):
            who, total = _who(name, seat, you), _points(board["totals"][seat - 1])
            held = f"{counted(board['hand_sizes'][seat - 1], 'card')} in hand and "
            sentences.append(f"{who} has {'' if board['phase'] == 'over' else held}{total} in all.")
            sentences.append(_haul_said(board, seat, who))
        for hand, scores in enumerate(board["hand_scores"], 1):
            sentences.append(f"Hand {hand} brought {_shares(scores, names)}.")
        if board["hand"]:
            sentences.append(f"You hold {spelled(sorted_by_suit(board['hand']))}.")
        for name, held in zip(names, board.get("hands_open", ()), strict=False):
            sentences.append(f"{shown(name)} holds {spelled(sorted_by_suit(held))}.")
        return paragraphs(sentences)

    def tell(self, entry: Entry, names: Names) -> str:
        """Tell what was led or played, who won the trick, and what a finished hand brought."""
        name, move = shown(names[entry["seat"] - 1]), str(entry["move"])
        card, prize = move[-2:], move[:-2].strip()
        told = f"{name} led {said(card)} for the prize {prize}" if prize else f"{name} played {said(card)}"
        if "winner" in entry:
            won = pyramids.name(entry["prize"])
            winner = "" if entry["winner"] == entry["seat"] else f" {shown(names[entry['winner'] - 1])}"
            told += f"{',' if winner else ''} and{winner} won the trick and the {won}"
        sentences = [told]
        if entry.get("broken"):
            sentences.append("Spades are broken now")
        if "hand_scores" in entry:
            sentences.append(f"That was hand {entry['hand_number']}: {_shares(entry['hand_scores'], names)}")
        if "next_dealer" in entry:
            sentences.append(f"A new hand was dealt, with {shown(names[entry['next_dealer'] - 1])} as the dealer")
        if "winners" in entry:
            winners = series([shown(names[seat - 1]) for seat in entry["winners"]])
            sentences.append(f"The match went to {winners}")
        return plain(". ".join(sentences) + ".")

    def prompt(self, board: Board, you: int, moves: Sequence[str]) -> str:  # noqa: ARG002
        """Ask for a prize and a card, or for a card that follows, with one of the listed moves as the example."""
        if not moves:
            return "There is nothing to play now."
        # Words follow the example, so that it stands alone on no line however the text is broken.
        example = f"For example, {glued(moves[0], 'would be a move.')}"
        if board["phase"] == "lead":
            spades = "" if board["broken"] else " Spades may not be led yet unless you hold nothing else."
            ask = "You lead: name a prize from the middle, then a card of yours." + spades
            return paragraphs([ask, example], COLUMNS)
        suit = SUIT_NAMES[board["trick"][0]["card"][1]]
        if any(move[1] == suit[0].upper() for move in moves):
            ask = f"Follow suit: {suit} were led for the {pyramids.name(board['prize'])}, and you hold {suit}."
        else:
            ask = (
                f"You hold no {suit}, the suit led for the {pyramids.name(board['prize'])}, so any card may be played."
            )
        return paragraphs([ask, example], COLUMNS)

    def brings(self, board: Board, names: Names, you: int, move: str) -> tuple[str, ...]:
        """Tell what a lead asks of the others, or whether a card wins the trick, by what lies on the table."""
        prize, card = move.split(" ") if " " in move else (board["prize"], move)
        haul = [*board["won"][you - 1], prize]
        now, then = _points(board["worth"][you - 1]), _points(hand_score(haul, board["prizes"]))
        gain = f"With the {pyramids.name(prize)}, what you won in this hand would be worth {then}; now it is {now}."
        if not board["trick"]:
            suit = SUIT_NAMES[card[1]]
            return (f"You would lead {said(card)}: the others must follow with {suit} while they have any.", gain)
        laid = {one["card"]: one["seat"] for one in board["trick"]} | {card: you}
        best = _best([*laid])
        last = len(laid) == len(names)
        what = f"the trick and the {pyramids.name(prize)}"
        if best != card:
            holder = _name(names, laid[best])
            won = f"{holder} wins {what} with {said(best)}" if last else f"It cannot win: {said(best)} lies there"
            return (f"{won}.",)
        if last:
            return (f"This wins {what}.", gain)
        return (f"It would be the best card so far, with {counted(len(names) - len(laid), 'player')} to come.", gain)

    def what(self, board: Board, names: Names, you: int, place: str) -> tuple[str, ...]:  # noqa: ARG002
        """Tell where a card was seen, or where a prize is."""
        card, prize = cards.fold(place).upper(), pyramids.fold(place).upper()
        if card in cards.DECK:
            return (_card_said(board, names, card),)
        if prize not in pyramids.TREEHOUSE:
            return ()
        middle = board["middle"].count(prize)
        where = [f"{numeral(middle)} in the middle"] if middle else []
        where += [
            f"{numeral(won.count(prize))} won by {_name(names, seat)} in this hand"
            for seat, won in enumerate(board["won"], 1)
            if prize in won
        ]
        return (f"Of {prize}, the {pyramids.name(prize)} prize: {series(where) or 'none in this hand'}.",)

    def held(self, board: Board, you: int) -> tuple[str, ...]:
        """Tell the hand, and what was won in this hand."""
        hand = plain(f"You hold {spelled(sorted_by_suit(board['hand'] or ()))}.")
        won = [pyramids.name(prize) for prize in board["won"][you - 1]]
        return (hand, f"You have won {series(won)} in this hand." if won else "You have won nothing in this hand yet.")


def _card_said(board: Board, names: Names, card: str) -> str:
    told = said(card).capitalize()
    if card in (board["hand"] or ()):
        return f"{told} is in your hand."
    for laid in board["trick"]:
        if laid["card"] == card:
            return f"{told} lies in this trick, from {_name(names, laid['seat'])}."
    for number, trick in enumerate(board["tricks"], 1):
        for laid in trick["cards"]:
            if laid["card"] == card:
                return f"{told} was played by {_name(names, laid['seat'])} in trick {numeral(number)} of this hand."
    return f"{told} has not been seen in this hand."


def _best(cards: Sequence[str]) -> str:
    """Find the card that wins: the highest spade, else the highest of the suit that was led."""
    suits = {card[1] for card in cards}
    trumps = "S" if "S" in suits else cards[0][1]
    return max((card for card in cards if card[1] == trumps), key=lambda card: RANKS.index(card[0]))


def _name(names: Names, seat: int) -> str:
    return shown(names[seat - 1])


def _who(name: str, seat: int, you: int | None) -> str:
    return f"{shown(name)}{' (you)' if seat == you else ''}"


def _headline(board: Board) -> str:
    number, hands = board["hand_number"], board["hands"]
    if board["phase"] == "over":
        return f"The game is over after {counted(number, 'hand')}"
    hand = f"Hand {number} of {hands}" if number <= hands else f"Hand {number}, to break the tie"
    return f"{hand}, trick {board['trick_number']} of 12"


def _now(board: Board, names: Names) -> str:
    if board["phase"] == "over":
        best = max(board["totals"])
        winner = board["totals"].index(best) + 1
        return f"{_name(names, winner)} wins with {_points(best)}"
    if board["phase"] == "lead":
        return f"{_name(names, board['leader'])} is to lead"
    turn = (board["leader"] - 1 + len(board["trick"])) % len(names) + 1
    led = f"{_name(names, board['leader'])} led for the {pyramids.name(board['prize'])}"
    return f"{led}; {_name(names, turn)} is to follow"


def _points(points: int) -> str:
    return f"minus {counted(-points, 'point')}" if points < 0 else counted(points, "point")


def _shares(scores: Sequence[int], names: Names) -> str:
    return series(
        [f"{_points(points)} {glued('for', shown(name))}" for name, points in zip(names, scores, strict=True)]
    )


def _trick_lines(board: Board, names: Names) -> Iterator[str]:
    if board["trick"]:
        laid = [f"{card['card']} from {_name(names, card['seat'])}" for card in board["trick"]]
        yield from listed(f"Prize {board['prize']}: ", laid)
    elif board["tricks"]:
        last = board["tricks"][-1]
        laid = [f"{card['card']} from {_name(names, card['seat'])}" for card in last["cards"]]
        yield from listed("Last trick: ", laid)
        yield f"            won by {_name(names, last['winner'])}, with {last['prize']}"


def _prizes_said(board: Board) -> Iterator[str]:
    prizes = [glued("the", prize) if count == 1 else many for prize, many, count in _counts(board["middle"])]
    if len(board["middle"]) > 1:
        yield f"The prizes in the middle are {series(prizes)}."
    else:
        yield f"The prize in the middle is {prizes[0]}." if prizes else "No prize is left in the middle."
    if board["prizes"] == "two-stash":
        yield "Every tree is worth five points in this match, of one colour or not."


def _haul_said(board: Board, seat: int, who: str) -> str:
    """Tell what a seat has won in the present hand, and its worth."""
    hand, won = ("the last hand", "won") if board["phase"] == "over" else ("this hand", "has won")
    haul = [prize if count == 1 else many for prize, many, count in _counts(board["won"][seat - 1])]
    if not haul:
        return f"{who} {won} nothing in {hand}."
    return f"In {hand} {who} {won} {series(haul)}, worth {_points(board['worth'][seat - 1])}."


def _counts(prizes: Sequence[str]) -> Iterator[tuple[str, str, int]]:
    """Say each kind of prize as if it were alone, then with its number, and how many there are."""
    for prize, count in Counter(prizes).items():
        name = pyramids.name(prize)
        yield name, f"{numeral(count)} {name}s", count


def _share(board: Board, seat: int, who: str) -> Iterator[str]:
    held = board["hand_sizes"][seat - 1]
    cards = "" if board["phase"] == "over" else f", {counted(held, 'card')}"
    dealer = ", dealer" if seat == board["dealer"] else ""
    yield f"{who}{cards}: {_points(board['totals'][seat - 1])}{dealer}"
    haul = board["won"][seat - 1]
    yield from listed("  won: ", [*haul[:-1], f"{haul[-1]} = {board['worth'][seat - 1]}"] if haul else ["nothing yet"])
