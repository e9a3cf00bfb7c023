#!/usr/bin/env python3
"""Writes the Unicode tables of the module Predicates, which the standard library of Swift does not offer.

Usage: unicode_tables.py [--check]      --check writes nothing and exits 1 when a file differs

Decompositions, case folding and combining classes come from Python's unicodedata, scripts from Perl's Unicode::UCD.
Numbers are packed as in Sources/Formats/WidgetPredicates/Text/FoldTable.swift: base 32 digits, the lowest first, from the
letters `0` to `o`; a digit of 32 or more is followed by another.
"""

import os
import subprocess
import sys
import textwrap
import unicodedata

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SOURCES = os.path.join(TOP, "Sources", "Formats", "WidgetPredicates")
SCALARS = [number for number in range(0x110000) if not 0xD800 <= number < 0xE000]


def packed(number):
    letters = ""
    while number >= 32:
        letters += chr(48 + 32 + number % 32)
        number //= 32
    return letters + chr(48 + number)


def zigzag(number):
    return packed(number * 2 if number >= 0 else -number * 2 - 1)


def decompositions():
    """Scalar, count of scalars, each as its difference from the one at its place in the line before."""
    text, last, before = "", 0, [0, 0, 0, 0]
    for number in SCALARS:
        parts = [ord(letter) for letter in unicodedata.normalize("NFD", chr(number))]
        if parts == [number] or 0xAC00 <= number < 0xD7A4:
            continue
        text += packed(number - last) + packed(len(parts))
        for place, part in enumerate(parts):
            text += zigzag(part - before[place])
            before[place] = part
        last = number
    return text


def foldings():
    """Scalar, count of scalars, each as its difference from the scalar."""
    text, last = "", 0
    for number in SCALARS:
        letter = chr(number)
        folded = letter.casefold()
        if folded == letter:
            continue
        # Folding what was decomposed decomposes no further: the tables rely on it.
        if unicodedata.normalize("NFD", letter) == letter:
            assert unicodedata.normalize("NFD", folded) == folded, hex(number)
        text += packed(number - last) + packed(len(folded))
        text += "".join(zigzag(ord(part) - number) for part in folded)
        last = number
    return text


def marks():
    """Runs of marks of one combining class: gap since the run before, length, class."""
    runs = []
    for number in SCALARS:
        if not unicodedata.category(chr(number)).startswith("M"):
            continue
        kind = unicodedata.combining(chr(number))
        if runs and runs[-1][1] == number and runs[-1][2] == kind:
            runs[-1][1] = number + 1
        else:
            runs.append([number, number + 1, kind])
    text, last = "", 0
    for start, end, kind in runs:
        text += packed(start - last) + packed(end - start) + packed(kind)
        last = end
    return text


def scripts():
    """For each script its names, then the gap and the length of each of its runs."""
    program = r"""
        use Unicode::UCD qw(prop_invmap prop_value_aliases);
        my ($starts, $names) = prop_invmap("Script");
        for my $i (0 .. $#$starts) {
            my ($short, @long) = prop_value_aliases("Script", $names->[$i]);
            print join("\t", $starts->[$i], $starts->[$i + 1] // 0x110000, $short, @long), "\n";
        }
    """
    output = subprocess.run(["perl", "-e", program], check=True, capture_output=True, text=True).stdout
    runs = {}
    for line in output.splitlines():
        start, end, *names = line.split("\t")
        names = [name.lower().replace("_", "") for name in names]
        if names[0] == "zzzz":
            continue
        runs.setdefault(" ".join(dict.fromkeys(names)), []).append((int(start), int(end)))
    lines = []
    for names, spans in sorted(runs.items()):
        text, last = "", 0
        for start, end in spans:
            text += packed(start - last) + packed(end - start)
            last = end
        lines.append(f"{names}: {text}")
    return lines


def literal(name, comment, lines):
    wrapped = [piece for line in lines for piece in textwrap.wrap(line, 110, break_on_hyphens=False)]
    body = "\n".join("        " + piece for piece in wrapped)
    return f'    /// {comment}\n    static let {name} = #"""\n{body}\n        """#\n'


def chunks(text):
    return [text[start : start + 110] for start in range(0, len(text), 110)]


def file_of(type_name, sentence, members):
    version = unicodedata.unidata_version
    return (
        f"/// {sentence} Unicode {version}.\n/// Written by Tests/Oracles/unicode_tables.py, which also says how "
        f"the numbers are packed.\nenum {type_name} {{\n" + "\n".join(members) + "}\n"
    )


def scripts_literal():
    """A line for each script; a long one continues in lines that begin with a tilde."""
    lines = []
    for line in scripts():
        pieces = chunks(line)
        lines += pieces[:1] + ["~" + piece for piece in pieces[1:]]
    body = "\n".join("        " + line for line in lines)
    return f'    /// Names, a colon, runs. A line that starts with a tilde continues the line before.\n' \
        f'    static let scripts = #"""\n{body}\n        """#\n'


def main():
    files = {
        "Text/FoldTableData.swift": file_of(
            "FoldTableData", "Canonical decompositions, full case folding and combining classes of", [
                literal("decompositions", "The full decomposition of each scalar. Hangul is computed instead.",
                        chunks(decompositions())),
                literal("foldings", "The full folding of each scalar.", chunks(foldings())),
                literal("marks", "Runs of combining marks and their classes.", chunks(marks())),
            ]),
        "Patterns/ScriptData.swift": file_of("ScriptData", "The scripts of", [scripts_literal()]),
    }
    stale = False
    for name, text in files.items():
        path = os.path.join(SOURCES, name)
        if "--check" in sys.argv:
            with open(path, encoding="utf-8") as opened:
                if opened.read() != text:
                    print(f"{name} is not what this script writes")
                    stale = True
        else:
            with open(path, "w", encoding="utf-8") as opened:
                opened.write(text)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
