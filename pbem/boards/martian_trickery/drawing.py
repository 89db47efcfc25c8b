"""Martian Trickery as text and in sentences; its picture is in `table`."""

from __future__ import annotations

from collections import Counter
from textwrap import wrap
from typing import TYPE_CHECKING, Any, ClassVar

from pbem.boards import amounts
from pbem.boards.amounts import points as _points
from pbem.boards.card_words import by_suit, card_list, with_article, with_capital_article
from pbem.boards.card_words import suit as said_suit
from pbem.boards.drawing import NO_TURN, Board, Chosen, Drawing, Entry, Names, Prompt, Touches, Turn
from pbem.boards.legend import card_legend, pyramid_legend
from pbem.boards.martian_trickery import table
from pbem.boards.player_names import deed_sentence, name_as_object, name_in_sentence, player_label
from pbem.boards.playing_cards import sorted_by_suit
from pbem.boards.prose import COLUMNS, clean_name, format_list, glued, series, unglued, wrap_sentences
from pbem.boards.pyramid_words import pyramid_name as said_prize
from pbem.games import cards, pyramids
from pbem.games.martian_trickery.position import POWER
from pbem.games.martian_trickery.score import hand_score
from pbem.i18n import _, marked, several

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


class MartianTrickery(Drawing):
    """Drawing of Martian Trickery: the prizes, the trick and the hands."""

    key: ClassVar[str] = "martian-trickery"
    lines: ClassVar[tuple[str, ...]] = (
        marked("Lead a prize and a card; no spade until one has trumped another suit."),
        marked("Follow suit if you can. The highest spade wins, else the suit that was led."),
        marked("Three of one size or a tree of one colour: 7. Other trees: 5. Singles: 1."),
        marked("One black pyramid: your points of its size count for nothing."),
        marked("Two black: your points count below zero. Three: 21 more for you."),
    )

    def svg(
        self, board: Board, names: Names, you: int | None = None, turn: Turn = NO_TURN, *, described: bool = True
    ) -> str:
        """Draw the prizes and the trick, the viewer's hand, and what each player has won."""
        title = f"Martian Trickery: {_headline(board)}"
        shown_names = [clean_name(name) for name in names]
        description = self.description(board, names, you, turn) if described else ""
        return table.picture(board, shown_names, you, turn, title, description)

    def text(self, board: Board, names: Names, you: int | None = None) -> str:
        """List the prizes, the trick, what each player has won, and the viewer's hand."""
        lines = [
            "Martian Trickery",
            *wrap_sentences([f"{_headline(board)}.", f"{_turn_sentence(board, names)}."], COLUMNS).splitlines(),
        ]
        if board["phase"] != "over":
            lines += ["", *format_list(_("In the middle: "), board["middle"] or [_("nothing")])]
            lines.append(_spades_state(board))
            lines += _trick_lines(board, names)
        lines += [""]
        for seat, name in enumerate(names, 1):
            lines += _seat_lines(board, seat, player_label(name, seat, you))
        if board["prizes"] == "two-stash":
            lines.append(_("Every tree is worth 5 in this match, of one colour or not."))
        if board["hand_scores"]:
            lines += ["", _("Hands so far, in the order of the players above:")]
            lines += [
                _("Hand {number}: {scores}", number=hand, scores=", ".join(map(str, scores)))
                for hand, scores in enumerate(board["hand_scores"], 1)
            ]
        if board["hand"]:
            lines += ["", _("Your hand:")]
            lines += [
                line for suit, held in by_suit(board["hand"]) for line in format_list(f"  {suit}: ".ljust(12), held)
            ]
        for name, held in zip(names, board.get("hands_open", ()), strict=False):
            lines += format_list(_("Hand of {name}: ", name=clean_name(name)), sorted_by_suit(held) or [_("empty")])
        return "\n".join(lines)

    def words(self, board: Board, names: Names, you: int | None = None) -> str:
        """Describe whose turn it is, the prizes, the trick, the hauls and scores, and the viewer's hand."""
        sentences = [f"{_headline(board)}.", f"{_turn_sentence(board, names)}."]
        if board["phase"] != "over":
            sentences += _describe_prizes(board)
            sentences.append(_spades_state(board))
        sentences += [
            _("{name} played {card}.", name=clean_name(names[laid["seat"] - 1]), card=with_article(laid["card"]))
            for laid in board["trick"]
        ]
        if board["tricks"] and not board["trick"]:
            sentences.append(_describe_last_trick(board["tricks"][-1], names))
        for seat, name in enumerate(names, 1):
            player, total = player_label(name, seat, you), _points(board["totals"][seat - 1])
            if board["phase"] == "over":
                sentences.append(_("{name} has {points} in all.", name=player, points=total))
            else:
                held = amounts.cards(board["hand_sizes"][seat - 1])
                sentence = _("{name} has {cards} in hand and {points} in all.", name=player, cards=held, points=total)
                sentences.append(sentence)
            sentences.append(_describe_haul(board, seat, player))
        for hand, scores in enumerate(board["hand_scores"], 1):
            sentences.append(_("Hand {number} brought {shares}.", number=hand, shares=_points_series(scores, names)))
        if board["hand"]:
            sentences.append(_("You hold {things}.", things=card_list(sorted_by_suit(board["hand"]))))
        for name, held in zip(names, board.get("hands_open", ()), strict=False):
            sentences.append(_("{name} holds {things}.", name=clean_name(name), things=card_list(sorted_by_suit(held))))
        return wrap_sentences(sentences)

    def tell(self, entry: Entry, names: Names) -> str:
        """Describe what was led or played, who won the trick, and the scores of a finished hand."""
        sentences = [_describe_play(entry, names)]
        if entry.get("broken"):
            sentences.append(_("Spades are broken now"))
        if "hand_scores" in entry:
            shares = _points_series(entry["hand_scores"], names)
            sentences.append(_("That was hand {number}: {shares}", number=entry["hand_number"], shares=shares))
        if "next_dealer" in entry:
            dealer = names[entry["next_dealer"] - 1]
            sentences.append(_("A new hand was dealt, with {name} as the dealer", name=name_in_sentence(dealer)))
        if "winners" in entry:
            winners = series([name_as_object(names[seat - 1]) for seat in entry["winners"]])
            sentences.append(_("The match went to {names}", names=winners))
        return unglued(". ".join(sentences) + ".")

    def prompt(self, board: Board, you: int, moves: Sequence[str]) -> Prompt:  # noqa: ARG002
        """Ask for a prize and a card, or for a card that follows, with one of the listed moves as the example."""
        if not moves:
            return Prompt([_("There is nothing to play now.")])
        # Words follow the example, so that no line break leaves it alone on a line.
        would_be = _("{move} would be a move.", move=moves[0])
        example = _("For example, {move}", move=glued(would_be))
        if board["phase"] == "lead":
            ask = _("You lead: name a prize from the middle, then a card of yours.")
            if not board["broken"]:
                ask += " " + _("Spades may not be led yet unless you hold nothing else.")
            return Prompt([ask], example)
        letter = board["trick"][0]["card"][1]
        led = {"suit": said_suit(letter), "pyramid": said_prize(board["prize"])}
        if any(move[1] == letter for move in moves):
            ask = _("Follow suit: {suit} were led for the {pyramid}, and you hold {suit}.", **led)
        else:
            ask = _("You hold no {suit}, the suit led for the {pyramid}, so any card may be played.", **led)
        return Prompt([ask], example)

    @property
    def legend(self) -> tuple[str, ...]:
        """Return what the codes of this game stand for."""
        return (pyramid_legend("RYGK"), _("K1 is the small black pyramid; KH is the king of hearts."), card_legend())

    def goal(self, board: Board) -> str:
        """Return what wins the match."""
        return several(
            "The most points after the hand win.", "The most points after {number} hands win.", board["hands"]
        )

    def reasons(self, board: Board, names: Names, you: int, moves: Sequence[str]) -> tuple[str, ...]:
        """Return what a lead would be worth, or whether a card wins."""
        if board["trick"]:
            return super().reasons(board, names, you, moves)
        return tuple(self._lead_reason(board, names, you, move) for move in moves)

    def _lead_reason(self, board: Board, names: Names, you: int, move: str) -> str:
        haul, prize = board["won"][you - 1], move.split(" ", maxsplit=1)[0]
        if hand_score([*haul, prize], board["prizes"]) > board["worth"][you - 1]:
            return self.brings(board, names, you, move)[-1]
        return _("The {pyramid} brings you nothing: let somebody else win it.", pyramid=said_prize(prize))

    def touches(self, board: Board, you: int, chosen: Chosen, pieces: Sequence[str]) -> Touches:  # noqa: ARG002
        """Return the prizes in the middle, then the cards of the hand."""
        return {piece: (piece,) for piece in pieces}

    def resting(self, board: Board, you: int, chosen: Chosen) -> dict[str, int]:  # noqa: ARG002
        """Return the chosen prize and card, which stay where they are."""
        return {piece: number for number, piece in enumerate(chosen)}

    def during(self, board: Board, you: int, chosen: Chosen) -> Board:  # noqa: ARG002
        """Return the board with the chosen prize in the place of the trick's prize."""
        if board["phase"] != "lead" or not chosen:
            return board
        # Without the last trick, the picture shows the one that begins.
        return {**board, "prize": chosen[0], "tricks": []}

    def brings(self, board: Board, names: Names, you: int, move: str) -> tuple[str, ...]:
        """Describe what a lead demands of the others, or whether a card wins against those in the trick."""
        prize, card = move.split(" ") if " " in move else (board["prize"], move)
        haul = [*board["won"][you - 1], prize]
        worth = {"now": _points(board["worth"][you - 1]), "then": _points(hand_score(haul, board["prizes"]))}
        gain = _(
            "With the {pyramid}, what you won in this hand would be worth {then}; now it is {now}.",
            pyramid=said_prize(prize), **worth,
        )  # fmt: skip
        if not board["trick"]:
            led = {"card": with_article(card), "suit": said_suit(card[1])}
            return (_("You would lead {card}: the others must follow with {suit} while they have any.", **led), gain)
        laid = {one["card"]: one["seat"] for one in board["trick"]} | {card: you}
        best = max(laid, key=POWER[next(iter(laid))[1]].__getitem__)
        last = len(laid) == len(names)
        if best != card and not last:
            return (_("It cannot win: {card} lies there.", card=with_article(best)),)
        if best != card:
            parts = {"name": _name(names, laid[best]), "pyramid": said_prize(prize), "card": with_article(best)}
            return (_("{name} wins the trick and the {pyramid} with {card}.", **parts),)
        if last:
            return (_("This wins the trick and the {pyramid}.", pyramid=said_prize(prize)), gain)
        so_far = several(
            "It would be the best card so far, with one player to come.",
            "It would be the best card so far, with {number} players to come.",
            len(names) - len(laid),
        )
        return (so_far, gain)

    def what(self, board: Board, names: Names, you: int, place: str) -> tuple[str, ...]:  # noqa: ARG002
        """Describe where a card was seen, or where a prize is."""
        card, prize = cards.fold(place).upper(), pyramids.fold(place).upper()
        if card in cards.DECK:
            return (_describe_card(board, names, card),)
        if prize not in pyramids.TREEHOUSE:
            return ()
        middle = board["middle"].count(prize)
        where = [several("one in the middle", "{number} in the middle", middle)] if middle else []
        where += [
            several(
                "one won by {name} in this hand",
                "{number} won by {name} in this hand",
                won.count(prize),
                name=name_in_sentence(names[seat - 1]),
            )
            for seat, won in enumerate(board["won"], 1)
            if prize in won
        ]
        parts = {"code": prize, "pyramid": said_prize(prize), "places": series(where) or _("none in this hand")}
        return (_("Of {code}, the {pyramid} prize: {places}.", **parts),)

    def held(self, board: Board, you: int) -> tuple[str, ...]:
        """Describe the viewer's hand, and what they have won in it."""
        hand = unglued(_("You hold {things}.", things=card_list(sorted_by_suit(board["hand"] or ()))))
        won = series([said_prize(prize) for prize in board["won"][you - 1]])
        if not won:
            return (hand, _("You have won nothing in this hand yet."))
        return (hand, _("You have won {prizes} in this hand.", prizes=won))


