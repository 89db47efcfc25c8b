"""Sentences for the entries of a log of Montauk: the cards led and followed, the steps, and what came of them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from pbem.boards.amounts import points as _points
from pbem.boards.card_words import with_article
from pbem.boards.player_names import deed_sentence, name_as_object
from pbem.boards.prose import series, unglued
from pbem.i18n import _, marked, several

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pbem.boards.drawing import Entry, Names

_REPEATED_VALUE_TEXTS = {2: marked("{value} twice"), 4: marked("{value} four times"), 6: marked("{value} six times")}


def sentence(entry: Entry, names: Names) -> str:
    """Describe a card or the steps, and what came of the trick, of the round and of the match."""
    if entry["phase"] == "lead":
        name, card = names[entry["seat"] - 1], entry["move"]
        if card:
            return deed_sentence(name, "You led {card}.", "{name} led {card}.", card=with_article(card))
        return deed_sentence(name, "You led a card, face down.", "{name} led a card, face down.")
    came = _describe_follow(entry, names) if entry["phase"] == "follow" else _describe_steps(entry, names)
    return unglued(". ".join([came, *_consequences(entry, names)]) + ".")


def values_text(values: Sequence[int]) -> str:
    """Format the values to use: "3 and 6", "2 four times", "5"."""
    if len(values) > 1 and len(set(values)) == 1:
        return _(_REPEATED_VALUE_TEXTS[len(values)], value=values[0])
    return series([str(value) for value in values])


def _describe_follow(entry: Entry, names: Names) -> str:
    """Describe the card that was led and turned up, the one that followed, who won, and the values to use."""
    cards = {"led": with_article(entry["led"]), "card": with_article(entry["move"])}
    name = names[entry["seat"] - 1]
    deed = deed_sentence(name, "You followed {led} with {card}", "{name} followed {led} with {card}", **cards)
    if entry["winner"] == entry["seat"]:
        won = _("{deed} and won the trick", deed=deed)
    else:
        won = _("{deed}, and {name} won the trick", deed=deed, name=name_as_object(names[entry["winner"] - 1]))
    return _("{told}, with {values} to use", told=won, values=values_text(entry["to_use"])) if entry["to_use"] else won


def _describe_steps(entry: Entry, names: Names) -> str:
    steps = series([*_step_phrases(str(entry["move"]))])
    return deed_sentence(names[entry["seat"] - 1], "You moved {steps}", "{name} moved {steps}", steps=steps)


def _step_phrases(move: str) -> Iterator[str]:
    for step, count in Counter(move.split()).items():
        at = dict(zip(("start", "end"), step.split("-"), strict=True))
        if at["end"] == "off":
            yield several(
                "one pyramid from {start} off the track", "{number} pyramids from {start} off the track", count, **at
            )
        else:
            yield several("one pyramid from {start} to {end}", "{number} pyramids from {start} to {end}", count, **at)


def _consequences(entry: Entry, names: Names) -> Iterator[str]:
    """Yield what happened after a card or the steps, in order."""
    if "extra" in entry and entry["extra_to_use"]:
        values = values_text(entry["extra_to_use"])
        yield _("The extra card was {card}, for {values} to use", card=with_article(entry["extra"]), values=values)
    elif "extra" in entry:
        yield _("The extra card was {card}, for nothing to use", card=with_article(entry["extra"]))
    if "first" in entry:
        winner = name_as_object(names[entry["first"] - 1])
        yield _("All six are off the track, and the race is won by {name}", name=winner)
    if "null" in entry:
        name = name_as_object(names[entry["null"] - 1])
        if entry["null_for"] == "won for nothing":
            yield _("A null for {name}: the trick was won, but no pyramid was borne off", name=name)
        else:
            yield _("A null for {name}: the trick was lost to a player whose track was empty", name=name)
    if "points" in entry:
        yield _("The round is over: {shares}", shares=_shares(map(_points, entry["points"]), names))
        yield _("That makes {shares} in all", shares=_shares(entry["scores"], names))


def _shares(values: Iterable[object], names: Names) -> str:
    """Format each player's share as a series."""
    return series(
        [
            _("{what} for {name}", what=value, name=name_as_object(name))
            for name, value in zip(names, values, strict=True)
        ]
    )
