"""The text of views, and the order in which models are made."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forensics import views
from forensics.results import row_id

GRAPHS = st.integers(1, 8).flatmap(
    lambda n: st.fixed_dictionaries(
        {f"m{i}": st.frozensets(st.sampled_from([f"m{j}" for j in range(i)] or ["m0"])) for i in range(n)}
    )
)


@given(GRAPHS)
def test_each_model_is_made_after_what_it_uses(graph: dict[str, frozenset[str]]) -> None:
    graph["m0"] = frozenset()
    order = views.order_models(graph.__getitem__, frozenset(graph))
    assert sorted(order) == sorted(graph)
    for number, name in enumerate(order):
        assert graph[name] <= set(order[:number])


def test_only_what_is_needed_is_made() -> None:
    graph = {"a": frozenset[str](), "b": frozenset({"a"}), "c": frozenset({"b"}), "d": frozenset[str]()}
    assert views.order_models(graph.__getitem__, frozenset({"b"})) == ("a", "b")


def test_models_in_a_circle_are_told_in_order() -> None:
    graph = {"a": frozenset({"b"}), "b": frozenset({"c"}), "c": frozenset({"a"})}
    with pytest.raises(ValueError, match="a -> b -> c -> a"):
        views.order_models(graph.__getitem__, frozenset({"a"}))


def test_a_pattern_in_a_path_stands_for_itself() -> None:
    assert views.escape_glob(Path("/a[b]/c*d?.parquet")) == "/a[[]b]/c[*]d[?].parquet"
    assert views.escape_glob(Path("/plain=1/x.parquet")) == "/plain=1/x.parquet"


@given(st.text())
def test_a_quoted_text_is_one_literal(text: str) -> None:
    quoted = views.quote_text(text)
    assert quoted[0] == quoted[-1] == "'"
    assert "'" not in quoted[1:-1].replace("''", "")
    assert quoted[1:-1].replace("''", "'") == text


def test_names_are_found_wherever_they_stand_in_a_tree() -> None:
    tree = {
        "error": False,
        "x": [{"type": "BASE_TABLE", "table_name": "a"}, {"y": {"type": "FUNCTION", "function_name": "f"}}],
    }
    named = views.names_in(tree)
    assert named.tables == {"a"}
    assert named.functions == {"f"}
    assert not named.is_refused
    assert named.node_types == {"BASE_TABLE", "FUNCTION"}


@given(st.lists(st.one_of(st.none(), st.integers(), st.text()), min_size=1))
def test_a_row_is_named_by_finding_and_grain_alone(grain: list[object]) -> None:
    assert row_id("F001", grain) == row_id("F001", list(grain))
    assert row_id("F001", grain) != row_id("F002", grain)
    assert row_id("F001", grain) != row_id("F001", [*grain, None])
