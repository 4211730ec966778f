"""What the text of a query must not do: answer differently tomorrow, or on another machine."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import duckdb

Node = dict[str, Any]

MAX_LINES = 60


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


NEEDS_ORDER = _words(
    "list array_agg string_agg group_concat listagg first last any_value arbitrary mode list_agg"
)
OF_THE_MOMENT = _words(
    "now current_timestamp current_date get_current_time get_current_timestamp today random uuid"
    " gen_random_uuid setseed version current_setting getenv transaction_timestamp"
)
# A column by one of these names tells the rows of a group apart, or equal rows are equal in every column.
UNIQUE = _words(
    "position rank run_no path cwd other_cwd line_no part segment_no ord rule uuid worktree project_key"
)
WINDOWS = frozenset({"row_number", "lag", "lead", "first_value", "last_value", "ntile", "nth_value"})
ARG = frozenset({"arg_min", "arg_max", "min_by", "max_by", "argmin", "argmax"})


@cache
def _connection() -> duckdb.DuckDBPyConnection:
    return duckdb.connect(":memory:")


@cache
def parse(sql: str) -> Node:
    """The syntax tree of a query whose `$parameters` were taken out."""
    tree = json.loads(_connection().execute("select json_serialize_sql($q)", {"q": sql}).fetchall()[0][0])
    assert not tree["error"], tree
    assert isinstance(tree, dict)
    return tree


def walk(node: Any) -> Iterator[Node]:
    """Yield every node of a syntax tree."""
    if isinstance(node, dict):
        yield node
        for value in node.values():
            yield from walk(value)
    elif isinstance(node, list):
        for value in node:
            yield from walk(value)


def columns_in(node: Any) -> set[str]:
    """The last names of all columns below a node."""
    return {each["column_names"][-1] for each in walk(node) if each.get("class") == "COLUMN_REF"}


def order_columns(tree: Node) -> list[str]:
    """The columns by which the whole query is ordered."""
    modifiers = tree["statements"][0]["node"]["modifiers"]
    orders = [order for each in modifiers if each["type"] == "ORDER_MODIFIER" for order in each["orders"]]
    return [name for order in orders for name in columns_in(order["expression"])]


def _tells_apart(columns: set[str]) -> bool:
    return bool(columns & UNIQUE) or any(name.endswith("_position") for name in columns)


def _faults_of(node: Node) -> Iterator[str]:
    name = node.get("function_name")
    if node.get("class") == "FUNCTION":
        if name in NEEDS_ORDER:
            yield from _ordering_faults(node)
        if name in ARG:
            by = node["arguments"][1]["expression"]
            if not _tells_apart(columns_in(by)):
                yield f"{name} by something that may tie: {sorted(columns_in(by))}"
        if name in OF_THE_MOMENT:
            yield f"{name} differs from run to run"
    if node.get("class") == "WINDOW":
        orders = node.get("orders", [])
        if name in WINDOWS and not _tells_apart(columns_in(orders)):
            yield f"window {name} by something that may tie: {sorted(columns_in(orders))}"


def _ordering_faults(node: Node) -> Iterator[str]:
    orders = node["order_bys"]["orders"]
    ordered, listed = columns_in(orders), columns_in(node["arguments"])
    if not orders:
        yield f"{node['function_name']} without order by"
    elif not _tells_apart(ordered) and not listed <= ordered:
        yield f"{node['function_name']} of {sorted(listed)} in an order that may tie: {sorted(ordered)}"


def faults(sql: str) -> list[str]:
    """What is wrong with a query, a sentence each."""
    found = sorted({fault for node in walk(parse(sql)) for fault in _faults_of(node)})
    if re.search(r"select\s+(distinct\s+)?([a-z_]+\.)?\*", sql):
        found.append("select * hides what the columns are")
    n_lines = len(sql.split("\n"))
    if n_lines > MAX_LINES:
        found.append(f"{n_lines} lines are more than {MAX_LINES}: make two models of it")
    if re.search(r"\b(SELECT|FROM|WHERE|GROUP|ORDER|JOIN|CASE)\b", sql):
        found.append("key words are written in lower case")
    return found
