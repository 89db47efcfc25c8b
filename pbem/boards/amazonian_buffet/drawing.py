"""Amazonian Buffet as text and in sentences; its pictures are in `grid` and `hands`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from pbem.boards import amounts
from pbem.boards.amazonian_buffet import choices, choosing, contests, grid, squares
from pbem.boards.amazonian_buffet import hands as hands_picture
from pbem.boards.amazonian_buffet.choices import ordinals
from pbem.boards.amazonian_buffet.squares import FILES, ROWS
from pbem.boards.card_words import card_list, with_article
from pbem.boards.card_words import with_capital_article as begun_card
from pbem.boards.drawing import NO_TURN, Board, Chosen, Drawing, Entry, Guide, Names, Prompt, Touches, Turn
from pbem.boards.hand_comparison import level_phrase
from pbem.boards.legend import card_legend
from pbem.boards.player_names import deed_sentence, name_in_sentence, player_label
from pbem.boards.playing_cards import sorted_by_suit
from pbem.boards.prose import COLUMNS, clean_name, format_list, glued, series, unglued, wrap_sentences
from pbem.games import cards
from pbem.games.amazonian_buffet.layouts import KEEP, split_hands
from pbem.games.cards import DECK
from pbem.games.poker import level
from pbem.i18n import _, marked, meaning, several

if TYPE_CHECKING:
    from collections.abc import Sequence

_FULL_HANDS_CARDS = 15
"""Number of cards in three full hands."""


class AmazonianBuffet(Drawing):
    """Drawing of Amazonian Buffet: the grid, the pools and the three hands."""

    key: ClassVar[str] = "amazonian-buffet"
    lines: ClassVar[tuple[str, ...]] = (
        marked("Slide a pawn like a chess queen; pawns in line must leave that line."),
        marked("Claim where the file of one pawn meets the row of the other, either way."),
        marked("If your pawns are in line, claim any free square between them."),
        marked("Royal or straight flush, four, full house, flush, straight, three, pairs."),
        marked("Of equal kinds: the higher cards, then spades, hearts, diamonds, clubs."),
    )

    def svg(
        self, board: Board, names: Names, you: int | None = None, turn: Turn = NO_TURN, *, described: bool = True
    ) -> str:
        """Draw the grid with both pools; once the board stage is over, the hands with both pools."""
        title = f"Amazonian Buffet: {_headline(board, names)}"
        shown_names = [clean_name(name) for name in names]
        description = self.description(board, names, you, turn) if described else ""
        picture = grid.picture if board["stage"] == "board" else hands_picture.picture
        return picture(board, shown_names, you, turn, title, description)

    def last_entries(self, turn: Turn) -> Sequence[Entry]:
        """Return the last turn on the grid, or all that was sealed in the last stage."""
        stage = turn.log[-1]["stage"] if turn.log else ""
        since = len(turn.log) - 1 if stage == "board" else 0
        return [entry for entry in turn.log[since:] if entry["stage"] == stage]

    def text(self, board: Board, names: Names, you: int | None = None) -> str:
        """Write the grid or the hands, and both pools."""
        lines = ["Amazonian Buffet", *wrap_sentences([f"{_headline(board, names)}."], COLUMNS).splitlines(), ""]
        if board["stage"] == "board":
            lines += [*squares.lines(board), ""]
            lines += [_("B, W: pawns of {first} and {second}", first=clean_name(names[0]), second=clean_name(names[1]))]
            lines += [_("+, o: their claim stones"), ""]
        for number in range(3 if board["comparisons"] else 0):
            lines += contests.lines(board, names, number)
        for seat, name in enumerate(names, 1):
            pool = board["pools"][seat - 1]
            lead = _("Cards of {name}, {count}: ", name=player_label(name, seat, you), count=len(pool))
            lines += format_list(lead, sorted_by_suit(pool))
        if board["stage"] != "board" and board["compare"] == "poker":
            lines += [_("Equal kinds are compared as in poker: pairs and such first.")]
        if board["own"]:
            lines += ["", *_sealed_lines(board)]
        return "\n".join(lines)

    def words(self, board: Board, names: Names, you: int | None = None) -> str:
        """Describe the grid row by row or the hands pair by pair, and both pools."""
        sentences = [f"{_headline(board, names)}."]
        if board["stage"] == "board":
            for seat, name in enumerate(names, 1):
                pawns = {"name": player_label(name, seat, you), "squares": series(board["pawns"][seat - 1])}
                sentences.append(_("The pawns of {name} stand on {squares}.", **pawns))
            sentences += [squares.describe_row(board, names, you, row) for row in ROWS]
        for number in range(3 if board["comparisons"] else 0):
            sentences += contests.sentences(board, names, number)
        for seat, name in enumerate(names, 1):
            pool = board["pools"][seat - 1]
            held = {"count": amounts.cards(len(pool)), "cards": card_list(sorted_by_suit(pool))}
            sentences.append(_("{name} has {count}: {cards}.", name=player_label(name, seat, you), **held))
        if board["stage"] != "board" and board["compare"] == "poker":
            sentences.append(_("Equal kinds are compared as in poker: pairs and such first."))
        if board["own"] == KEEP:
            sentences.append(_("You have sealed your choice to keep your hands."))
        elif board["own"]:
            sentences.append(_("You have sealed three hands."))
            sentences += [
                _("The {nth} holds {cards}.", nth=nth, cards=card_list(hand))
                for nth, hand in zip(ordinals(), board["own"], strict=True)
            ]
        return wrap_sentences(sentences)

    def tell(self, entry: Entry, names: Names) -> str:
        """Describe a pawn move with its claim, a layout, or that a layout was sealed."""
        name, move = names[entry["seat"] - 1], entry["move"]
        if move is None:
            return deed_sentence(
                name,
                "You sealed three hands, to be shown when both are in.",
                "{name} sealed three hands, to be shown when both are in.",
            )
        if move == KEEP:
            return deed_sentence(
                name, "You kept the three hands as they were.", "{name} kept the three hands as they were."
            )
        if move == "pass":
            return deed_sentence(name, "You passed, unable to move a pawn.", "{name} passed, unable to move a pawn.")
        return _describe_slide(name, entry) if entry["stage"] == "board" else _describe_layout(name, entry)

    def prompt(self, board: Board, you: int, moves: Sequence[str]) -> Prompt:
        """Ask for a turn, for three hands or for a reply to those shown, with an example if there is one."""
        if board["stage"] == "board":
            return _turn_prompt(moves)
        if board["stage"] == "over" or board["sealed"][you - 1]:
            return Prompt([_("There is nothing to play now.")])
        use = min(_FULL_HANDS_CARDS, len(board["pools"][you - 1]))
        sentences = []
        if board["stage"] == "adjust":
            sentences.append(_("Both layouts are shown. Write “keep” to leave your hands, or write three new ones."))
        if use == _FULL_HANDS_CARDS:
            ask = _(
                "Make three hands of {count} of your cards, five in each, with a bar between them. "
                "First meets first, and so on.",
                count=use,
            )
        else:
            ask = _(
                "Make three hands of {count} of your cards, at most five in each, with a bar between them. "
                "First meets first, and so on.",
                count=use,
            )
        sentences.append(ask)
        hands = next((move for move in moves if move.startswith("hands ")), None)
        if not hands:
            return Prompt(sentences)
        most, last = hands.rsplit(" ", 1)
        last = glued(_("{card} would be", card=last))
        return Prompt(sentences, _("For example, {hands} three hands.", hands=f"{most} {last}"))

    def guide(self, board: Board, names: Names, you: int) -> Guide:
        """Return the sorted pool of a seat that makes hands, and how the shown hands compare."""
        if board["stage"] in {"board", "over"} or board["sealed"][you - 1]:
            return ()
        pool = choices.pool_guide(board["pools"][you - 1])
        if board["stage"] == "layout":
            return pool
        shown_hands = choices.parse_hands(board, you, KEEP)
        return ((_("As the hands stand"), choices.predict_contests(board, names, you, shown_hands)), *pool)

    def named(self, board: Board, you: int, moves: Sequence[str]) -> tuple[tuple[str, str], ...]:
        """Return a name and a hint for each suggested layout."""
        if board["stage"] in {"board", "over"}:
            return super().named(board, you, moves)
        return choices.name_layouts(board, you, moves)

    def grouped(self, pieces: Sequence[str]) -> Guide:
        """Group cards by suit; pawn moves and claims stay as they are."""
        hands = any(piece in DECK for piece in pieces)
        return choices.group_pieces(pieces) if hands else super().grouped(pieces)

    def begun(self, chosen: Sequence[str]) -> tuple[str, ...]:
        """Describe the hands as they grow."""
        return choices.describe_chosen(chosen) if any(piece in DECK for piece in chosen) else ()

    @property
    def legend(self) -> tuple[str, ...]:
        """Return what the codes of this game stand for."""
        return (card_legend(),)

    def goal(self, board: Board) -> str:  # noqa: ARG002
        """Return what wins the match."""
        return _("Two of your three hands must beat your opponent’s.")

    def task(self, board: Board, you: int, moves: Sequence[str]) -> str:
        """Return what a turn on the grid is."""
        if board["stage"] != "board" or not moves or moves[0] == "pass":
            return super().task(board, you, moves)
        return _("Move one of your pawns like a chess queen, then claim a card, or none.")

    def reasons(self, board: Board, names: Names, you: int, moves: Sequence[str]) -> tuple[str, ...]:
        """Return how a claimed card goes with those that the seat has; hands are named."""
        if board["stage"] != "board":
            return super().reasons(board, names, you, moves)
        return tuple(choosing.reason(board, you, move) for move in moves)

    def touches(self, board: Board, you: int, chosen: Chosen, pieces: Sequence[str]) -> Touches:  # noqa: ARG002
        """Return the squares that a pawn leaves and reaches, the square to claim, or the cards of the pool."""
        return choosing.touches(pieces)

    def resting(self, board: Board, you: int, chosen: Chosen) -> dict[str, int]:  # noqa: ARG002
        """Return the square of the moved pawn, the square to claim, or the cards of the hands so far."""
        return choosing.resting(chosen)

    def without(self, chosen: Chosen, number: int) -> Chosen:
        """Return the chosen pieces without one: a card leaves the others as they are."""
        return choosing.without(chosen, number)

    def during(self, board: Board, you: int, chosen: Chosen) -> Board:
        """Return the grid with the pawn on the square that it is moved to."""
        return choosing.during(board, you, chosen)

    def brings(self, board: Board, names: Names, you: int, move: str) -> tuple[str, ...]:
        """Describe what three hands show, or how they would do against those shown."""
        if board["stage"] == "board":
            return ()
        hands = choices.parse_hands(board, you, move)
        if board["stage"] == "layout":
            return (_("Your hands: {kinds}.", kinds=choices.level_names(hands)),)
        other = clean_name(names[2 - you])
        return (_("If {name} kept the hands shown:", name=other), *choices.predict_contests(board, names, you, hands))

    def what(self, board: Board, names: Names, you: int, place: str) -> tuple[str, ...]:
        """Describe which card a square has and what is on it, or where a card is."""
        square, card = place.lower(), cards.fold(place).upper()
        if len(square) == len("a1") and square[0] in FILES and square[1] in "12345678":
            there = squares.describe_square(board, names, you, square)
            return (_("On {square} is {what}.", square=square, what=there),)
        if card not in DECK:
            return ()
        name = begun_card(card)
        for row, line in enumerate(board["grid"], 1):
            if card in line:
                square = f"{FILES[line.index(card)]}{row}"
                lies = _("{card} lies on {square}", card=name, square=square)
                return (f"{squares.add_occupant(lies, board, names, you, square)}.",)
        owners = [name_in_sentence(name) for name, pool in zip(names, board["pools"], strict=True) if card in pool]
        if not owners:
            return (_("{card} is out of this game.", card=name),)
        return (_("{card} is among the cards of {names}.", card=name, names=series(owners)),)

    def held(self, board: Board, you: int) -> tuple[str, ...]:
        """Describe the viewer's pool, and the hands they have sealed."""
        pool = sorted_by_suit(board["pools"][you - 1])
        pool_sentence = unglued(_("You have {count}: {cards}.", count=amounts.cards(len(pool)), cards=card_list(pool)))
        if not board["own"]:
            return (pool_sentence,)
        if board["own"] == KEEP:
            return (pool_sentence, _("You have sealed your choice to keep your hands."))
        hands = [
            unglued(_("The {nth} hand that you sealed: {cards}.", nth=nth, cards=card_list(hand)))
            for nth, hand in zip(ordinals(), board["own"], strict=True)
        ]
        return (pool_sentence, *hands)


