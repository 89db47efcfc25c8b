"""Montauk as text and in sentences; its picture is in `tracks`."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, ClassVar

from pbem.boards import amounts
from pbem.boards.amounts import points as _points
from pbem.boards.card_words import card_list, with_article, with_capital_article
from pbem.boards.card_words import suit as said_suit
from pbem.boards.drawing import NO_TURN, Board, Chosen, Drawing, Entry, Names, Prompt, Touches, Turn
from pbem.boards.legend import card_legend
from pbem.boards.montauk import choosing, entries, tracks
from pbem.boards.player_names import name_in_sentence, player_label
from pbem.boards.playing_cards import sorted_by_suit
from pbem.boards.prose import COLUMNS, clean_name, format_list, glued, series, unglued, wrap_sentences
from pbem.games.cards import DECK, fold
from pbem.games.montauk.cards import BEATS, VALUE
from pbem.i18n import _, marked, meaning, several

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_SPOTS = (6, 5, 4, 3, 2, 1)
_PYRAMIDS_PER_SEAT = 6
_NAME_COLUMNS = 26


class Montauk(Drawing):
    """Drawing of Montauk: the tracks, the trick and the hands."""

    key: ClassVar[str] = "montauk"
    lines: ClassVar[tuple[str, ...]] = (
        marked("Spades beat hearts and diamonds; hearts beat diamonds and clubs."),
        marked("Diamonds beat clubs; clubs beat spades. In one suit the follower wins."),
        marked("Worth: A to 6 are 1 to 6, 7 to Q are 1 to 6 again, K is 0."),
        marked("The winner spends both worths. Equal worth: one four times, if twins six."),
        marked("Same suit or worth: an extra card, once; if it matches the winner's, 4 or 6."),
    )

    def svg(
        self, board: Board, names: Names, you: int | None = None, turn: Turn = NO_TURN, *, described: bool = True
    ) -> str:
        """Draw both tracks with the trick between them, and the viewer's hand."""
        if board["phase"] == "over":
            head = _result(board, names)
        else:
            head = _("Round {number} of {all}", number=board["round"], all=board["rounds"])
        shown_names = [clean_name(name) for name in names]
        description = self.description(board, names, you, turn) if described else ""
        return tracks.picture(board, shown_names, you, turn.to_move, self.last_entries(turn), head, description)

    def last_entries(self, turn: Turn) -> Sequence[Entry]:
        """Return what the player who moved last has done since the other: following, spending and leading."""
        last = turn.log[-1]["seat"] if turn.log else None
        return [*takewhile(lambda entry: entry["seat"] == last, reversed(turn.log))][::-1]

    def text(self, board: Board, names: Names, you: int | None = None) -> str:
        """List the trick, the number of pyramids on each spot, the scores, and the viewer's hand."""
        lines = [
            "Montauk",
            *wrap_sentences([f"{_headline(board)}.", f"{_turn_sentence(board, names)}."], COLUMNS).splitlines(),
        ]
        laid = list(_trick_cards(board, names))
        lines += ["", *format_list(_("The trick: "), laid), ""] if laid else [""]
        vault = meaning("a track", "vault")
        lines += [_("Spot").ljust(_NAME_COLUMNS) + "".join(f"{spot:4}" for spot in _SPOTS) + f"  {vault}"]
        for seat, (name, track) in enumerate(zip(names, board["tracks"], strict=True), 1):
            counts = "".join(f"{track['spots'][spot - 1]:4}" for spot in _SPOTS)
            lines.append(f"{player_label(name, seat, you):{_NAME_COLUMNS}}{counts}  {track['off']:{len(vault)}}")
        lines.append("")
        for seat, name in enumerate(names, 1):
            points, nulls = _points(board["scores"][seat - 1]), amounts.nulls(board["nulls"][seat - 1])
            lines.append(f"{player_label(name, seat, you)}: {points}, {nulls}")
            if board["first"] == seat:
                lines.append(_("  first to empty the track in this round"))
            if any(board["pips"]):
                lines.append(_("  pips left over from finished rounds: {pips}", pips=board["pips"][seat - 1]))
        lines.append(_("Nulls in the middle: {nulls}", nulls=board["nulls_left"]))
        if board["played"]:
            lines += format_list(_("Cards shown in this round: "), sorted_by_suit(board["played"]))
        if board["hand"]:
            worths = [
                _("{card} (worth {worth})", card=card, worth=VALUE[card]) for card in sorted_by_suit(board["hand"])
            ]
            lines += ["", *format_list(_("Your hand: "), worths)]
        for name, held in zip(names, board.get("hands", ()), strict=False):
            lines += format_list(_("Hand of {name}: ", name=clean_name(name)), sorted_by_suit(held) or [_("empty")])
        return "\n".join(lines)

    def words(self, board: Board, names: Names, you: int | None = None) -> str:
        """Describe the trick, both tracks, the scores and the viewer's hand."""
        sentences = [f"{_headline(board)}.", f"{_turn_sentence(board, names)}."]
        sentences += _describe_trick(board, names)
        for seat, name in enumerate(names, 1):
            sentences += _describe_seat(board, seat, player_label(name, seat, you))
        if board["phase"] != "over":
            sentences.append(
                several("In the middle is one null.", "In the middle are {number} nulls.", board["nulls_left"])
            )
        if board["played"]:
            sentences.append(_("Shown in this round: {cards}.", cards=card_list(sorted_by_suit(board["played"]))))
        if board["hand"]:
            sentences.append(_("You hold {things}.", things=card_list(sorted_by_suit(board["hand"]))))
        for name, held in zip(names, board.get("hands", ()), strict=False):
            sentences.append(_("{name} holds {things}.", name=clean_name(name), things=card_list(sorted_by_suit(held))))
        return wrap_sentences(sentences)

    def tell(self, entry: Entry, names: Names) -> str:
        """Describe a card or the steps, and what came of the trick, of the round and of the match."""
        return entries.sentence(entry, names)

    def prompt(self, board: Board, you: int, moves: Sequence[str]) -> Prompt:  # noqa: ARG002
        """Ask for a card or for steps, with one of the listed moves as the example."""
        if not moves:
            return Prompt([_("There is nothing to play now.")])
        # For steps, those that start highest; for cards, the first.
        chosen = max(moves) if board["to_use"] else moves[0]
        # Words follow the example, so that no line break leaves it alone on a line.
        would_be = _("{move} would be a move.", move=chosen)
        example = _("For example, {move}", move=glued(would_be))
        if board["phase"] == "lead":
            ask = _("You lead: name one card of your hand. It lies face down until it is followed.")
        elif board["phase"] == "follow":
            ask = _("Follow with one card of your hand, whatever its suit. Then both cards are shown.")
        else:
            ask = _(
                "You won the trick and have {values} to use on your track. Each moves a pyramid that many spots down, "
                "or off. Write one step for each: the spot where a pyramid stands, a hyphen, and a lower spot or the "
                "word “off”.",
                values=entries.values_text(board["to_use"]),
            )
        return Prompt([ask], example)

    @property
    def legend(self) -> tuple[str, ...]:
        """Return what the codes of this game stand for."""
        return (card_legend(),)

    def goal(self, board: Board) -> str:
        """Return what wins the match."""
        return several(
            "The higher score after the round wins.", "The higher score after {number} rounds wins.", board["rounds"]
        )

    def task(self, board: Board, you: int, moves: Sequence[str]) -> str:
        """Return which values move the seat's pyramids."""
        if not board["to_use"] or not moves:
            return super().task(board, you, moves)
        return _(
            "You won the trick and have {values} to use: each moves a pyramid on your track that many spots down, "
            "or off.",
            values=entries.values_text(board["to_use"]),
        )

    def touches(self, board: Board, you: int, chosen: Chosen, pieces: Sequence[str]) -> Touches:  # noqa: ARG002
        """Return the cards of the hand, or the spots that a pyramid leaves and reaches."""
        return choosing.touches(pieces)

    def resting(self, board: Board, you: int, chosen: Chosen) -> dict[str, int]:  # noqa: ARG002
        """Return the chosen card, or the spot that the last pyramid has reached."""
        return choosing.resting(chosen)

    def during(self, board: Board, you: int, chosen: Chosen) -> Board:
        """Return the tracks after the steps made so far."""
        return choosing.during(board, you, chosen)

    def brings(self, board: Board, names: Names, you: int, move: str) -> tuple[str, ...]:  # noqa: ARG002
        """Describe which suits a card beats, or how many pyramids the steps bring to the vault."""
        if board["to_use"]:
            home = move.count("-off")
            off = board["tracks"][you - 1]["off"] + home
            if off == _PYRAMIDS_PER_SEAT:
                return (_("This empties your track."),)
            vault = several(
                "This brings one pyramid to the vault, {all} in all.",
                "This brings {number} pyramids to the vault, {all} in all.",
                home,
                all=amounts.pyramids(off),
            )
            return (vault,) if home else ()
        suit = move[1]
        suits = {
            "beaten": series([said_suit(one) for one in BEATS[suit]]),
            "beating": series([said_suit(one) for one in BEATS if suit in BEATS[one]]),
            "own": said_suit(suit),
        }
        if board["phase"] == "lead":
            lies = _("It would lie face down.")
            wins = _("It wins against {beaten}; {beating} beat it, and so do other {own}.", **suits)
            return (f"{lies} {wins}",)
        return (_("If {beaten} were led, or other {own}, this wins the trick; against {beating} it loses.", **suits),)

    def what(self, board: Board, names: Names, you: int, place: str) -> tuple[str, ...]:  # noqa: ARG002
        """Describe what a card is worth and where it was seen, or who has how many pyramids on a spot."""
        spot = place.lower().removeprefix("spot ").removeprefix("feld ").strip()
        if spot in {"vault", "off", "ziel"} or (spot.isdecimal() and int(spot) in _SPOTS):
            return (_describe_spot(board, names, spot),)
        card = fold(place).upper()
        if card not in DECK:
            return ()
        suits = series([said_suit(one) for one in BEATS[card[1]]])
        parts = {"card": with_capital_article(card), "worth": VALUE[card], "suits": suits}
        worth_sentence = _("{card} is worth {worth}, and beats {suits}.", **parts)
        if card == board["led"] and board["lead_lies"]:
            return (worth_sentence, _("It lies face down, as your lead."))
        if card in (board["hand"] or ()):
            return (worth_sentence, _("It is in your hand."))
        if card in board["played"]:
            seen = _("It was shown in this round.")
        else:
            seen = _("It has not been shown in this round.")
        return (worth_sentence, seen)

    def held(self, board: Board, you: int) -> tuple[str, ...]:  # noqa: ARG002
        """Describe the viewer's hand with the worth of each card."""
        hand = sorted_by_suit(board["hand"] or ())
        if not hand:
            return (_("You hold no cards."),)
        things = series([_("{card}, worth {worth}", card=with_article(card), worth=VALUE[card]) for card in hand])
        return (unglued(_("You hold {things}.", things=things)),)


