"""What is measured, and the goals it is measured against."""

from dataclasses import dataclass, field

# What is read off one run of wrk: key -> (title, unit, whether the number is per byte moved).
MEASURES = {
    "rate": "requests/s",
    "quota": "requests/s, equal CPU quota",
    "p50": "p50, ms",
    "p99": "p99, ms",
    "cpu": "CPU per request, µs",
    "user": "user time per request, µs",
    "throughput": "MB/s",
    "cpu_gb": "CPU per GB, ms",
}

SMALL = ("rate", "p50", "p99", "cpu", "user")
LARGE = ("throughput", "cpu_gb")


@dataclass
class Goal:
    """A bound for a ratio, ours to theirs; for `own` goals, a bound for our number itself."""
    bound: float
    at_least: bool = False

    def is_met(self, value):
        return value >= self.bound if self.at_least else value <= self.bound

    def __str__(self):
        return f"{'≥' if self.at_least else '≤'} {self.bound:g}"


@dataclass
class Case:
    name: str
    path: str
    connections: int
    measures: tuple
    goals: dict
    status: int = 200
    has_quota: bool = False
    tag: str = field(default=None, compare=False)


def _small(connections, rate):
    return Case(
        f"2 KiB from memory, {connections:,} connections", "/memory/2k.zip", connections, SMALL,
        {"quota": Goal(rate, at_least=True), "cpu": Goal(0.75), "p99": Goal(0.6)}, has_quota=True)


def _unchanged(connections):
    return Case(
        f"304 to If-None-Match, {connections:,} connections", "/memory/2k.zip", connections, SMALL,
        {"cpu": Goal(0.85)}, status=304, has_quota=connections == 64)


def _file(name, title, connections):
    return Case(f"{title} file, {connections:,} connections", f"/file/{name}", connections, SMALL, {"cpu": Goal(0.7)})


def _large(name, title, connections):
    return Case(
        f"{title} file, {connections} connections", f"/file/{name}", connections, LARGE,
        {"throughput": Goal(1.15, at_least=True), "cpu_gb": Goal(1.1)})


def all_cases():
    return [
        _small(64, 1.3), _small(1_000, 1.2),
        _unchanged(64), _unchanged(1_000),
        _file("20k.zip", "20 KiB", 64), _file("20k.zip", "20 KiB", 1_000),
        _file("128k.zip", "128 KiB", 64), _file("128k.zip", "128 KiB", 1_000),
        _large("1500k.zip", "1.5 MB", 64), _large("64m.zip", "64 MB", 16),
    ]


IDLE_GOALS = {"bytes": Goal(200), "latency": Goal(100)}