def _describe_slide(name: str, entry: Entry) -> str:
    """Describe a pawn's slide and what it claimed."""
    slide, _space, claim = str(entry["move"]).partition(" ")
    start, end = slide.split("-")
    if not entry["claimed"]:
        return deed_sentence(
            name,
            "You moved a pawn from {start} to {end} and claimed nothing.",
            "{name} moved a pawn from {start} to {end} and claimed nothing.",
            start=start,
            end=end,
        )
    return deed_sentence(
        name,
        "You moved a pawn from {start} to {end} and claimed {card} on {square}.",
        "{name} moved a pawn from {start} to {end} and claimed {card} on {square}.",
        start=start,
        end=end,
        card=with_article(entry["claimed"]),
        square=claim,
    )


def _describe_layout(name: str, entry: Entry) -> str:
    """Describe hands that were laid out or changed."""
    hands = ", ".join(
        _("{nth} {cards}", nth=nth, cards=" ".join(hand) or meaning("hand", "none"))
        for nth, hand in zip(ordinals(), split_hands(entry["move"]), strict=True)
    )
    if entry["stage"] == "adjust":
        return deed_sentence(
            name, "You changed your hands to: {hands}.", "{name} changed their hands to: {hands}.", hands=hands
        )
    return deed_sentence(name, "You laid out: {hands}.", "{name} laid out: {hands}.", hands=hands)