def _describe_card(board: Board, names: Names, card: str) -> str:
    name = with_capital_article(card)
    if card in (board["hand"] or ()):
        return _("{card} is in your hand.", card=name)
    for laid in board["trick"]:
        if laid["card"] == card:
            return _(
                "{card} lies in this trick, from {name}.", card=name, name=name_in_sentence(names[laid["seat"] - 1])
            )
    for number, trick in enumerate(board["tricks"], 1):
        for laid in trick["cards"]:
            if laid["card"] == card:
                return several(
                    "{card} was played by {name} in trick one of this hand.",
                    "{card} was played by {name} in trick {number} of this hand.",
                    number,
                    card=name,
                    name=name_in_sentence(names[laid["seat"] - 1]),
                )
    return _("{card} has not been seen in this hand.", card=name)


def _describe_play(entry: Entry, names: Names) -> str:
    """Describe what was led or played, and who won the trick."""
    name, move = names[entry["seat"] - 1], str(entry["move"])
    card, prize = with_article(move[-2:]), move[:-2].strip()
    if prize:
        led = {"card": card, "prize": prize}
        deed = deed_sentence(
            name, "You led {card} for the prize {prize}", "{name} led {card} for the prize {prize}", **led
        )
    else:
        deed = deed_sentence(name, "You played {card}", "{name} played {card}", card=card)
    if "winner" not in entry:
        return deed
    won = {"deed": deed, "pyramid": said_prize(entry["prize"])}
    if entry["winner"] == entry["seat"]:
        return _("{deed} and won the trick and the {pyramid}", **won)
    return _(
        "{deed}, and {name} won the trick and the {pyramid}", **won, name=name_as_object(names[entry["winner"] - 1])
    )


