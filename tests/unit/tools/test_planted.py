"""Planted faults stay plantable: the code that they break is there, and so are the tests that they name."""

from collections import Counter

import pytest

from tests.planted.fault import ROOT, Fault, PlantingError, every, modules

FAULTS = every()


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.area}: {fault.name}")
def test_a_fault_has_its_place_and_its_tests(fault: Fault) -> None:
    planted = fault.planted((ROOT / fault.file).read_text("utf-8"))
    if fault.file.endswith(".py"):
        # What cannot be loaded says nothing of any test.
        compile(planted, fault.file, "exec")
    assert modules(fault.tests)


def test_no_two_faults_are_called_alike() -> None:
    names = Counter(fault.name for fault in FAULTS)
    assert [name for name, times in names.items() if times > 1] == []


def test_a_fault_without_its_place_is_refused_with_a_sentence() -> None:
    fault = Fault("area", "it is broken", "a/file.py", "old", "new", ("test_planted",))
    assert fault.planted("an old text") == "an new text"
    with pytest.raises(PlantingError, match=r"“it is broken” .* its old text is there no more in a/file.py"):
        fault.planted("another text")
    with pytest.raises(PlantingError, match="its old text is there 2 times"):
        fault.planted("old and old")


def test_a_module_that_is_gone_is_refused_with_a_sentence() -> None:
    with pytest.raises(PlantingError, match="no module test_of_nothing"):
        modules(("test_of_nothing",))
