"""The tables and the plot of benchmarks/early_delivery, beside the figures of the paper.  Every number of the text is
taken from the data."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from checker.report.tables import Right, markdown_table

NAMES = {"wait_for_all": "wait for all", "toto": "ToTo", "s_toto": "S-ToTo", "g_toto": "G-ToTo", "gl_toto": "GL-ToTo"}
SHOWN = ("wait_for_all", "toto", "s_toto", "g_toto", "gl_toto")
DELAYS = """The paper measures latency by Ntail(G). Measured by the number of messages inserted in between, early delivery gains most in narrow graphs and little in wide ones, where a message
waits for the messages that precede it causally. A single message may even be later by S-ToTo than by ToTo: a candidate left out of an early delivery has to collect votes again, while ToTo, which waits, may deliver it with the others.
"""  # noqa: E501
INTRODUCTION = """# Early delivery

Section 7 of Johnson and Maugis, "New Rules for Early Delivery in an Atomic Multicast System" (1994), by simulation. Made by `python -m benchmarks.early_delivery`;
same seeds, same figures. The rules are those of the models, on votes as bits; `tests/benchmarks/test_early_delivery.py` compares the two on random graphs.

{processors} processors, {seeds} random graphs of {messages} messages for each width, the first and last {margin} not counted; seen by one processor. *Width* is the mean time of a message to another
processor, where each processor multicasts once per unit of time: the wider, the fewer messages follow each other. The paper does not describe its graphs; its testbed was an Ethernet.

![shares and tails](early_delivery.svg)
"""  # noqa: E501


def page(data: dict[str, Any]) -> str:
    """early_delivery.md"""
    introduction = INTRODUCTION.format(**{**data, "seeds": len(data["seeds"])})
    return "\n".join(
        [
            introduction,
            _beside_the_paper(data),
            "",
            *_table(data, "early", "Delivered early, share of all messages", 100),
            "",
            *_table(data, "tail", "Ntail(G) at delivery, mean: how many processors had to be heard of", 1),
            "",
            *_table(data, "delay", "Insertions from a message's own to its delivery, mean", 1),
            "",
            DELAYS,
        ]
    )


def _rows(data: dict[str, Any], rule: str, phi: int) -> dict[float, dict[str, Any]]:
    return {m["width"]: m for m in data["measures"] if m["rule"] == rule and m["phi"] == phi}


def _percent(value: float) -> str:
    return f"{100 * value:.1f} %"


def _beside_the_paper(data: dict[str, Any]) -> str:
    half = data["processors"] // 2
    toto, simple, full = (_rows(data, name, half) for name in ("toto", "s_toto", "gl_toto"))
    widths = list(toto)
    later = {w: r["later"] for w, r in toto.items() if r["later"] is not None and simple[w]["early"] >= 0.05}
    front = {w: r["front"] for w, r in full.items()}
    most = max(later, key=lambda w: later[w])
    narrowest, best = data["narrowest"], max(front, key=lambda w: front[w])
    generalized = {phi: _rows(data, "g_toto", phi) for phi in range(1, half + 1)}
    narrow, wide = widths[1], 1.0
    rows = (
        (
            "n = 8, phi = n/2: the average Ntail(G) is 5.12",
            f"S-ToTo: {narrowest['tail']:.2f} at width {narrowest['width']}, "
            f"{simple[widths[0]]['tail']:.2f} at width {widths[0]}, {simple[widths[1]]['tail']:.2f} at {widths[1]}, "
            f"{simple[widths[2]]['tail']:.2f} at {widths[2]}; 5 is the least that phi = 4 allows: a testbed with "
            "narrow graphs",
        ),
        (
            "as much as 10 % of the messages that S-ToTo delivers early are not delivered early by ToTo",
            f"{_spread(later)}; the most is {_percent(later[most])} at width {most} (widths at which S-ToTo delivers "
            "at least 5 % early)",
        ),
        (
            "as much as 5 % of all messages can be delivered early with the lexicographic order",
            f"{_spread(front)}; the most is {_percent(front[best])} at width {best}",
        ),
        (
            "with wide graphs ToTo uses the default rule most of the time, GL-ToTo delivers earlier",
            f"default rule at width 1: ToTo {_percent(1 - toto[1.0]['early'])}, GL-ToTo with phi = n/2 "
            f"{_percent(1 - full[1.0]['early'])}, with phi = 1 {_percent(1 - _rows(data, 'gl_toto', 1)[1.0]['early'])}",
        ),
        (
            "small values of phi improve performance for wide graphs, phi = n/2 seems a good choice for narrow ones",
            f"G-ToTo, mean Ntail(G) for phi = 1 to n/2: {_list(generalized, narrow)} at width {narrow}, "
            f"{_list(generalized, wide)} at width {wide}; share delivered early at width {wide}: "
            + ", ".join(_percent(rows[wide]["early"]) for rows in generalized.values()),
        ),
        (
            "up to 400 messages per second on an Ethernet of 1 Mbit/s",
            "not repeated: a figure of their machines and their network",
        ),
    )
    return markdown_table(["the paper", "here"], rows)


def _list(generalized: dict[int, dict[float, dict[str, Any]]], width: float) -> str:
    return ", ".join(f"{rows[width]['tail']:.2f}" for rows in generalized.values())


def _spread(values: dict[float, float]) -> str:
    return ", ".join(f"{_percent(v)} at {w}" for w, v in values.items())


def _table(data: dict[str, Any], what: str, title: str, factor: int) -> Iterator[str]:
    widths = sorted({m["width"] for m in data["measures"]})
    yield f"## {title}{' (%)' if factor == 100 else ''}"
    yield ""
    shown = dict.fromkeys((m["rule"], m["phi"]) for m in data["measures"] if m["rule"] in SHOWN)
    digits = 1 if factor == 100 else 2
    rows = (
        (NAMES[rule], str(phi), *(f"{factor * _rows(data, rule, phi)[w][what]:.{digits}f}" for w in widths))
        for rule, phi in shown
    )
    yield markdown_table(["rule", *map(Right, ("phi", *(f"width {w}" for w in widths)))], rows)


def plot(data: dict[str, Any], file: Path) -> None:
    """early_delivery.svg"""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "early delivery", "font.size": 9})
    from matplotlib import pyplot

    half = data["processors"] // 2
    figure, axes = pyplot.subplots(1, 2, figsize=(10, 4))
    lines = [
        ("toto", half, "o-"),
        ("s_toto", half, "s-"),
        ("g_toto", 1, "v--"),
        ("g_toto", half - 1, "^--"),
        ("gl_toto", 1, "<:"),
        ("gl_toto", half, ">:"),
    ]
    for rule, phi, style in lines:
        rows = _rows(data, rule, phi)
        for axis, what, factor in ((axes[0], "early", 100), (axes[1], "tail", 1)):
            axis.plot(
                list(rows),
                [factor * r[what] for r in rows.values()],
                style,
                label=f"{NAMES[rule]}, phi = {phi}",
                markersize=4,
                linewidth=1.2,
            )
    for axis, label in zip(axes, ("delivered early, % of all messages", "Ntail(G) at delivery, mean")):
        axis.set_xscale("log")
        axis.set_xlabel("width: mean time of a message")
        axis.set_ylabel(label)
        axis.grid(alpha=0.3)
    axes[1].axhline(5.12, color="black", linewidth=0.8)
    axes[1].annotate("the paper's testbed, phi = 4: 5.12", (0.2, 5.17))
    axes[0].legend()
    figure.tight_layout()
    figure.savefig(file, metadata={"Date": None})
    pyplot.close(figure)
