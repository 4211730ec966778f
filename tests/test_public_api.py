"""What a script or notebook imports from the package itself."""

from __future__ import annotations

import subprocess
import sys

import pytest

import forensics


@pytest.mark.parametrize("name", forensics.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(forensics, name) is not None


def test_names_are_those_that_have_a_place() -> None:
    assert set(forensics.__all__) == {*forensics._PLACES, "__version__"}
    assert sorted(forensics.__all__) == dir(forensics)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'decode'"):
        forensics.decode  # noqa: B018


def test_importing_the_package_loads_nothing_heavy() -> None:
    code = "import forensics, sys; print(sorted({'duckdb','polars','pyarrow','typer'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout == b"[]\n"