def _turn_prompt(moves: Sequence[str]) -> Prompt:
    if not moves:
        return Prompt([_("There is nothing to play now.")])
    if moves[0] == "pass":
        return Prompt([_("Neither of your pawns can move, so reply “pass” to go on.")])
    claiming = next((move for move in moves if not move.endswith(" none")), moves[0])
    ask = _("Move a pawn and claim a card: write from where to where, then the square of the card, or “none”.")
    # Words follow the example, so that no line break leaves it alone on a line.
    would_be = _("{move} would be a move.", move=claiming)
    return Prompt([ask], _("For example, {move}", move=glued(would_be)))


def _headline(board: Board, names: Names) -> str:
    stage, idle = board["stage"], board["idle"]
    if stage == "board":
        if not idle:
            return _("Cards are being claimed; four turns in a row without a claim end this stage")
        return several(
            "The last turn claimed nothing; four such turns in a row end this stage",
            "The last {number} turns claimed nothing; four such turns in a row end this stage",
            idle,
        )
    if stage == "over":
        return _result_line(board, names)
    return _sealing_state(board, names)


def _sealing_state(board: Board, names: Names) -> str:
    """Return what is to be sealed, and who has sealed already."""
    sealed = [clean_name(name) for name, done in zip(names, board["sealed"], strict=True) if done]
    if board["stage"] == "layout":
        if sealed:
            return _("The grid is done: both make three hands, and {name} has sealed already", name=sealed[0])
        return _("The grid is done: both make three hands, and nobody has sealed yet")
    if sealed:
        return _("Both may change their hands once, and {name} has sealed already", name=sealed[0])
    return _("Both may change their hands once, and nobody has sealed yet")


def _result_line(board: Board, names: Names) -> str:
    first, second = board["won"]
    if first == second:
        return several(
            "The game is over: a draw, one hand each", "The game is over: a draw, {number} hands each", first
        )
    winner = clean_name(names[0] if first > second else names[1])
    best, least = max(first, second), min(first, second)
    return _("The game is over: {name} wins by {best} hands to {least}", name=winner, best=best, least=least)


def _sealed_lines(board: Board) -> list[str]:
    if board["own"] == KEEP:
        return [_("You have sealed your choice to keep your hands.")]
    return [
        _("You have sealed these hands:"),
        *(
            _("  {nth}: {cards} ({kind})", nth=nth, cards=choices.format_hand(hand), kind=level_phrase(level(hand)))
            for nth, hand in zip(ordinals(), board["own"], strict=True)
        ),
    ]