def _name(names: Names, seat: int) -> str:
    return clean_name(names[seat - 1])


def _spades_state(board: Board) -> str:
    return _("Spades are broken.") if board["broken"] else _("Spades are not broken yet.")


def _headline(board: Board) -> str:
    number, hands = board["hand_number"], board["hands"]
    if board["phase"] == "over":
        return several("The game is over after one hand", "The game is over after {number} hands", number)
    if number > hands:
        return _("Hand {number}, to break the tie, trick {trick} of 12", number=number, trick=board["trick_number"])
    return _("Hand {number} of {all}, trick {trick} of 12", number=number, all=hands, trick=board["trick_number"])


def _turn_sentence(board: Board, names: Names) -> str:
    if board["phase"] == "over":
        best = max(board["totals"])
        winner = board["totals"].index(best) + 1
        return _("{name} wins with {points}", name=_name(names, winner), points=_points(best))
    leader = _name(names, board["leader"])
    if board["phase"] == "lead":
        return _("{name} is to lead", name=leader)
    turn = (board["leader"] - 1 + len(board["trick"])) % len(names) + 1
    led = {"leader": leader, "pyramid": said_prize(board["prize"]), "other": _name(names, turn)}
    return _("{leader} led for the {pyramid}; {other} is to follow", **led)


