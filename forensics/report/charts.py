"""How pictures look and become SVG: two themes, fixed sizes, the same bytes on every machine.

Vega measures text with the fonts it finds, so nothing here depends on a measure: sizes, margins and
legends are set, and labels are cut before they are drawn.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from wcwidth import iter_graphemes

from forensics.display import clean_text, display_width, row_text

FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
WIDTH = 860
_BROAD = frozenset("mwMW@%…")
_SLIM = frozenset("fijlrtI.,:;|!'`-/\\()[] ")
_SVG_OPEN = re.compile(r"<svg [^>]*>")
_LONG_NUMBER = re.compile(r"(?<=[0-9]\.[0-9]{2})[0-9]+")
# Vega writes what it is given into XML and ends the whole process over a character that XML cannot hold.
_NOT_IN_XML = re.compile(r"[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ATTRIBUTE = re.compile(r' (?:d|x|y|x1|x2|y1|y2|transform|width|height|points|r)="[^"]*"')


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours of a picture; `series` tell things apart and are never the only sign."""

    ink: str
    soft: str
    line: str
    card: str
    fault: str
    risk: str
    measure: str
    series: tuple[str, ...]


LIGHT = Theme(
    ink="#1c2024",
    soft="#575e66",
    line="#dedbd4",
    card="#ffffff",
    fault="#a1262b",
    risk="#9a6a0a",
    measure="#1a5a8a",
    series=("#33658a", "#b0600f", "#44794f", "#a04a84", "#74654b", "#1f7f90", "#b0413e", "#6f66a8"),
)
DARK = Theme(
    ink="#e4e5e3",
    soft="#a3abb3",
    line="#31383e",
    card="#1a1e21",
    fault="#ff9d97",
    risk="#efbd6c",
    measure="#8cc0ec",
    series=("#7fb3d9", "#e8a35c", "#86c391", "#d68cbd", "#bfae8d", "#6cc8d8", "#e58b87", "#aaa3dd"),
)

# The two themes differ in colours alone, so that one drawing serves both.
_COLOUR = re.compile(r"(?<=[\"'])#[0-9a-f]{6}(?=[\"'])")
_PLAIN = ("ink", "soft", "line", "card", "fault", "risk", "measure")
_TO_DARK = {
    **{
        getattr(LIGHT, name): getattr(DARK, name)
        for name in LIGHT.__slots__
        if name not in {"name", "series"}
    },
    **dict(zip(LIGHT.series, DARK.series, strict=True)),
}


@dataclass(frozen=True, slots=True)
class Margins:
    """The space around the plot, in pixels."""

    left: int
    right: int = 24
    top: int = 12
    bottom: int = 44


def render(
    draw: Callable[[Theme], Any], *, height: int, margins: Margins, title: str, description: str
) -> tuple[str, str]:
    """The picture as SVG, light and dark; `draw` gives an Altair chart without size.

    Units: `height` of the plot in pixels.
    """
    light = _to_svg(draw(LIGHT), LIGHT, height, margins, title, description)
    return light, _COLOUR.sub(lambda found: _TO_DARK.get(found[0], found[0]), light)


def _to_svg(chart: Any, theme: Theme, height: int, margins: Margins, title: str, description: str) -> str:
    # Both take half a second to import; a report without pictures does not wait for them.
    import vl_convert

    width = WIDTH - margins.left - margins.right
    spec = chart.properties(
        width=width,
        height=height,
        padding={
            "left": margins.left,
            "right": margins.right,
            "top": margins.top,
            "bottom": margins.bottom,
        },
        autosize={"type": "none"},
        background="transparent",
    ).configure(font=FONT, aria=False)
    spec = spec.configure_view(stroke=None).configure_axis(
        domain=False,
        ticks=False,
        grid=False,
        gridColor=theme.line,
        labelColor=theme.soft,
        titleColor=theme.soft,
        labelFontSize=12,
        titleFontSize=12,
        titleFontWeight="normal",
        labelLimit=0,
        labelPadding=8,
        titleLimit=0,
    )
    drawn = drawable(spec.to_dict(validate=False))
    svg = str(vl_convert.vegalite_to_svg(drawn, allowed_base_urls=[]))
    svg = _ATTRIBUTE.sub(lambda found: _LONG_NUMBER.sub("", found[0]), svg)
    said = f"<title>{escape(clean_text(title))}</title><desc>{escape(clean_text(description))}</desc>"
    opening = _SVG_OPEN.search(svg)
    assert opening is not None
    return f'{svg[: opening.end() - 1]} role="img">{said}{svg[opening.end() :]}'


def drawable(value: Any) -> Any:
    """The same specification, in whose texts a sign stands for each character that XML cannot hold.

    A control is shown by its picture, such as `␛`, so that texts which differ in it alone stay apart.
    """
    if isinstance(value, str):
        return _NOT_IN_XML.sub(lambda found: _picture_of(found[0]), value)
    if isinstance(value, dict):
        return {drawable(name): drawable(inner) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [drawable(inner) for inner in value]
    return value


def _picture_of(sign: str) -> str:
    return chr(0x2400 + ord(sign)) if sign < " " else "\ufffd"


def frame(rows: Sequence[dict[str, object]]) -> Any:
    """The rows as a Polars frame for a picture."""
    import polars as pl

    return pl.DataFrame(drawable(rows), infer_schema_length=None)


def fixed(channel: str, value: object) -> Any:
    """A channel set to one value, in pixels or as a colour."""
    import altair as alt

    return getattr(alt, f"{channel}Value")(value)


def label_pixels(text: str) -> float:
    """About how wide a label of 12 pixels is drawn; an estimate by kinds of letters, on the safe side."""
    return sum(
        12.0
        if display_width(sign) > 1
        else 11.0
        if sign in _BROAD
        else 4.2
        if sign in _SLIM
        else 8.4
        if sign[:1].isupper()
        else 6.9
        for sign in iter_graphemes(text)
    )


def short_label(text: str, pixels: float) -> str:
    """The text cut to its end, where paths and keys differ, with `…` for what stood before."""
    line = row_text(text, 10_000)
    if label_pixels(line) <= pixels:
        return line
    clusters = list(iter_graphemes(line))
    room = pixels - label_pixels("…") - 4
    begin = len(clusters)
    while begin and (room := room - label_pixels(clusters[begin - 1])) >= 0:
        begin -= 1
    return "…" + "".join(clusters[begin:])


def legend(theme: Theme, items: Sequence[tuple[str, str, str]], *, y: float = -14) -> list[Any]:
    """Layers that name what shapes and colours mean: label, colour and shape of each, in one row."""
    import altair as alt

    layers: list[Any] = []
    x = 6.0
    for label, colour, shape in items:
        one = alt.Chart(frame([{"label": label}]))
        hollow = shape.startswith("hollow-")
        layers.append(
            one.mark_point(
                shape=shape.removeprefix("hollow-"),
                size=70,
                filled=not hollow,
                color=colour,
                opacity=1,
                strokeWidth=1.6,
                clip=False,
            ).encode(x=fixed("X", x), y=fixed("Y", y))
        )
        layers.append(
            one.mark_text(align="left", dx=9, color=theme.soft, fontSize=12, clip=False).encode(
                x=fixed("X", x), y=fixed("Y", y), text=alt.Text("label:N")
            )
        )
        x += 30 + label_pixels(label)
    return layers
