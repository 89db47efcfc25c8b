"""Amazonian Buffet as text and in sentences; its pictures are in `buffet_grid` and `buffet_hands`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from pbem.boards import buffet_choices, buffet_grid, buffet_hands
from pbem.boards.buffet_choices import ORDINALS as _ORDINALS
from pbem.boards.card_words import said, spelled
from pbem.boards.drawing import Board, Drawing, Entry, Guide, Names
from pbem.boards.playing_cards import sorted_by_suit
from pbem.boards.prose import COLUMNS, counted, glued, listed, paragraphs, plain, series, shown
from pbem.boards.showdown import kind, reason
from pbem.games import cards
from pbem.games.cards import DECK
from pbem.games.poker import level

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_FILES = "abcdef"
_PAWNS, _STONES = "BW", "+o"
_FULL = 15
"""How many cards three full hands have."""


class AmazonianBuffet(Drawing):
    """Draws the grid, the pools and the three hands of Amazonian Buffet."""

    key: ClassVar[str] = "amazonian-buffet"
    crib: ClassVar[tuple[str, ...]] = (
        "Slide a pawn as a chess queen goes; pawns in line must leave that line.",
        "Claim where the file of one pawn meets the row of the other, either way;",
        "or, if your pawns are in line, any free square between them.",
        "Royal or straight flush, four, full house, flush, straight, three, pairs.",
        "Of equal kinds: the higher cards, then spades, hearts, diamonds, clubs.",
    )

    def svg(self, board: Board, names: Names, you: int | None = None) -> str:
        """Draw the grid with both pools; once it is finished, the hands with both pools."""
        title = f"Amazonian Buffet: {_headline(board, names)}"
        shown_names = [shown(name) for name in names]
        picture = buffet_grid.picture if board["stage"] == "board" else buffet_hands.picture
        return picture(board, shown_names, you, title, self.words(board, names, you))

    def text(self, board: Board, names: Names, you: int | None = None) -> str:
        """Draw the grid in letters, or list the hands, and list both pools."""
        lines = ["Amazonian Buffet", *paragraphs([f"{_headline(board, names)}."], COLUMNS).splitlines(), ""]
        if board["stage"] == "board":
            lines += [*_grid(board), ""]
            lines += [f"B, W: pawns of {shown(names[0])} and {shown(names[1])}", "+, o: their claim stones", ""]
        for number in range(3 if board["comparisons"] else 0):
            lines += _contest(board, names, number)
        for seat, name in enumerate(names, 1):
            pool, who = board["pools"][seat - 1], _who(name, seat, you)
            lines += listed(f"Cards of {who}, {len(pool)}: ", sorted_by_suit(pool))
        if board["stage"] != "board" and board["compare"] == "poker":
            lines += ["Equal kinds are compared as in poker: pairs and such first."]
        if board["own"]:
            lines += ["", *_sealed_lines(board)]
        return "\n".join(lines)

    def words(self, board: Board, names: Names, you: int | None = None) -> str:
        """Tell the grid row by row or the hands one against the other, and both pools."""
        sentences = [f"{_headline(board, names)}."]
        if board["stage"] == "board":
            for seat, name in enumerate(names, 1):
                sentences.append(f"The pawns of {_who(name, seat, you)} stand on {series(board['pawns'][seat - 1])}.")
        if board["stage"] == "board":
            sentences += [_row_said(board, names, you, row) for row in range(8, 0, -1)]
        for number in range(3 if board["comparisons"] else 0):
            sentences += _contest_said(board, names, number)
        for seat, name in enumerate(names, 1):
            pool = board["pools"][seat - 1]
            sentences.append(
                f"{_who(name, seat, you)} has {counted(len(pool), 'card')}: {spelled(sorted_by_suit(pool))}."
            )
        if board["stage"] != "board" and board["compare"] == "poker":
            sentences.append("Equal kinds are compared as in poker: pairs and such first.")
        if board["own"] == "keep":
            sentences.append("You have sealed that your hands stay as they are.")
        elif board["own"]:
            sentences.append("You have sealed three hands.")
            sentences += [
                f"The {nth} holds {spelled(hand)}." for nth, hand in zip(_ORDINALS, board["own"], strict=True)
            ]
        return paragraphs(sentences)

    def tell(self, entry: Entry, names: Names) -> str:
        """Tell a pawn move with its claim, or a layout, or that one was sealed unseen."""
        name, move = shown(names[entry["seat"] - 1]), entry["move"]
        if move is None:
            return f"{name} sealed three hands, to be shown when both are in."
        if move == "keep":
            return f"{name} kept the three hands as they were."
        if move == "pass":
            return f"{name} passed, unable to move a pawn."
        if entry["stage"] == "board":
            slide, _, claim = str(move).partition(" ")
            start, end = slide.split("-")
            what = f"claimed {said(entry['claimed'])} on {claim}" if entry["claimed"] else "claimed nothing"
            return f"{name} moved a pawn from {start} to {end} and {what}."
        hands = [
            f"{nth} {hand if hand != '-' else 'none'}" for nth, hand in zip(_ORDINALS, _hands_of(move), strict=True)
        ]
        changed = "changed the hands to" if entry["stage"] == "adjust" else "laid out"
        return f"{name} {changed}: {', '.join(hands)}."

    def prompt(self, board: Board, you: int, moves: Sequence[str]) -> str:
        """Ask for a turn, for three hands or for an answer to those shown, with an example where it is short."""
        if board["stage"] == "board":
            return _turn_asked(moves)
        if board["stage"] == "over" or board["sealed"][you - 1]:
            return "There is nothing to play now."
        use = min(_FULL, len(board["pools"][you - 1]))
        asked = []
        if board["stage"] == "adjust":
            asked.append("Both layouts are shown. Write “keep” to leave your hands, or write three new ones.")
        each = ", five in each," if use == _FULL else ", at most five in each,"
        asked.append(
            f"Make three hands of {use} of your cards{each} with a bar between them. First meets first, and so on."
        )
        example = next((move for move in moves if move.startswith("hands ")), None)
        if example:
            most, last = example.rsplit(" ", 1)
            asked.append(f"For example, {most} {glued(last, 'would be')} three hands.")
        return paragraphs(asked, COLUMNS)

    def guide(self, board: Board, names: Names, you: int) -> Guide:
        """Sort out the pool of who makes hands; and tell how the hands shown stand against each other."""
        if board["stage"] in {"board", "over"} or board["sealed"][you - 1]:
            return ()
        pool = buffet_choices.pool_guide(board["pools"][you - 1])
        if board["stage"] == "layout":
            return pool
        shown_hands = buffet_choices.hands_of(board, you, buffet_choices.KEEP)
        return (("As the hands stand", buffet_choices.standing(board, names, you, shown_hands)), *pool)

    def named(self, board: Board, you: int, moves: Sequence[str]) -> tuple[tuple[str, str], ...]:
        """Name ready layouts by what they are good for."""
        if board["stage"] in {"board", "over"}:
            return super().named(board, you, moves)
        return buffet_choices.named(board, you, moves)

    def grouped(self, pieces: Sequence[str]) -> Guide:
        """Part cards by suit; pawn moves and claims stand as they are."""
        hands = any(piece in DECK for piece in pieces)
        return buffet_choices.grouped(pieces) if hands else super().grouped(pieces)

    def begun(self, chosen: Sequence[str]) -> tuple[str, ...]:
        """Show the hands as they grow."""
        return buffet_choices.growing(chosen) if any(piece in DECK for piece in chosen) else ()

    def brings(self, board: Board, names: Names, you: int, move: str) -> tuple[str, ...]:
        """Tell what three hands show, or how they would stand against those shown."""
        if board["stage"] == "board":
            return ()
        hands = buffet_choices.hands_of(board, you, move)
        if board["stage"] == "layout":
            return (f"Your hands: {buffet_choices.kinds(hands)}.",)
        other = shown(names[2 - you])
        return (f"If {other} kept the hands shown:", *buffet_choices.standing(board, names, you, hands))

    def what(self, board: Board, names: Names, you: int, place: str) -> tuple[str, ...]:
        """Tell which card a square has and what stands on it, or where a card is."""
        square, card = place.lower(), cards.fold(place).upper()
        if len(square) == len("a1") and square[0] in _FILES and square[1] in "12345678":
            return (f"On {square} is {_square_said(board, names, you, square)}.",)
        if card not in DECK:
            return ()
        told = said(card).capitalize()
        for row, line in enumerate(board["grid"], 1):
            if card in line:
                square = f"{_FILES[line.index(card)]}{row}"
                return (f"{told} lies on {square}{_on_it(board, names, you, square)}.",)
        owners = [_name_or_you(names, you, seat) for seat, pool in enumerate(board["pools"], 1) if card in pool]
        return (f"{told} is among the cards of {series(owners)}." if owners else f"{told} is out of this game.",)

    def held(self, board: Board, you: int) -> tuple[str, ...]:
        """Tell the own pool, and the hands that were sealed."""
        pool = sorted_by_suit(board["pools"][you - 1])
        told = plain(f"You have {counted(len(pool), 'card')}: {spelled(pool)}.")
        if not board["own"]:
            return (told,)
        if board["own"] == buffet_choices.KEEP:
            return (told, "You have sealed that your hands stay as they are.")
        hands = [
            plain(f"The {nth} hand that you sealed: {spelled(hand)}.")
            for nth, hand in zip(_ORDINALS, board["own"], strict=True)
        ]
        return (told, *hands)


def _turn_asked(moves: Sequence[str]) -> str:
    if not moves:
        return "There is nothing to play now."
    if moves[0] == "pass":
        return "Neither of your pawns can move, so reply “pass” to go on."
    claiming = next((move for move in moves if not move.endswith(" none")), moves[0])
    ask = "Move a pawn and claim a card: write from where to where, then the square of the card, or “none”."
    # Words follow the example, so that it stands alone on no line however the text is broken.
    return paragraphs([ask, f"For example, {glued(claiming, 'would be a move.')}"], COLUMNS)


def _who(name: str, seat: int, you: int | None) -> str:
    return f"{shown(name)}{' (you)' if seat == you else ''}"


def _hands_of(move: Any) -> list[str]:
    return str(move).removeprefix("hands ").split(" | ")


def _headline(board: Board, names: Names) -> str:
    stage, idle = board["stage"], board["idle"]
    if stage == "board":
        if not idle:
            return "Cards are being claimed; four turns in a row without a claim end this stage"
        last = "The last turn" if idle == 1 else f"The last {counted(idle, 'turn')}"
        return f"{last} claimed nothing; four such turns in a row end this stage"
    if stage == "over":
        return f"The game is over: {_won(board, names)}"
    sealed = [shown(name) for name, done in zip(names, board["sealed"], strict=True) if done]
    first = "The grid is done: both make three hands" if stage == "layout" else "Both may change their hands once"
    return f"{first}, and {sealed[0]} has sealed already" if sealed else f"{first}, and nobody has sealed yet"


def _won(board: Board, names: Names) -> str:
    first, second = board["won"]
    if first == second:
        return f"a draw, {counted(first, 'hand')} each"
    winner = names[0] if first > second else names[1]
    return f"{shown(winner)} wins by {max(first, second)} hands to {min(first, second)}"


def _marks(board: Board) -> dict[str, str]:
    marks: dict[str, str] = {square: _STONES[seat - 1] for square, seat in board["stones"].items()}
    for pawns, mark in zip(board["pawns"], _PAWNS, strict=True):
        marks |= dict.fromkeys(pawns, mark)
    return marks


def _grid(board: Board) -> Iterator[str]:
    marks = _marks(board)
    for row in range(8, 0, -1):
        cells = [
            card + marks.get(f"{file}{row}", "") for file, card in zip(_FILES, board["grid"][row - 1], strict=True)
        ]
        yield (f"Row {row}:   " + "".join(f"{cell:7}" for cell in cells)).rstrip()
    yield (" " * 9 + "".join(f" {file}     " for file in _FILES)).rstrip()


def _row_said(board: Board, names: Names, you: int | None, row: int) -> str:
    told = [_square_said(board, names, you, f"{file}{row}", short=True) for file in _FILES]
    return f"Row {row}, from a to f: {', '.join(told)}."


def _square_said(board: Board, names: Names, you: int | None, square: str, *, short: bool = False) -> str:
    card = board["grid"][int(square[1]) - 1][_FILES.index(square[0])]
    return f"{cards.name(card) if short else said(card)}{_on_it(board, names, you, square)}"


def _on_it(board: Board, names: Names, you: int | None, square: str) -> str:
    pawns = {place: seat for seat, places in enumerate(board["pawns"], 1) for place in places}
    if square in board["stones"]:
        return f" claimed by {_name_or_you(names, you, board['stones'][square])}"
    if square not in pawns:
        return ""
    return " under your pawn" if pawns[square] == you else f" under a pawn of {shown(names[pawns[square] - 1])}"


def _name_or_you(names: Names, you: int | None, seat: int) -> str:
    return "you" if seat == you else shown(names[seat - 1])


def _cards(hand: Sequence[str]) -> str:
    return " ".join(hand) or "no cards"


def _contest(board: Board, names: Names, number: int) -> Iterator[str]:
    result = board["comparisons"][number]
    winner = result["winner"]
    outcome = (
        f"{shown(names[winner - 1])} {'wins' if board['stage'] == 'over' else 'is ahead'}" if winner else "nobody wins"
    )
    yield f"The {_ORDINALS[number]} hands: {outcome}"
    for seat, name in enumerate(names):
        yield f"  {shown(name)}: {_cards(board['layouts'][seat][number])} ({kind(result['levels'][seat])})"
    yield ""


def _contest_said(board: Board, names: Names, number: int) -> Iterator[str]:
    result = board["comparisons"][number]
    for seat, name in enumerate(names):
        hand, shows = board["layouts"][seat][number], kind(result["levels"][seat])
        yield f"The {_ORDINALS[number]} hand of {shown(name)} is {shows}{f': {spelled(hand)}' if hand else ''}."
    winner = result["winner"]
    if winner is None:
        yield f"Nobody wins the {_ORDINALS[number]} hand: both are empty."
        return
    better, worse = board["layouts"][winner - 1][number], board["layouts"][2 - winner][number]
    levels = result["levels"][winner - 1], result["levels"][2 - winner]
    verb = "wins" if board["stage"] == "over" else "would win"
    why = reason(better, worse, levels, board["compare"])
    yield f"{shown(names[winner - 1])} {verb} the {_ORDINALS[number]} hand: {why}."


def _sealed_lines(board: Board) -> list[str]:
    if board["own"] == "keep":
        return ["You have sealed that your hands stay as they are."]
    lines = ["You have sealed these hands:"]
    for nth, hand in zip(_ORDINALS, board["own"], strict=True):
        lines.append(f"  {nth}: {_cards(hand)} ({kind(level(hand))})")
    return lines