def _describe_spot(board: Board, names: Names, spot: str) -> str:
    """Describe how many pyramids each player has on a spot or in the vault."""
    counts = [track["spots"][int(spot) - 1] if spot.isdecimal() else track["off"] for track in board["tracks"]]
    has = series(
        [f"{name_in_sentence(name)} {amounts.pyramids(count)}" for name, count in zip(names, counts, strict=True)]
    )
    if spot.isdecimal():
        return _("On spot {spot}: {counts}.", spot=spot, counts=has)
    return _("In the vault: {counts}.", counts=has)


def _describe_seat(board: Board, seat: int, player: str) -> Iterator[str]:
    """Describe a player's track, cards and score."""
    track = board["tracks"][seat - 1]
    standing = [
        several("one on spot {spot}", "{number} on spot {spot}", track["spots"][spot - 1], spot=spot)
        for spot in _SPOTS
        if track["spots"][spot - 1]
    ]
    off = track["off"]
    vault = several("one in the vault", "{number} in the vault", off) if off else _("none in the vault")
    if standing:
        yield _("{name} has pyramids: {places}, and {vault}.", name=player, places=series(standing), vault=vault)
    else:
        yield _("{name} has no pyramids left on the track, and {vault}.", name=player, vault=vault)
    if board["first"] == seat:
        yield _("{name} was the first to empty the track.", name=player)
    has = {
        "name": player,
        "nulls": amounts.nulls(board["nulls"][seat - 1]),
        "points": _points(board["scores"][seat - 1]),
    }
    if board["phase"] == "over":
        yield _("{name} has {nulls} in the last round, and {points} in all.", **has)
    else:
        has["cards"] = amounts.cards(board["hand_sizes"][seat - 1])
        yield _("{name} has {cards} in hand, {nulls} in this round, and {points} from the rounds before.", **has)
    if any(board["pips"]):
        yield several(
            "{name} has one pip left over from finished rounds.",
            "{name} has {number} pips left over from finished rounds.",
            board["pips"][seat - 1],
            name=player,
        )


