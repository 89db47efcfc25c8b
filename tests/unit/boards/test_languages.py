"""Boards are told wholly in the language that is spoken, and whoever is told is spoken to rightly."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Any

import pytest

from pbem.boards import card_words, drawing_for, pyramid_words
from pbem.boards.prose import reader_name as you_word
from pbem.games import GAMES, Eye, Game, Seat, cards, pyramids
from pbem.i18n import use_locale
from pbem.play.matches import descriptions
from tests.support.boards.laws import PLAYED, played

if TYPE_CHECKING:
    from collections.abc import Iterator

NAMES = ("Ann", "Bob", "Cyd")
PLACES = ("a", "3", "c3", "9H", "KS", "AC", "R1", "K3", "tresor", "ziel", "Baum 2", "Karte b", "Feld 1", "Herz-Neun")
ENGLISH = re.compile(
    r"\b(?:[Tt]he|of|and|or|with|[Yy]ou|[Yy]our|is|are|to|from|no|none|won|led|played|[Cc]ards?|points?|hands?|[Tt]rees?|"
    r"[Tt]ricks?|large|small|red|black|[Ss]pades|hearts|one|two|three|empty|draw|game|move|It|This)\b"
)
QUOTED = re.compile(r"“?„\w+“|hands [2-9TJQKASHDC |-]+|\b(?:sow|take) \w[^.]*|(?<=bei: )R1 on G2")
"""Moves as they are written stay English."""
WRONG = re.compile(
    r"\b[Dd]u (?:hat|ist|wird|würde|konnte|musste|spielt|gewinnt|legt|bekommt|nutzt)\b"
    r"|\b(?:Ann|Bob|Cyd)(?: \(du\))? (?:hast|bist|wirst|würdest|konntest|musstest|spielst|gewinnst|legst|bekommst)\b"
    r"|\b(?:von|mit|bei|an|für|durch) du\b|\bYou\b|\b1 (?:Punkte|Karten|Stiche|Nullen)\b"
)


def said(game: Game[Any], position: Any, names: tuple[str, ...], seat: Seat) -> Iterator[str]:
    """Yield all that a seat may be told of a position."""
    drawing, board = drawing_for(game.key), game.board(position, seat)
    yield from (drawing.text(board, names, seat), drawing.words(board, names, seat), *drawing.crib)
    entries = [entry for entry in game.log(position, Eye.OPEN)[-2:] if isinstance(entry, dict)]
    for looks in (seat, len(names) + 1 - seat, None):
        yield from descriptions.log_sentences(game.key, entries, names, looks)
    yield from descriptions.held_items(game.key, board, seat)
    for place in PLACES:
        yield from descriptions.piece_description(game.key, board, names, seat, place)
    if seat in game.to_move(position):
        yield drawing.prompt(board, seat, tuple(islice(game.moves(position, seat), 20))).text
        for heading, lines in descriptions.guide(game.key, board, names, seat):
            yield from (heading, *lines)
        suggested = game.suggest(position, seat)
        for move, words in zip(suggested, drawing.named(board, seat, suggested), strict=True):
            yield from (*words, *descriptions.move_effects(game.key, board, names, seat, move))


@pytest.mark.parametrize(("key", "options"), PLAYED)
def test_nothing_english_is_left_in_german_and_every_verb_fits_its_person(key: str, options: dict[str, object]) -> None:
    names = NAMES[: GAMES[key].seats[0]]
    with use_locale("de"):
        for game, position in played(key, options):
            for seat in map(Seat, range(1, len(names) + 1)):
                for text in said(game, position, names, seat):
                    flat = QUOTED.sub("", " ".join(text.split()))
                    assert not ENGLISH.search(flat.replace(GAMES[key].name, "")), text
                    assert not WRONG.search(flat), text


def test_pyramids_and_cards_are_named_as_the_games_do_in_english() -> None:
    assert [pyramid_words.pyramid_name(one) for one in pyramids.TREEHOUSE] == [*map(pyramids.name, pyramids.TREEHOUSE)]
    assert [card_words.name(one) for one in cards.DECK] == [*map(cards.name, cards.DECK)]
    assert [card_words.rank_with_article(one) for one in "8TJA"] == ["an eight", "a ten", "a jack", "an ace"]


def test_pyramids_below_others_are_bent() -> None:
    with use_locale("de"):
        assert pyramid_words.stack_name(("R3", "G2", "K1")) == "kleine schwarze über mittlerer grüner über großer roter"
        assert pyramid_words.stack_count(2, ("R3", "G2", "K1")).startswith("zwei Bäume (kleine schwarze")
        assert pyramid_words.stack_count(1, ("R3", "G2")) == "ein Stapel (mittlere grüne über großer roter)"
        assert pyramid_words.stack_count(3, ("B1",)) == "drei kleine blaue"


def test_cards_have_no_article_in_german_and_the_last_of_a_list_stands_on_no_line_alone() -> None:
    with use_locale("de"):
        assert card_words.card_list(["9H", "AS"]) == "Herz-Neun und\N{NO-BREAK SPACE}Pik-Ass"
        assert card_words.card_list(["9H"]) == card_words.with_capital_article("9H") == "Herz-Neun"
        assert card_words.card_list([]).split() == ["keine", "Karten"]


TOLD: list[tuple[str, dict[str, Any], str, str]] = [
    ("martian-whist", {"move": "swap", "took": "R1", "under": None, "winner": None},
     "Du hast getauscht und bekommst die kleine rote, die Bob gerade genommen hatte.",
     "Ann hat getauscht und bekommt die kleine rote, die du gerade genommen hattest."),
    ("martian-whist", {"move": "R3/G2/R1", "took": None, "under": None, "winner": 2},
     "Du hast R3/G2/R1 dazugelegt; der Stich geht an Bob.", "Ann hat R3/G2/R1 dazugelegt; der Stich geht an dich."),
    ("martian-trickery", {"move": "R3 AD"},
     "Du hast Karo-Ass für den Preis R3 ausgespielt.", "Ann hat Karo-Ass für den Preis R3 ausgespielt."),
    ("martian-trickery", {"move": "KS", "winner": 2, "prize": "K1", "hand_number": 1, "hand_scores": [7, -2],
                          "next_dealer": 2, "winners": [1, 2]},
     ("Du hast Pik-König gespielt; der Stich und die kleine schwarze gehen an Bob. Das war Durchgang 1: sieben Punkte "
     "für dich und minus zwei Punkte für Bob. Es wurde neu gegeben; am Geben: Bob. Die Partie geht an dich und Bob."),
     ("Ann hat Pik-König gespielt; der Stich und die kleine schwarze gehen an dich. Das war Durchgang 1: sieben Punkte "
     "für Ann und minus zwei Punkte für dich. Es wurde neu gegeben; am Geben: du. Die Partie geht an Ann und dich.")),
    ("montauk", {"phase": "follow", "move": "KS", "led": "KC", "winner": 2, "to_use": [], "null": 2,
      "null_for": "won for nothing"},
     ("Auf Kreuz-König hast du Pik-König gelegt; der Stich geht an Bob. Eine Null geht an Bob: Stich gewonnen, "
     "aber nichts ins Ziel gebracht."),
     ("Auf Kreuz-König hat Ann Pik-König gelegt; der Stich geht an dich. Eine Null geht an dich: Stich gewonnen, "
     "aber nichts ins Ziel gebracht.")),
    ("amazonian-buffet", {"stage": "board", "move": "pass", "claimed": None},
     "Du hast gepasst, denn keine deiner Figuren konnte ziehen.",
     "Ann hat gepasst, denn keine der Figuren konnte ziehen."),
    ("", {"move": "b2"}, "Du hast hier „b2“ gespielt.", "Ann hat hier „b2“ gespielt."),
    ("", {"move": None}, "Du hast verdeckt gezogen.", "Ann hat verdeckt gezogen."),
]  # fmt: skip


@pytest.mark.parametrize(("key", "entry", "to_ann", "to_bob"), TOLD)
def test_a_deed_is_told_to_its_doer_and_of_its_doer(key: str, entry: dict[str, Any], to_ann: str, to_bob: str) -> None:
    with use_locale("de"):
        tell = drawing_for(key).tell
        assert tell({"seat": 1} | entry, (you_word(), "Bob")) == to_ann
        assert tell({"seat": 1} | entry, ("Ann", you_word())) == to_bob
