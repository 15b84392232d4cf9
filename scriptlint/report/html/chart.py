"""A line chart as inline SVG: a curve per group, told apart by colour, dash, marker and a label at its end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from scriptlint.report.html.markup import esc
from scriptlint.report.html.palette import SERIES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

WIDTH, HEIGHT = 640, 380
_LEFT, _RIGHT, _TOP, _BOTTOM = 76, 140, 16, 58
_LABEL = 19
_DASHES = ("", "9 5", "2 5", "12 4 3 4", "5 3", "1 7")


@dataclass(frozen=True, slots=True)
class Curve:
    """A name and points (x, share between 0 and 1), in order of x."""

    name: str
    points: tuple[tuple[float, float], ...]


def line_chart(curves: Sequence[Curve], *, title: str, description: str, x_label: str, y_label: str) -> str:
    """The chart; empty when no curve has two points."""
    curves = [c for c in curves if len(c.points) > 1]
    if not curves:
        return ""
    xs = sorted({x for c in curves for x, _ in c.points})
    low, high = xs[0], xs[-1]
    span = (high - low) or 1.0

    def at(x: float, y: float) -> tuple[float, float]:
        across = _LEFT + (x - low) / span * (WIDTH - _LEFT - _RIGHT)
        return round(across, 1), round(_TOP + (1 - y) * (HEIGHT - _TOP - _BOTTOM), 1)

    parts = [
        f'<svg class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{esc(title)}. {esc(description)}">',
        *_grid(xs, at(low, 0), at(high, 1), x_label, y_label),
    ]
    labels = []
    for n, curve in enumerate(curves):
        series, dash = n % SERIES + 1, _DASHES[n % len(_DASHES)]
        placed = [at(x, y) for x, y in curve.points]
        joined = " ".join(f"{x},{y}" for x, y in placed)
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        parts.append(f'<polyline class="curve s{series}"{dashed} points="{joined}"/>')
        parts += [
            _marker(n, x, y, f"{curve.name}: {100 * p[1]:.1f} % at {p[0]:g}") for (x, y), p in _told(placed, curve)
        ]
        labels.append((placed[-1][1], n, curve.name, placed[-1]))
    parts += _labels(labels)
    return f"{''.join(parts)}</svg>"


def legend(curves: Sequence[Curve]) -> str:
    """The curves' names with their dashes and markers, for screens too narrow for the labels at their ends."""
    out = []
    for n, curve in enumerate(c for c in curves if len(c.points) > 1):
        dash = _DASHES[n % len(_DASHES)]
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        out.append(
            f'<li><svg class="chart-key" viewBox="0 0 36 14" aria-hidden="true"><path class="curve s{n % SERIES + 1}"'
            f'{dashed} d="M0 7H36"/>{_marker(n, 18, 7, curve.name)}</svg> {esc(curve.name)}</li>'
        )
    return f'<ul class="curves">{"".join(out)}</ul>'


def _told(
    placed: Sequence[tuple[float, float]], curve: Curve
) -> Iterator[tuple[tuple[float, float], tuple[float, float]]]:
    """The points that get a marker: all, or every few when they are dense, and always the last."""
    step = max(1, len(placed) // 12)
    for n, pair in enumerate(zip(placed, curve.points, strict=True)):
        if n % step == 0 or n == len(placed) - 1:
            yield pair


def _grid(
    xs: Sequence[float], origin: tuple[float, float], end: tuple[float, float], x_label: str, y_label: str
) -> Iterator[str]:
    left, bottom = origin
    right, top = end
    for percent in range(0, 101, 20):
        y = round(bottom + (top - bottom) * percent / 100, 1)
        yield f'<line class="grid" x1="{left}" x2="{right}" y1="{y}" y2="{y}"/>'
        yield f'<text class="tick" x="{left - 8}" y="{y + 4}" text-anchor="end">{percent}\u202f%</text>'
    for x in _ticks(xs):
        across = round(left + (x - xs[0]) / ((xs[-1] - xs[0]) or 1) * (right - left), 1)
        yield f'<line class="axis" x1="{across}" x2="{across}" y1="{bottom}" y2="{bottom + 5}"/>'
        yield f'<text class="tick" x="{across}" y="{bottom + 22}" text-anchor="middle">{x:g}</text>'
    yield f'<line class="axis" x1="{left}" x2="{right}" y1="{bottom}" y2="{bottom}"/>'
    yield f'<text x="{(left + right) / 2}" y="{HEIGHT - 8}" text-anchor="middle">{esc(x_label)}</text>'
    yield (
        f'<text x="14" y="{(top + bottom) / 2}" text-anchor="middle" '
        f'transform="rotate(-90 14 {(top + bottom) / 2})">{esc(y_label)}</text>'
    )


def _ticks(xs: Sequence[float]) -> list[float]:
    step = max(1, -(-len(xs) // 11))
    return list(xs[::step])


def _marker(number: int, x: float, y: float, said: str) -> str:
    """A circle, square, diamond or triangle, by the curve's number; its title is read on hover."""
    r = 4.5
    shape = (
        f'<circle cx="{x}" cy="{y}" r="{r}"',
        f'<rect x="{x - r:.1f}" y="{y - r:.1f}" width="{2 * r}" height="{2 * r}"',
        f'<path d="M{x} {y - r - 1:.1f}L{x + r + 1:.1f} {y}L{x} {y + r + 1:.1f}L{x - r - 1:.1f} {y}Z"',
        f'<path d="M{x} {y - r - 1:.1f}L{x + r + 1:.1f} {y + r:.1f}L{x - r - 1:.1f} {y + r:.1f}Z"',
    )[number % 4]
    tag = shape[1:].split(" ", 1)[0]
    return f'{shape} class="d{number % SERIES + 1}"><title>{esc(said)}</title></{tag}>'


def _labels(ends: Sequence[tuple[float, int, str, tuple[float, float]]]) -> Iterator[str]:
    """Names beside the ends of their curves, moved apart where they would overlap."""
    ordered = sorted(ends)
    y = _TOP - _LABEL / 2
    places = []
    for end, *_ in ordered:
        y = max(y + _LABEL, end)
        places.append(y)
    floor = float(HEIGHT - _BOTTOM)
    for n in range(len(places) - 1, -1, -1):
        places[n] = min(places[n], floor)
        floor = places[n] - _LABEL
    for (_, number, name, (x, end)), y in zip(ordered, places, strict=True):
        series = number % SERIES + 1
        yield f'<line class="lead-line s{series}" x1="{x + 6}" y1="{end}" x2="{x + 20}" y2="{y:.1f}"/>'
        yield _marker(number, x + 26, round(y, 1), name)
        yield f'<text x="{x + 36}" y="{y + 4:.1f}">{esc(name)}</text>'
