"""The rules over columns of paths, for Polars.

Everything is computed on whole columns but four things, which the scalar encoder computes once per distinct
value: names over a rule's limit (the hash), non-ASCII paths under a rule with a normal form (the engine's
Unicode is not the interpreter's), paths that a rule resolves and that are not plainly resolved, and what
keeps non-ASCII characters while lowering case or dropping a unit. A column cannot hold a lone surrogate: for
paths that are not Unicode only the scalar encoder answers.
"""

from __future__ import annotations

from typing import Final

import polars as pl

from forensics.keys.encode import encode
from forensics.keys.rules import Rule, Ruleset, load_rules

CWD_KEYS_SCHEMA: Final = {"cwd": pl.String, "rule": pl.String, "key": pl.String}

_ANSWERS: Final = {"cwd": pl.String, "answer": pl.String}

_BYTE_WIDTHS: Final = (
    (r"[\x{80}-\x{7ff}]", "--"),
    (r"[\x{800}-\x{ffff}]", "---"),
    (r"[\x{10000}-\x{10ffff}]", "----"),
)
_UNRESOLVED: Final = r"^[^/]|^$|//|/\.\.?(?:/|$)|./$"


def key_expr(cwd: str | pl.Expr, rule: Rule | str) -> pl.Expr:
    """Return an expression for the key of each path of a column under a rule; null stays null.

    Raises: RulesError when a rule is named that is not known.
    """
    column = pl.col(cwd) if isinstance(cwd, str) else cwd
    known = _known(rule)
    return column.map_batches(
        lambda series: encode_series(series, known), return_dtype=pl.String, is_elementwise=True
    )


def encode_series(cwds: pl.Series, rule: Rule | str) -> pl.Series:
    """Return the keys of a column of paths under a rule, in the same order; null stays null.

    Raises: RulesError when a rule is named that is not known.
    """
    known = _known(rule)
    name = pl.col("cwd")
    frame = pl.DataFrame({"cwd": cwds.cast(pl.String)}).select(
        "cwd", name=_name(name, known), is_hard=_is_hard(name, known)
    )
    if known.limit:
        frame = frame.with_columns(is_hard=pl.col("is_hard") | (pl.col("name").str.len_bytes() > known.limit))
    hard = frame.filter(pl.col("is_hard"))["cwd"].unique()
    keys = _finish(pl.col("name"), known)
    if len(hard):
        by_scalar = {cwd: encode(cwd, known) for cwd in hard}
        answers = pl.DataFrame({"cwd": list(by_scalar), "answer": list(by_scalar.values())}, _ANSWERS)
        frame = frame.join(answers, on="cwd", how="left", maintain_order="left")
        keys = pl.when(pl.col("is_hard")).then(pl.col("answer")).otherwise(keys)
    return frame.select(keys.alias(cwds.name)).to_series()


def variants_frame(cwds: pl.Series, ruleset: Ruleset | None = None) -> pl.DataFrame:
    """Return the keys of the distinct paths of a column under every rule, by path, then as the rules are.

    Shape: one row per distinct path and rule: cwd, rule, key.
    """
    distinct = cwds.cast(pl.String).drop_nulls().unique().sort()
    rules = (ruleset or load_rules()).rules
    parts = [
        pl.DataFrame({"cwd": distinct, "key": encode_series(distinct, rule)}).select(
            "cwd", "key", rule=pl.lit(rule.name, pl.String), order=pl.lit(order, pl.UInt32)
        )
        for order, rule in enumerate(rules)
    ]
    if not parts:
        return pl.DataFrame(schema=CWD_KEYS_SCHEMA)
    return pl.concat(parts).sort("cwd", "order").select(*CWD_KEYS_SCHEMA)


def _known(rule: Rule | str) -> Rule:
    return load_rules().get(rule) if isinstance(rule, str) else rule


def _is_ascii(path: pl.Expr) -> pl.Expr:
    return path.str.len_bytes() == path.str.len_chars()


def _is_hard(path: pl.Expr, rule: Rule) -> pl.Expr:
    hard = pl.lit(value=False)
    keeps_others = rule.replaced != "other"
    if rule.normal_form != "none" or rule.strip == "unit" or (keeps_others and (rule.lower or rule.limit)):
        hard = ~_is_ascii(path)
    if rule.resolve:
        hard |= path.str.contains(_UNRESOLVED)
    return hard


def _name(path: pl.Expr, rule: Rule) -> pl.Expr:
    if rule.strip == "separator":
        path = path.str.replace(r"^[/\\]", "")
    elif rule.strip == "unit":
        path = path.str.slice(1)
    if rule.replaced != "other":
        return path.str.replace_all(
            "[" + "".join(rf"\x{{{ord(char):x}}}" for char in rule.replaced) + "]", "-"
        )
    widths = _BYTE_WIDTHS if rule.unit == "byte" else _BYTE_WIDTHS[2:] if rule.unit == "utf16" else ()
    for characters, dashes in widths:
        path = path.str.replace_all(characters, dashes if rule.unit == "byte" else "--")
    return path.str.replace_all("[^A-Za-z0-9]", "-")


def _finish(name: pl.Expr, rule: Rule) -> pl.Expr:
    if rule.collapse:
        name = name.str.replace_all("-{2,}", "-")
    if rule.lower:
        name = name.str.to_lowercase()
    return (
        pl.format("{}{}{}", pl.lit(rule.prefix), name, pl.lit(rule.suffix))
        if rule.prefix or rule.suffix
        else name
    )
