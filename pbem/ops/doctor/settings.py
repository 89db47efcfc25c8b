"""Check that no unknown setting is set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.ops.doctor.check import Check, passed, warned

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.ops.doctor.check import CheckContext, Result


def _check_unknown(ground: CheckContext) -> Iterator[Result]:
    for sentence in ground.config.unknown_settings:
        yield warned(sentence, "Correct its name in the settings, or take it out.")
    if not ground.config.unknown_settings:
        yield passed("All that is set is read.")


CHECKS = (Check("settings", _check_unknown),)
