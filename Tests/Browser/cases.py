"""The command line of the cases."""

import sys

import harness
import access
import agreement
import cells
import choices
import drawings
import element
import element_bounds
import element_embed
import element_limits
import element_outcomes
import element_vectors
import embedded
import fetched
import gallery
import host
import hostile
import law
import law_cases
import limits
import lists
import looks
import parts
import pictures
import readers
import reading
import running
import script
import solved
import springs
import stacks
import live_attacks
import live_ends
import live_forms
import live_keys
import live_patches
import live_workbench
import others
import places
import tables

if __name__ == "__main__":
    words = sys.argv[1:]
    if words[:1] == ["pictures"]:
        sys.exit(pictures.draw(*words[1:]))
    if words[:1] == ["law"]:
        sys.exit(law.main(words[1:]))
    chosen = words[0] if words[:1] in (["smoke"], ["check"], ["long"], ["element"]) else None if words else "check"
    # The modules have added their cases when they were imported.
    modules = [access, agreement, cells, choices, drawings, element, element_bounds, element_embed, element_limits, element_outcomes,
               element_vectors, embedded, fetched, gallery, host, hostile, law_cases, limits, lists, live_attacks, live_ends, live_forms, live_keys,
               live_patches, live_workbench, looks, others, parts, places, readers, reading, running, script, solved, springs, stacks, tables]
    assert all(modules)
    sys.exit(1 if harness.run(words[1:] if words and chosen else words, chosen) else 0)
