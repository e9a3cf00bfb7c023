"""From samples to a table: medians over rounds, ratios within rounds, goals beside them."""

import json
import os
import statistics
import sys
from dataclasses import asdict, dataclass

from cases import IDLE_GOALS, MEASURES, Goal


@dataclass
class Row:
    case: str
    measure: str
    ours: float
    theirs: float
    # Ratios of ours to theirs, one for each round; the servers of a round ran one after the other.
    ratios: list
    goal: str
    verdict: str
    note: str = ""

    @property
    def ratio(self):
        return statistics.median(self.ratios)


def compare(case, measure, pairs, goal: Goal | None, note="", is_own_goal=False):
    """A row from one pair of numbers a round."""
    ours = statistics.median(pair[0] for pair in pairs)
    theirs = statistics.median(pair[1] for pair in pairs)
    ratios = [mine / other if other else float("inf") if mine else 1.0 for mine, other in pairs]
    verdict = ""
    if goal:
        verdict = "met" if goal.is_met(ours if is_own_goal else statistics.median(ratios)) else "missed"
    kind = f"{goal}{' (ours)' if is_own_goal else ' ×'}" if goal else ""
    return Row(case, measure, ours, theirs, ratios, kind, verdict, note)


def own_row(case, measure, values, goal: Goal | None = None):
    """A row without a peer: one number a round; the spread is that of the numbers themselves."""
    middle = statistics.median(values)
    verdict = ("met" if goal.is_met(middle) else "missed") if goal else ""
    return Row(case, measure, middle, None, values, f"{goal} (ours)" if goal else "", verdict)


def case_rows(case, rounds):
    """The rows of one case; `rounds` holds a pair of samples each, free-running and under the quota."""
    free = [pair for pair in rounds["free"]]
    rows = []
    for measure in case.measures:
        pairs = [(getattr(ours, measure), getattr(theirs, measure)) for ours, theirs in free]
        note = _saturation(free) if measure in ("rate", "throughput") else ""
        rows.append(compare(case.name, MEASURES[measure], pairs, case.goals.get(measure), note))
        if measure == "rate" and rounds["quota"]:
            pairs = [(ours.rate, theirs.rate) for ours, theirs in rounds["quota"]]
            rows.append(compare(
                case.name, MEASURES["quota"], pairs, case.goals.get("quota"), _saturation(rounds["quota"])))
    return rows


def _saturation(pairs):
    """Says when wrk had no CPU left, so that the number is wrk's."""
    names = []
    for index, name in enumerate(("widgetd", "nginx")):
        full = sum(pair[index].load_is_full for pair in pairs)
        if full:
            names.append(f"{name} {full} of {len(pairs)}")
    return f"wrk was the limit: {', '.join(names)}" if names else ""


def idle_rows(count, pairs):
    name = f"{count:,} idle connections"
    return [
        compare(name, "user memory per connection, bytes", [(a.bytes, b.bytes) for a, b in pairs],
                IDLE_GOALS["bytes"], is_own_goal=True),
        compare(name, "user memory before, MB", [(a.base / 1e6, b.base / 1e6) for a, b in pairs], None),
        compare(name, "a GET meanwhile, median, ms",
                [(a.latency_median, b.latency_median) for a, b in pairs], None),
        compare(name, "a GET meanwhile, slowest, ms", [(a.latency, b.latency) for a, b in pairs],
                IDLE_GOALS["latency"], is_own_goal=True),
    ]


# The exit status of a benchmark that measured everything and missed a goal; 1 is for what could not be measured.
MISSED = 3


def missed(rows):
    """A line for each goal that these rows miss."""
    return [
        f"{row.case}: {row.measure}: {number(row.ours if row.theirs is None or '(ours)' in row.goal else row.ratio)}, "
        f"the goal is {row.goal}" for row in rows if row.verdict == "missed"]


def judge(lines):
    """Names the missed goals; returns the exit status."""
    for line in lines:
        print(f"missed: {line}", file=sys.stderr)
    return MISSED if lines else 0


HEADINGS = ("what", "widgetd", "nginx", "ratio (min..max)", "goal", "")


def _cells(row):
    if row.theirs is None:
        spread = f"({number(min(row.ratios))}..{number(max(row.ratios))})"
        return row.measure, number(row.ours), "", spread, row.goal, row.verdict
    spread = f"{row.ratio:.2f} ({min(row.ratios):.2f}..{max(row.ratios):.2f})"
    return row.measure, number(row.ours), number(row.theirs), spread, row.goal, row.verdict


def number(value):
    """Three digits that matter, or all of a whole number."""
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.2f}" if abs(value) >= 0.1 else f"{value:.3f}"


def text(rows, facts):
    """The table for a terminal."""
    cells = [_cells(row) for row in rows]
    widths = [max(len(line[column]) for line in [HEADINGS, *cells]) for column in range(len(HEADINGS))]
    lines = list(facts)
    case = None
    for row, line in zip(rows, cells):
        if row.case != case:
            case = row.case
            lines += ["", case, "  " + _aligned(HEADINGS, widths)]
        lines.append("  " + _aligned(line, widths) + (f"  [{row.note}]" if row.note else ""))
    return "\n".join(lines) + "\n"


def _aligned(line, widths):
    first, *rest = line
    cells = [first.ljust(widths[0])]
    cells += [cell.rjust(width) for cell, width in zip(rest, widths[1:])]
    return "  ".join(cells).rstrip()


def markdown(rows, facts):
    """The same as a document."""
    lines = ["# Benchmarks", "", *(f"* {fact}" for fact in facts), ""]
    lines += ["| case | what | widgetd | nginx | ratio (min..max) | goal | | |", "|---|---|--:|--:|--:|--:|---|---|"]
    case = None
    for row in rows:
        title = row.case if row.case != case else ""
        case = row.case
        lines.append(f"| {title} | {' | '.join(_cells(row))} | {row.note} |")
    return "\n".join(lines) + "\n"


def write(directory, name, rows, facts):
    """Leaves the table for people and for programs; returns where."""
    os.makedirs(directory, exist_ok=True)
    path = os.path.join(directory, name)
    with open(f"{path}.md", "w") as file:
        file.write(markdown(rows, facts))
    with open(f"{path}.json", "w") as file:
        json.dump({"facts": facts, "rows": [asdict(row) | {"ratio": row.ratio} for row in rows]}, file, indent=1)
    return f"{path}.md"
