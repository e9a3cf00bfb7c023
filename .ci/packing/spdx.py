"""The list of what is in a distribution, in the form of SPDX 2.3: its files, the Swift runtime, and the C libraries of Debian."""

import datetime
import glob
import hashlib
import json
import os
import re

from common import PROGRAMS, ROOT, fail, version, write
from programs import compiler, installed, packages_needed

# What the licences of the libraries are called there; of a library that is missing here nothing is claimed.
LICENCES = {
    "libssl-dev": "Apache-2.0", "zlib1g": "Zlib", "zlib": "Zlib", "libdeflate0": "MIT", "libdeflate": "MIT", "libsqlite3-0": "blessing",
    "libcurl4": "curl", "libpq5": "PostgreSQL", "swift": "Apache-2.0 WITH Swift-exception",
}
# The parts of the engine as WebAssembly that come from Debian's sources, and its C library.
IN_ENGINE = ("zlib", "libdeflate")


def sha256(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def identity(*words):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]+", "-", "-".join(words)).strip("-")


def package(name, number, licence, supplier="NOASSERTION", location="NOASSERTION", **more):
    return {
        "SPDXID": identity("Package", name, number), "name": name, "versionInfo": number, "supplier": supplier,
        "downloadLocation": location, "filesAnalyzed": False, "licenseConcluded": licence, "licenseDeclared": licence,
        "copyrightText": "NOASSERTION"} | more


def of_debian(row):
    """A package of Debian, with the name that vulnerabilities are listed under."""
    name, number, source, _ = row
    reference = {
        "referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
        "referenceLocator": f"pkg:deb/debian/{name}@{number.replace('+', '%2B').replace(':', '%3A')}?arch=amd64"}
    return package(name, number, LICENCES.get(name, "NOASSERTION"), "Organization: Debian", externalRefs=[reference],
                   sourceInfo=f"of the source package {source}")


def engine_sources():
    """The C sources in the engine, with the versions that their folders name."""
    for name in IN_ENGINE:
        folders = sorted(glob.glob(f"{ROOT}/.build/wasm/sources/{name}-*/"))
        if not folders:
            fail(f"the sources of {name}, which the engine is made of, are not in .build/wasm/sources",
                 "without .build/wasm, `.ci/wasm` builds it anew and fetches them")
        number = os.path.basename(folders[-1].rstrip("/")).removeprefix(f"{name}-")
        yield package(name, number, LICENCES[name], "Organization: Debian")


def document(programs, target, date):
    """Writes the list beside the files that it is about, which have to be there."""
    ours = {program: package(program, version(), "MIT", "Organization: widgetd") for program in PROGRAMS}
    engine = package("widget-view", version(), "MIT", "Organization: widgetd")
    runtime = package("swift", compiler(), LICENCES["swift"], "Organization: Swift", "https://github.com/swiftlang/swift")
    crypto = of_debian(installed("libssl-dev"))
    found = {each["SPDXID"]: each for each in (*ours.values(), engine, runtime, crypto)}
    relations = set()
    for program in PROGRAMS:
        own = ours[program]["SPDXID"]
        relations |= {(own, "STATIC_LINK", runtime["SPDXID"]), (own, "STATIC_LINK", crypto["SPDXID"])}
        for row in packages_needed(f"{programs}/{program}", are_all=True):
            library = of_debian(row)
            found[library["SPDXID"]] = library
            relations.add((own, "DYNAMIC_LINK", library["SPDXID"]))
    for part in (*engine_sources(), of_debian(installed("wasi-libc")), runtime):
        found[part["SPDXID"]] = part
        relations.add((engine["SPDXID"], "STATIC_LINK", part["SPDXID"]))
    for name in sorted(os.listdir(target)):
        digest = sha256(f"{target}/{name}")
        file = package(name, version(), "NOASSERTION", "Organization: widgetd", packageFileName=name,
                       checksums=[{"algorithm": "SHA256", "checksumValue": digest}])
        file["SPDXID"] = identity("File", name)
        found[file["SPDXID"]] = file
        relations.add(("SPDXRef-DOCUMENT", "DESCRIBES", file["SPDXID"]))
        relations |= {(file["SPDXID"], "CONTAINS", part["SPDXID"]) for part in contents(name, ours, engine)}
    # A library that the system gives is in an image, and beside a program elsewhere.
    for name, program in ((name, program) for name in os.listdir(target) for program in PROGRAMS if name.startswith(f"{program}-{version()}-image")):
        relations |= {(identity("File", name), "CONTAINS", other) for own, kind, other in set(relations)
                      if own == ours[program]["SPDXID"] and kind == "DYNAMIC_LINK"}
    packages = [found[key] for key in sorted(found)]
    listed = [{"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other} for one, kind, other in sorted(relations)]
    moment = datetime.datetime.fromtimestamp(date, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    name = f"widgetd-{version()}"
    mark = hashlib.sha256(json.dumps([packages, listed], sort_keys=True).encode()).hexdigest()
    write(f"{target}/{name}.spdx.json", json.dumps({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": name,
        "documentNamespace": f"https://spdx.org/spdxdocs/{name}-{mark}",
        "creationInfo": {"created": moment, "creators": [f"Tool: widgetd-dist-{version()}"]},
        "packages": packages, "relationships": listed,
    }, indent=1) + "\n")


def contents(name, ours, engine):
    """What a file of the distribution holds."""
    if name.startswith(f"widgetd-{version()}-linux"):
        return [*ours.values(), engine]
    if name.startswith(("widget-view", "widgetd-common")):
        return [engine]
    for program in sorted(PROGRAMS, key=len, reverse=True):
        if name.startswith(f"{program}_"):
            return [ours[program]]
        if name.startswith(f"{program}-{version()}-image"):
            return [ours[program], engine]
    return []
