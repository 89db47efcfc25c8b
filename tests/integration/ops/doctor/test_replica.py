"""The doctor's look at a copy of the database, over a real one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.ops.doctor import Level

if TYPE_CHECKING:
    from tests.support.ops.doctor.patient import Patient


def test_without_a_copy_there_is_nothing_to_say(patient: Patient) -> None:
    level, said = patient.only("replica")
    assert (level, said.split(":")[0]) == (Level.PASS, "All pages are read from the primary database")