def _name(names: Names, seat: int) -> str:
    return clean_name(names[seat - 1])


def _headline(board: Board) -> str:
    if board["phase"] == "over":
        return several("The game is over after one round", "The game is over after {number} rounds", board["rounds"])
    place = {"number": board["round"], "all": board["rounds"], "trick": board["trick"]}
    return _("Round {number} of {all}, trick {trick} of 6", **place)


def _turn_sentence(board: Board, names: Names) -> str:
    phase = board["phase"]
    if phase == "over":
        return _result(board, names)
    leader, other = _name(names, board["leader"]), _name(names, 3 - board["leader"])
    if phase == "lead":
        return _("{name} is to lead", name=leader)
    if phase == "follow":
        return _("{leader} led a card face down, and {other} is to follow", leader=leader, other=other)
    winner, values = _name(names, board["winner"]), entries.values_text(board["to_use"])
    return _("{name} won the trick and is to use {values}", name=winner, values=values)


def _result(board: Board, names: Names) -> str:
    (first, left), (second, other_left) = zip(board["scores"], board["pips"], strict=True)
    if (first, -left) == (second, -other_left):
        return _("It is a draw at {points} all", points=first)
    winner = _name(names, 1 if (first, -left) > (second, -other_left) else 2)
    if first == second:
        parts = {"name": winner, "points": first, "fewer": min(left, other_left), "more": max(left, other_left)}
        return _("{name} wins: {points} all, and fewer pips left, {fewer} to {more}", **parts)
    return _("{name} wins by {best} to {least}", name=winner, best=max(first, second), least=min(first, second))


