"""Checks values against JSON Schemas of draft 7, by jsonschema_rs.

Each argument is a file with {"schema": …, "values": […]}. Prints a line for each file: a digit for each value, 1 if the
schema accepts it and 0 if not. A document that is not a schema of draft 7 is an error.
"""

import json
import sys

import jsonschema_rs

for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        question = json.load(file)
    jsonschema_rs.meta.validate(question["schema"])
    validator = jsonschema_rs.validator_for(question["schema"])
    print("".join("01"[validator.is_valid(value)] for value in question["values"]))