def _points_series(scores: Sequence[int], names: Names) -> str:
    """Format each player's points as a series."""
    share = glued(_("for {name}"))
    return series(
        [
            f"{_points(points)} {share.format(name=glued(name_as_object(name)))}"
            for name, points in zip(names, scores, strict=True)
        ]
    )


def _trick_lines(board: Board, names: Names) -> Iterator[str]:
    if board["trick"]:
        laid = [_("{card} from {name}", card=card["card"], name=_name(names, card["seat"])) for card in board["trick"]]
        yield from format_list(_("Prize {prize}: ", prize=board["prize"]), laid)
    elif board["tricks"]:
        last, lead = board["tricks"][-1], _("Last trick: ")
        laid = [_("{card} from {name}", card=card["card"], name=_name(names, card["seat"])) for card in last["cards"]]
        yield from format_list(lead, laid)
        won = _("won by {name}, with {prize}", name=_name(names, last["winner"]), prize=last["prize"])
        yield " " * len(lead) + won


def _describe_last_trick(last: Mapping[str, Any], names: Names) -> str:
    cards = [
        _("{card} from {name}", card=with_article(laid["card"]), name=_name(names, laid["seat"]))
        for laid in last["cards"]
    ]
    won = {"cards": series(cards), "name": _name(names, last["winner"]), "pyramid": said_prize(last["prize"])}
    return _("In the last trick lay {cards}; {name} won it, and with it the {pyramid}.", **won)


def _describe_prizes(board: Board) -> Iterator[str]:
    kinds: Counter[str] = Counter(board["middle"])
    prizes = [
        glued(_("the {pyramid}", pyramid=said_prize(prize))) if count == 1 else _prize_count(prize, count)
        for prize, count in kinds.items()
    ]
    if len(board["middle"]) > 1:
        yield _("The prizes in the middle are {prizes}.", prizes=series(prizes))
    elif prizes:
        yield _("The prize in the middle is {prize}.", prize=prizes[0])
    else:
        yield _("No prize is left in the middle.")
    if board["prizes"] == "two-stash":
        yield _("Every tree is worth five points in this match, of one colour or not.")


def _describe_haul(board: Board, seat: int, player: str) -> str:
    """Describe what a seat has won in the current hand, and its worth."""
    haul, worth = Counter(board["won"][seat - 1]), _points(board["worth"][seat - 1])
    over = board["phase"] == "over"
    if not haul:
        if over:
            return _("{name} won nothing in the last hand.", name=player)
        return _("{name} has won nothing in this hand.", name=player)
    parts = {"name": player, "prizes": series([_prize_count(*prize) for prize in haul.items()]), "points": worth}
    if over:
        return _("In the last hand {name} won {prizes}, worth {points}.", **parts)
    return _("In this hand {name} has won {prizes}, worth {points}.", **parts)


def _prize_count(prize: str, count: int) -> str:
    """Format a number of prizes of a kind; a single one has no number."""
    return several("{pyramid}", "{number} {pyramid}s", count, pyramid=said_prize(prize))


def _seat_lines(board: Board, seat: int, player: str) -> Iterator[str]:
    held, points = board["hand_sizes"][seat - 1], _points(board["totals"][seat - 1])
    if board["phase"] != "over":
        player = _("{name}, {cards}", name=player, cards=amounts.cards(held))
    line = f"{player}: {points}"
    if seat == board["dealer"]:
        line = _("{name}: {points}, dealer", name=player, points=points)
    yield from [line] if len(line) <= COLUMNS else wrap(line, COLUMNS, subsequent_indent="  ")
    haul = board["won"][seat - 1]
    won = [*haul[:-1], f"{haul[-1]} = {board['worth'][seat - 1]}"] if haul else [_("nothing yet")]
    yield from format_list(_("  won: "), won)
