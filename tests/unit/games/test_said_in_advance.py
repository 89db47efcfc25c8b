"""What players of each game may say in advance, at given points of matches."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.games import GAMES, Chance, Eye, InvalidMove, Move, NeverMet, Seat, View, Viewer

SEED = bytes(range(32))
MET, NOT, NEVER, NONE = "met", "not met", "never met", "no condition"


def seen(key: str, viewer: Viewer, *moves: str, **options: object) -> View:
    """Play moves, in the order of the seats to move, and show what came of them."""
    game: Any = GAMES[key]
    chance = Chance(SEED)
    position = game.setup(game.seats[0], options, chance)
    for text in moves:
        seat = game.to_move(position)[0]
        position = game.apply(position, seat, game.read(position, seat, text), chance)
    return game.view(position, viewer)  # type: ignore[no-any-return]


def judged(view: View, *conditions: str) -> set[str]:
    """Judge conditions, and say of what kinds they are."""
    return {_judged(view, condition) for condition in conditions}


def _judged(view: View, condition: str) -> str:
    try:
        return MET if GAMES[view.game].meets(view, condition) else NOT
    except NeverMet:
        return NEVER
    except InvalidMove:
        return NONE


def why(view: View, condition: str) -> str:
    with pytest.raises(InvalidMove) as refusal:
        GAMES[view.game].meets(view, condition)
    return str(refusal.value)


def follow(view: View, policy: str) -> Move | None:
    return GAMES[view.game].follow(view, policy)


class TestMartianTrickery:
    key = "martian-trickery"
    led = "R1 8H", "AH", "QH"
    """Seat 1 leads, and seat 2 wins the trick."""

    def seen(self, viewer: Viewer, *moves: str, **options: object) -> View:
        return seen(self.key, viewer, *moves, **options)

    def test_who_leads(self) -> None:
        assert judged(self.seen(Seat(1)), "I lead", "I'm to lead", "not I follow") == {MET}
        second = self.seen(Seat(2), *self.led[:1])
        assert judged(second, "I follow", "I am following", "not I lead", "not I am last") == {MET}
        assert judged(self.seen(Seat(3), *self.led[:2]), "I am last", "I play last") == {MET}
        assert judged(self.seen(Seat(2)), "I lead", "I follow", "I am last") == {NOT}

    def test_what_lies_in_the_trick(self) -> None:
        view = self.seen(Seat(3), *self.led[:2])
        met = (
            "8H",
            "8 of hearts",
            "Herz acht",
            "8H led",
            "8 of hearts was led",
            "hearts",
            "hearts are led",
            "Herz led",
        )
        assert judged(view, *met, "the AH", "a heart", "seat 2: AH", "seat 1 leads R1 8H", "R1 8H", "AH and 8H") == {
            MET
        }
        assert judged(view, "6C", "spades", "a club", "seat 2: AC", "seat 1: AC", "KC led") == {NEVER, NOT}
        assert judged(view, "seat 1: AH", "AH led", "QS", "JC led") == {NEVER, NOT}

    def test_what_is_gone_when_a_new_trick_begins(self) -> None:
        view = self.seen(Seat(2), *self.led)
        assert judged(view, "QH", "seat 3: QH", "8H", "R1 8H") == {MET}
        assert judged(view, "hearts led", "a heart", "8C led or I follow") == {NOT}
        later = self.seen(Seat(3), *self.led, "K1 8C", "6C", "7C")
        assert judged(later, "8H led", "8H") == {NEVER}
        assert why(later, "8H") == "8H has been played already."

    def test_the_prize(self) -> None:
        view = self.seen(Seat(2), "R1 8H")
        assert judged(view, "R1", "for R1", "R1 is the prize", "the prize is small red") == {MET}
        assert judged(view, "K3", "for K3") == {NOT}
        assert judged(self.seen(Seat(2), *self.led), "for R1") == {NEVER}
        assert why(self.seen(Seat(2), *self.led), "R1") == "R1 has been won already."
        assert why(self.seen(Seat(2), *self.led), "R1 AS") == "R1 is the current prize, or was won already."
        assert why(view, "B1") == why(view, "B1 AS") == "B1 is not a prize in this match."

    def test_spades_broken(self) -> None:
        assert judged(self.seen(Seat(2)), "spades are broken", "broken") == {NOT}
        view = self.seen(Seat(1), "R1 KC", "AC", "6C", "K1 8C", "7S")
        assert judged(view, "spades broken", "7S", "a spade", "clubs led") == {MET}

    def test_cards_that_cannot_come(self) -> None:
        view = self.seen(Seat(2))
        assert why(view, "AH") == "AH is your own card, so nobody else can play it."
        assert why(view, "2H") == "The deck of this match has no 2H."
        assert why(view, "seat 4: AS") == "There is no seat 4: the last one is seat 3."
        assert judged(view, "AH", "AH led") == {NEVER}
        assert judged(view, "2H", "2H led", "pigs led", "a pig", "R1 R1") == {NONE}
        assert judged(self.seen(Eye.PUBLIC), "AH", "8H led") == {NOT}

    def test_examples(self) -> None:
        assert GAMES[self.key].conditions(self.seen(Seat(2))) == ("AS", "hearts led", "I lead")

    def test_standing_orders(self) -> None:
        view = self.seen(Seat(2), "R1 8H")
        chosen = {policy: follow(view, policy) for policy in ("follow low", "follow high", "win", "duck")}
        assert chosen == {"follow low": "9H", "follow high": "AH", "win": "9H", "duck": "9H"}
        third = self.seen(Seat(3), "R1 KC", "AC")
        assert {follow(third, policy) for policy in ("follow low", "win", "duck", "forced")} == {"6C"}
        assert follow(self.seen(Seat(1)), "follow low") is None
        void = self.seen(Seat(3), "R1 KC", "AC", "6C", "K1 8C")
        assert (follow(void, "win"), follow(void, "duck"), follow(void, "follow high")) == ("6S", "KD", "AS")


class TestMartianWhist:
    key = "martian-whist"
    draft = (
        *("1", "swap", "7", "1", "7", "5", "5", "10", "10", "1", "9", "7", "3", "3", "3", "5", "6", "2", "2", "2"),
        *("9", "9", "10", "4", "8", "4", "4", "6", "6", "8", "8"),
    )
    """A whole draft, after which seat 1 leads."""

    def seen(self, viewer: Viewer, *moves: str) -> View:
        return seen(self.key, viewer, *moves, sets=2)

    def test_moves_of_the_draft(self) -> None:
        view = self.seen(Seat(2), "take 3")
        assert judged(view, "take 3", "3", "Tree 03", "took Y1", "takes the small yellow", "tree 3 shows Y2") == {MET}
        assert judged(view, "take 4", "took R1", "tree 1 shows R2", "pass", "I lead", "I follow", "R3/Y2/K1") == {NOT}
        assert judged(self.seen(Seat(1), "3", "swap"), "swap", "seat 2: swap", "took Y1") == {MET}

    def test_what_cannot_come_in_the_draft(self) -> None:
        view = self.seen(Seat(2), "take 3")
        assert why(view, "swap") == "Only seat 2 may swap, and only on its first turn."
        assert judged(self.seen(Seat(1)), "swap") == {NOT}
        assert judged(self.seen(Seat(1), "3", "3"), "swap") == {NEVER}
        assert why(view, "take 11") == "There is no tree 11; the trees are numbered from 1 to 10."
        assert why(view, "tree 0 shows R1") == "There is no tree 0; the trees are numbered from 1 to 10."
        assert why(view, "tree 1 shows G1") == "There is no G1 in tree 1."
        assert judged(self.seen(Seat(1), "3", "4", "3", "3"), "take 3", "took K3") == {MET}
        gone = self.seen(Seat(2), "3", "4", "3", "3", "1")
        assert why(gone, "take 3") == "Nothing is left of tree 3."
        assert judged(gone, "tree 3 shows K3") == {NEVER}
        assert judged(view, "it rains", "pigs led", "R1/R2", "tree") == {NONE}

    def test_trees(self) -> None:
        leads = self.seen(Seat(1), *self.draft)
        assert judged(leads, "I lead", "take 8") == {MET}
        assert judged(leads, "I follow", "red led", "R3", "solid led", "R1/R2/R3") == {NOT}
        assert why(leads, "take 1") == "The draft is over."
        assert why(leads, "took R1") == "No R1 is left to take."
        assert why(leads, "Y3/Y2/Y1") == "Your opponent cannot build Y3/Y2/Y1 any more."
        follows = self.seen(Seat(2), *self.draft, "K3/Y2/K1")
        assert judged(follows, "I follow", "K3/Y2/K1", "KYK", "black led", "schwarz", "a yellow tree", "K3 led") == {
            MET
        }
        assert judged(follows, "I lead", "red led", "solid", "K2", "K3/K2/Y1") == {NOT}
        assert judged(self.seen(Seat(2), *self.draft, "BBB"), "solid led", "a solid tree") == {MET}

    def test_examples(self) -> None:
        assert GAMES[self.key].conditions(self.seen(Seat(2), "1")) == ("take 2", "tree 2 shows Y2", "took G1")
        assert GAMES[self.key].conditions(self.seen(Seat(1), *self.draft)) == ("R3/R2/R1", "red led", "I lead")

    def test_standing_orders(self) -> None:
        view = self.seen(Seat(2), *self.draft, "K3/Y2/K1")
        assert {follow(view, policy) for policy in ("follow low", "win")} == {"Y3/B2/B1"}
        assert {follow(view, policy) for policy in ("follow high", "duck")} == {"R3/R2/K1"}
        beaten = self.seen(Seat(2), *self.draft, "B3/B2/G1")
        assert (follow(beaten, "win"), follow(beaten, "duck")) == ("G3/G2/B1", "R3/B2/B1")
        assert follow(self.seen(Seat(1), *self.draft), "win") is None
        assert follow(self.seen(Seat(2), "3"), "win") is None


class TestMontauk:
    key = "montauk"

    def seen(self, viewer: Viewer, *moves: str) -> View:
        return seen(self.key, viewer, *moves, rounds=2)

    def test_what_there_is_to_do(self) -> None:
        assert judged(self.seen(Seat(1)), "I lead", "trick 1", "round 1") == {MET}
        assert judged(self.seen(Seat(1)), "I follow", "I spend", "extra", "trick 2", "round 2", "to use 3 4") == {NOT}
        assert judged(self.seen(Seat(2), "9H"), "I follow", "not I lead", "not extra") == {MET}
        assert judged(self.seen(Seat(2)), "I lead", "I follow") == {NOT}
        spends = self.seen(Seat(2), "9H", "QS")
        assert judged(spends, "I spend", "I won", "to use 6 3", "values 3 and 6", "I have values: 3, 6") == {MET}
        assert judged(spends, "extra", "to use 3", "to use 3 6 6") == {NOT}

    def test_cards(self) -> None:
        hidden = self.seen(Seat(2), "9H")
        assert judged(hidden, "9H", "a heart", "hearts") == {NOT}
        assert why(hidden, "hearts led") == "A lead lies face down, so you cannot know it before you answer it."
        shown = self.seen(Seat(2), "9H", "QS")
        assert judged(shown, "9H", "the 9 of hearts", "Herz neun", "seat 1 plays 9H") == {MET}
        assert judged(shown, "a heart", "hearts") == {MET}
        assert judged(shown, "spades", "JD") == {NOT}
        assert judged(self.seen(Seat(1), "9H", "QS"), "QS") == {MET}

    def test_cards_that_cannot_come(self) -> None:
        assert why(self.seen(Seat(1)), "9H") == "9H is your own card, so nobody else can play it."
        assert why(self.seen(Seat(1), "9H"), "9H") == "9H is your own card, so nobody else can play it."
        assert why(self.seen(Seat(1), "9H", "QS"), "9H") == "9H has been played already."
        assert judged(self.seen(Eye.PUBLIC), "9H") == {NOT}

    def test_steps(self) -> None:
        view = self.seen(Seat(1), "9H", "QS", "6-off 5-2")
        assert judged(view, "6-off 5-2", "5-2 and 6-off", "5/2, 6 to off", "seat 2: 6-off 5-2", "QS") == {MET}
        assert judged(view, "6-3 5-off") == {NOT}
        assert judged(view, "3-6", "pigs") == {NONE}

    def test_rounds_and_tricks_that_there_are_not(self) -> None:
        view = self.seen(Seat(1))
        assert why(view, "round 3") == "There is no round 3: this match has 2."
        assert why(view, "trick 7") == "There is no trick 7: a round has 6."
        view.board["round"] = 2
        assert why(view, "round 1") == "Round 1 is over."

    def test_examples(self) -> None:
        assert GAMES[self.key].conditions(self.seen(Seat(1))) == ("I lead", "I spend", "AS")

    def test_standing_orders(self) -> None:
        leads, follows = self.seen(Seat(1)), self.seen(Seat(2), "9H")
        assert (follow(leads, "lead low"), follow(leads, "lead high")) == ("8C", "JD")
        assert (follow(follows, "follow low"), follow(follows, "follow high")) == ("AC", "QS")
        assert {follow(leads, "follow low"), follow(follows, "lead low"), follow(leads, "race")} == {None}
        spends = self.seen(Seat(2), "9H", "QS")
        assert follow(spends, "race") == "6-off 2-off"
        assert follow(spends, "follow low") is None


class TestMinimax:
    def seen(self, *moves: str, **options: object) -> View:
        return seen("minimax", Seat(1), *moves, **options)

    def test_conditions(self) -> None:
        begun, sown = self.seen(), self.seen("sow d Y1, B2 on R3, B1")
        assert judged(begun, "free", "a free choice", "sow a", "I may sow d", "score 0", "0 points", "always") == {MET}
        assert judged(begun, "score 5", "vault has 12") == {NOT}
        assert judged(sown, "b", "I must sow b", "sow b", "at least 1 point") == {MET}
        assert judged(sown, "free choice", "sow a", "card d") == {NOT}

    def test_what_is_no_condition(self) -> None:
        view = self.seen()
        assert why(view, "sow vault") == "The vault is never sown."
        assert why(view, "score 29") == "The vault is worth at most 28 points."
        assert judged(self.seen(size="long"), "score 56") == {NOT}
        assert why(view, "seat 1: sow a") == "Seat 1 is yours. Name what another seat plays."
        assert judged(view, "sow e", "sow d Y1, B2 on R3, B1", "score", "seat 2: sow a") == {NONE}

    def test_examples(self) -> None:
        assert GAMES["minimax"].conditions(self.seen()) == ("sow b", "free choice", "score 1")


class TestAmazonianBuffet:
    key = "amazonian-buffet"
    begun = "a1-c3 f3", "a8-c6 c8", "c3-c1 d1"

    def seen(self, viewer: Viewer, *moves: str) -> View:
        return seen(self.key, viewer, *moves)

    def test_turns_and_claims(self) -> None:
        view = self.seen(Seat(2), *self.begun[:1])
        met = (
            "a1-c3 f3",
            "a1c3",
            "a1-c3 claims f3",
            "a1-c3 KD",
            "f3",
            "KD",
            "claims the king of diamonds",
            "f3 claimed",
        )
        assert judged(view, *met, "seat 1: KD", "claims f3", "KD was taken") == {MET}
        assert judged(view, "claims nothing", "nothing claimed", "AS", "a1-c3 none", "f1-c4", "pass", "b1") == {NOT}
        idle = self.seen(Seat(2), "a1-c3 none")
        assert judged(idle, "claims nothing", "no claim", "a1-c3", "a1-c3 none", "a1-c3 -") == {MET}

    def test_what_is_free(self) -> None:
        view = self.seen(Seat(2), *self.begun[:1])
        assert judged(view, "KH is free", "e2 free", "the AS is still left") == {MET}
        assert judged(view, "c3 is free", "f8 is free", "QH free") == {NOT}
        assert why(view, "KD is free") == "f3 has been claimed already."

    def test_what_cannot_come(self) -> None:
        view = self.seen(Seat(2), *self.begun)
        assert why(view, "KD") == why(view, "f3") == "f3 has been claimed already."
        assert (
            why(view, "2S")
            == why(view, "c1-c3 2S")
            == "The two of spades is not on the board: it was dealt to a player."
        )
        assert why(view, "g1") == "There is no square g1: files go from a to f, rows from 1 to 8."
        assert judged(view, "z9 is free", "a1-z9 none", "it rains", "hands KD") == {NONE}
        assert why(view, "it rains").startswith("“it rains” is not a condition in Amazonian Buffet.")
        assert why(view, "hands AH | KD | -") == "AH is your own card, so nobody else can play it."

    def test_hands(self) -> None:
        idle = "a1-c3 none", "a8-c6 none", "c3-a1 none", "c6-a8 none"
        sealed = self.seen(Seat(1), *idle)
        assert judged(sealed, "I am ahead", "keep") == {NOT}
        assert why(sealed, "claims KD") == "Nobody can claim any more cards in this match."
        layouts = "9S 2S | - | -", "5C 3S | - | -"
        one, two = (self.seen(Seat(seat), *idle, *layouts) for seat in (1, 2))
        assert judged(one, "I am ahead", "I'm winning", "hands 5C 3S | - | -", "5C 3S / none / -") == {MET}
        assert judged(two, "I am behind", "I am losing", "hands 9S 2S | - | -") == {MET}
        assert judged(one, "I am behind", "I am level", "keep") == {NOT}
        assert judged(self.seen(Seat(1), *idle, "9S 2S | - | -", "- | 5C 3S | -"), "I am level", "not I am ahead") == {
            MET
        }
        assert follow(one, "keep") == "keep"
        assert follow(sealed, "keep") is None
        assert GAMES[self.key].conditions(one) == ("I am ahead", "I am behind", "always")

    def test_what_may_be_wished_for(self) -> None:
        view, wished = self.seen(Seat(2), *self.begun[:1]), GAMES[self.key].foresight.wished
        assert wished(view, "a8-c6 8D") == "a8-c6 a6"
        assert wished(view, "keep") == "keep"
        assert [wished(view, line) for line in ("8D", "f3", "claims nothing", "it rains")] == [None] * 4

    def test_examples(self) -> None:
        view = self.seen(Seat(2), *self.begun[:1])
        assert GAMES[self.key].conditions(view) == ("claims AS", "AS is free", "claims nothing")
