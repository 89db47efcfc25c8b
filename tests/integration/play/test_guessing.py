"""Guessing tokens: what mail programs and people do to one is undone, and nothing else comes near one."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from pbem.play.core import tokens
from tests.support.play.guessing import A_FEW, found_by_digest, issued, random_tokens

if TYPE_CHECKING:
    from tests.support.house import House
BY_FIND = 200
"""So many random tokens are looked up one by one, as a link is; all of them by their digests."""


def written(token: str, chosen: Random) -> str:
    """Write a token as a careless person might: some letters large, some mistaken for what looks like them."""
    alike = {"1": "1iIlL", "0": "0oO"}
    return "".join(chosen.choice(alike.get(each, each + each.upper())) for each in token)


def test_a_token_is_found_however_it_is_written(house: House) -> None:
    chosen = Random("written")
    with_confusions = 0
    for token in issued(house):
        forms = [token, token.upper(), token.title(), *(written(token, chosen) for _ in range(5))]
        with_confusions += sum(bool(set(form.lower()) & set("ilo")) for form in forms)
        with house.transaction() as ctx:
            assert all(tokens.find(ctx, form, tokens.LINK) for form in forms)
    assert with_confusions > 20


def test_a_token_with_one_character_changed_is_unknown(house: House) -> None:
    (token, *_) = issued(house)
    changed = [
        token[:at] + other + token[at + 1 :]
        for at, here in enumerate(token)
        for other in tokens.ALPHABET
        if other != here
    ]
    assert len(set(changed)) == tokens.LENGTH * 31
    with house.transaction() as ctx:
        assert tokens.find(ctx, token, tokens.LINK)
        assert not [each for each in changed if tokens.find(ctx, each, tokens.LINK)]
        shorter = [token[:at] + token[at + 1 :] for at in range(tokens.LENGTH)]
        assert not [each for each in (*shorter, f"{token}0", f"0{token}") if tokens.find(ctx, each, tokens.LINK)]


def test_random_tokens_are_unknown(house: House) -> None:
    good = issued(house)
    with house.transaction() as ctx:
        assert not [each for each in random_tokens(Random("few"), BY_FIND) if tokens.find(ctx, each, tokens.LINK)]
    assert found_by_digest(house, random_tokens(Random("some"), A_FEW)) == (A_FEW, 0)
    assert found_by_digest(house, iter(good)) == (len(good), len(good))