def _trick_cards(board: Board, names: Names) -> Iterator[str]:
    """Yield what lies in the trick, each card with where it came from."""
    leader, other = _name(names, board["leader"]), _name(names, 3 - board["leader"])
    if board["led"] and board["lead_lies"]:
        yield _("{card} from {name} (still face down)", card=board["led"], name=leader)
    elif board["led"]:
        yield _("{card} from {name} (led)", card=board["led"], name=leader)
    elif board["lead_lies"]:
        yield _("a card from {name} (face down)", name=leader)
    if board["followed"]:
        yield _("{card} from {name} (followed)", card=board["followed"], name=other)
    if board["extra"]:
        yield _("{card} from the pile (extra)", card=board["extra"])


def _describe_trick(board: Board, names: Names) -> Iterator[str]:
    if board["led"] and board["lead_lies"]:
        yield _("The card that lies face down is {card}.", card=with_article(board["led"]))
    elif board["led"]:
        players = {"leader": _name(names, board["leader"]), "other": _name(names, 3 - board["leader"])}
        cards = {"led": with_article(board["led"]), "followed": with_article(board["followed"])}
        yield _("{leader} led {led}, and {other} followed with {followed}.", **players, **cards)
    if board["extra"]:
        yield _("The extra card from the pile was {card}.", card=with_article(board["extra"]))
