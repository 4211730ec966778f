"""Damage by class and file."""

from __future__ import annotations

from typing import Any

from forensics.report.charts import Margins, Theme, fixed, frame, short_label
from forensics.report.model import Picture
from forensics.report.pictures.base import Scene, leave_out, show
from forensics.report.text import count_of

_FILES = 24
_CLASSES = 9
_STEP = 26
_TITLE = "Damage by class and file"
_NAME = "damage"

_QUERY = """
select
    f.label,
    f.path,
    g.class as class,
    count(*) as n_gaps
from gaps as g
join files as f on f.file_id = g.file_id and f.generation = g.generation
group by f.label, f.path, g.class
order by f.label, f.path, class
"""
_COUNT = "select count(*) as n_files from files"


def draw_damage(scene: Scene) -> Picture | None:
    """A mark for each file and class, as large as the damage; None where a table says as much."""
    rows = scene.rows(_QUERY)
    if not rows:
        return leave_out(_NAME, "gaps", _TITLE, "there are no gaps.")
    by_file: dict[tuple[str, str], int] = {}
    by_class: dict[str, int] = {}
    for row in rows:
        file = (row["label"], row["path"])
        by_file[file] = by_file.get(file, 0) + row["n_gaps"]
        by_class[row["class"]] = by_class.get(row["class"], 0) + row["n_gaps"]
    if len(by_file) < 2 or len(by_class) < 2:
        return None
    n_files = scene.rows(_COUNT)[0]["n_files"]
    files = sorted(by_file, key=lambda file: (-by_file[file], file))[:_FILES]
    classes = sorted(by_class, key=lambda name: (-by_class[name], name))[:_CLASSES]
    worst = classes[0]
    title = (
        f"{count_of(len(by_file), 'file')} of {n_files:,} "
        f"{'has' if len(by_file) == 1 else 'have'} gaps; {worst} is the most frequent class"
    )
    left_out = []
    if len(by_file) > len(files):
        left_out.append(f"the {len(files)} files with most gaps")
    if len(by_class) > len(classes):
        left_out.append(f"the {len(classes)} most frequent classes")
    return show(
        _NAME,
        "gaps",
        title=title,
        caption=(
            f"Gaps in {len(by_file):,} of {count_of(n_files, 'file')}; the number is how many of a class "
            f"stand in a file.{' Drawn: ' + ' and '.join(left_out) + '.' if left_out else ''}"
        ),
        description=f"{title}. "
        + " ".join(f"{name}: {count_of(by_class[name], 'gap')}." for name in classes)
        + " "
        + " ".join(f"{path.rsplit('/', 1)[-1]}: {by_file[label, path]}." for label, path in files[:6]),
        draw=lambda theme: _chart(theme, rows, files, classes),
        height=_STEP * len(files),
        margins=Margins(left=330, right=30, top=30, bottom=8),
    )


def _chart(theme: Theme, rows: list[dict[str, Any]], files: list[tuple[str, str]], classes: list[str]) -> Any:
    import altair as alt

    place = {file: at for at, file in enumerate(files)}
    column = {name: at for at, name in enumerate(classes)}
    marks = [
        {
            "x": column[row["class"]] + 0.5,
            "y": place[row["label"], row["path"]] + 0.5,
            "n": row["n_gaps"],
            "said": f"{row['n_gaps']:,}",
        }
        for row in rows
        if row["class"] in column and (row["label"], row["path"]) in place
    ]
    names = [{"y": at + 0.5, "file": short_label("/".join(file), 312)} for file, at in place.items()]
    heads = [{"x": at + 0.5, "class": name.replace("_", " ")} for name, at in column.items()]
    x = alt.Scale(domain=[0, len(classes)], nice=False)
    y = alt.Scale(domain=[0, len(files)], reverse=True, nice=False)
    most = max(mark["n"] for mark in marks)
    base = alt.Chart(frame(marks))
    lines = alt.Chart(frame(names))
    return alt.layer(
        lines.mark_rule(color=theme.line).encode(
            x=fixed("X", 0), x2=fixed("X2", "width"), y=alt.Y("y:Q", scale=y, axis=None)
        ),
        base.mark_circle(color=theme.fault, opacity=1).encode(
            x=alt.X("x:Q", scale=x, axis=None),
            y=alt.Y("y:Q", scale=y),
            size=alt.Size(
                "n:Q", scale=alt.Scale(type="sqrt", domain=[1, max(2, most)], range=[240, 520]), legend=None
            ),
        ),
        base.mark_text(color=theme.card, fontSize=11, fontWeight="bold", baseline="middle").encode(
            x=alt.X("x:Q", scale=x), y=alt.Y("y:Q", scale=y), text=alt.Text("said:N")
        ),
        lines.mark_text(align="right", dx=-10, color=theme.ink, fontSize=12, baseline="middle").encode(
            x=fixed("X", 0), y=alt.Y("y:Q", scale=y), text=alt.Text("file:N")
        ),
        alt.Chart(frame(heads))
        .mark_text(color=theme.soft, fontSize=12)
        .encode(x=alt.X("x:Q", scale=x), y=fixed("Y", -12), text=alt.Text("class:N")),
    )
