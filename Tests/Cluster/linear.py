#!/usr/bin/env python3
"""Decides whether a history of operations on one channel could have happened one after the other.

An operation is written down with the moments at which it was sent and answered. A history is linearizable if the
operations can be put in an order that agrees with those moments and in which each answer is right: the search is that of
Wing and Gong, with the states already met remembered (Lowe). Reads may be as old as a bound: they count as sent earlier.

    linear.py --self-test      histories that are right, and histories that must be found wrong
"""

import random
import sys
from dataclasses import dataclass

NEVER = float("inf")


@dataclass(frozen=True)
class Operation:
    """`kind` is read or write. A write names the sequence that it expects and the release that it sets.

    `outcome` is the state that the answer shows, (sequence, release); "refused" for a write whose expectation was wrong;
    None where no answer came, so that it took effect at any later moment or not at all.
    """

    kind: str
    sent: float
    answered: float
    expected: int = 0
    release: str = ""
    outcome: object = None

    def step(self, state):
        """The states after it, if it came next."""
        sequence, release = state
        if self.kind == "read":
            return [state] if self.outcome == state else []
        after = (sequence + 1, self.release)
        if self.outcome is None:
            # That it had no effect is to leave it out.
            return [after] if self.expected == sequence else []
        if self.outcome == "refused":
            return [state] if self.expected != sequence else []
        return [after] if self.expected == sequence and self.outcome == after else []


def is_linearizable(history, initial, bound=0.0):
    """`bound` is by how many seconds a read may lag behind."""
    operations = []
    for operation in history:
        sent, answered = operation.sent, operation.answered
        if operation.kind == "read":
            if operation.outcome is None:
                continue
            sent -= bound
        if operation.outcome is None:
            answered = NEVER
        operations.append((sent, answered, operation))
    operations.sort(key=lambda entry: entry[0])
    required = sum(entry[1] != NEVER for entry in operations)

    def is_over(index, state):
        """True of a write without an answer that can take effect no more: sequences only rise."""
        operation = operations[index][2]
        return operation.outcome is None and operation.expected < state[0]

    seen = set()
    # Operations before the first number are done or over; those of the set are done, too; how many of them were
    # answered; and the state after them. So what is remembered is as long as what is under way, and not as the history.
    stack = [(0, frozenset(), 0, initial)]
    while stack:
        first, done, count, state = stack.pop()
        while first < len(operations) and (first in done or is_over(first, state)):
            first += 1
        done = frozenset(index for index in done if index >= first)
        if count == required:
            return True
        if (first, done, state) in seen:
            continue
        seen.add((first, done, state))
        # The next one was sent before any that is left was answered.
        earliest = NEVER
        left = []
        for index in range(first, len(operations)):
            sent, answered, _ = operations[index]
            if index in done or is_over(index, state):
                continue
            if sent > earliest:
                break
            left.append(index)
            earliest = min(earliest, answered)
        # Reads and refusals change nothing, so those that are right now can be done at once.
        free = [
            index
            for index in left
            if operations[index][0] <= earliest and operations[index][1] != NEVER
            and operations[index][2].step(state) == [state]
        ]
        if free:
            stack.append((first, done | frozenset(free), count + len(free), state))
            continue
        for index in left:
            sent, answered, operation = operations[index]
            if sent > earliest:
                continue
            for after in operation.step(state):
                stack.append((first, done | {index}, count + (answered != NEVER), after))
    return False


def read(sent, answered, sequence, release):
    return Operation("read", sent, answered, outcome=(sequence, release))


def write(sent, answered, expected, release, outcome="taken"):
    if outcome == "taken":
        outcome = (expected + 1, release)
    return Operation("write", sent, answered, expected, release, outcome)


RIGHT = {
    "nothing": [],
    "one after the other": [write(0, 1, 1, "b"), read(2, 3, 2, "b"), write(4, 5, 2, "c"), read(6, 7, 3, "c")],
    "a read beside a write sees either": [write(0, 10, 1, "b"), read(1, 2, 1, "a"), read(3, 4, 2, "b")],
    "of two with one expectation one is refused": [write(0, 5, 1, "b"), write(1, 6, 1, "c", "refused"), read(7, 8, 2, "b")],
    "a lost answer that took effect": [write(0, 1, 1, "b", None), read(5, 6, 2, "b")],
    "a lost answer that took effect late": [write(0, 1, 1, "b", None), read(2, 3, 1, "a"), read(5, 6, 2, "b")],
    "a lost answer that had no effect": [write(0, 1, 1, "b", None), write(2, 3, 1, "c"), read(5, 6, 2, "c")],
    "many beside one another": [write(0, 100, n, f"r{n}") for n in range(1, 40)] + [read(0, 100, 20, "r19")],
}



def long_history(count):
    """As many operations beside one another, of which most writes are never answered."""
    chance = random.Random(1)
    history, state, now = [], (1, "a"), 0.0
    for number in range(count):
        now += chance.random()
        if chance.random() < 0.3:
            history.append(read(now - chance.random(), now + chance.random(), *state))
            continue
        release, is_lost = f"r{number}", chance.random() < 0.8
        if chance.random() < 0.5:
            history.append(write(now - 1, now + 1, state[0] - 1, release, None if is_lost else "refused"))
            continue
        history.append(write(now - 1, now + 1, state[0], release, None if is_lost else "taken"))
        if not is_lost or chance.random() < 0.5:
            state = (state[0] + 1, release)
    return history


WRONG = {
    "a stale read": [write(0, 1, 1, "b"), read(2, 3, 1, "a")],
    "two winners": [write(0, 5, 1, "b"), write(1, 6, 1, "c")],
    "a read of what was never written": [read(0, 1, 1, "z")],
    "a read from the future": [read(0, 1, 2, "b"), write(2, 3, 1, "b")],
    "a change that was lost": [write(0, 1, 1, "b"), write(2, 3, 2, "c"), read(4, 5, 2, "b")],
    "a refusal without a reason": [write(0, 1, 1, "b", "refused"), read(2, 3, 1, "a")],
    "back and forth": [write(0, 20, 1, "b"), read(1, 2, 2, "b"), read(3, 4, 1, "a")],
    "a lost answer that took effect twice": [write(0, 1, 1, "b", None), read(2, 3, 2, "b"), read(4, 5, 3, "b")],
    "a lost answer that took effect before it was sent": [read(0, 1, 2, "b"), write(2, 3, 1, "b", None)],
    "another release than was set": [write(0, 1, 1, "b", (2, "c"))],
}


def self_test():
    for name, history in RIGHT.items():
        assert is_linearizable(history, (1, "a")), f"found wrong, and is right: {name}"
    for name, history in WRONG.items():
        assert not is_linearizable(history, (1, "a")), f"found right, and is wrong: {name}"
    # A run of thousands of kills has histories like this one.
    history = long_history(20_000)
    assert is_linearizable(history, (1, "a")), "a long history is found wrong, and is right"
    end = max(operation.answered for operation in history)
    assert not is_linearizable([*history, read(end + 1, end + 2, 1, "a")], (1, "a")), "a late read is found right"
    stale = WRONG["a stale read"]
    assert is_linearizable(stale, (1, "a"), bound=2) and not is_linearizable(stale, (1, "a"), bound=0.5)
    print(f"{len(RIGHT)} histories are right, {len(WRONG)} are wrong, as they should be")


if __name__ == "__main__":
    if sys.argv[1:] != ["--self-test"]:
        sys.exit(__doc__)
    self_test()
