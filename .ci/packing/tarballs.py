"""The folders that are unpacked: the programs with what lies beside them, the engine for JavaScript, and the libraries' sources."""

import json
import os
import shutil

from common import PROGRAMS, ROOT, compress, copy_tracked, fail, names_below, put, run, tar, version, write
from programs import glibc, manuals, packages_needed

HERE = os.path.dirname(os.path.abspath(__file__))
# As in the repository, so that links from one page to another lead somewhere.
DOCUMENTS = "share/doc/widgetd"


def engine(folder):
    """Copies the engine for browsers, which has to be that of the sources."""
    os.makedirs(folder, exist_ok=True)
    run(".ci/wasm", cwd=ROOT)
    run(".ci/wasm", "install", folder, cwd=ROOT)
    for name in ("engine.wasm", "engine.wasm.br", "engine.wasm.sha256", "engine.mjs", "widget-view.js", "widget-offline.js"):
        if not os.path.exists(f"{folder}/{name}"):
            fail(f"the engine for browsers has no {name}", "`.ci/setup wasm` installs what it is made with")
        # The linker marks it as a program of this system.
        os.chmod(f"{folder}/{name}", 0o644)


def programs(stripped, folder):
    """Lays out the programs as below a prefix, `/usr` or the folder of the tarball."""
    for program in PROGRAMS:
        put(f"{stripped}/{program}", f"{folder}/bin/{program}")
    engine(f"{folder}/share/widgetd")
    for path in ("Package.swift", "Sources"):
        copy_tracked(path, f"{folder}/share/widgetd")
    manuals(stripped, folder)
    for path in ("Bundles", "Examples", "config", "docs", "README.md", "CHANGELOG.md", "SECURITY.md"):
        copy_tracked(path, f"{folder}/{DOCUMENTS}")


def program_tarball(folder, target, date):
    """The tarball of the programs: what is laid out, its README and the licence."""
    name = f"widgetd-{version()}-linux-x86_64"
    with open(f"{HERE}/README.md", encoding="utf-8") as file:
        text = file.read()
    needed = {program: [row[0] for row in packages_needed(f"{folder}/bin/{program}")] for program in PROGRAMS}
    together = sorted({package for packages in needed.values() for package in packages} - {"libc6"})
    rows = "\n".join(f"| `{program}` | {' '.join(packages)} |" for program, packages in needed.items())
    values = {"VERSION": version(), "FOLDER": name, "PACKAGES": " ".join(together), "ROWS": rows,
              "GLIBC": glibc(f"{folder}/bin/{program}" for program in PROGRAMS)}
    for word, value in values.items():
        text = text.replace(f"@{word}@", value)
    if "@" in text:
        fail(f"{HERE}/README.md has a word that nothing fills in: {text[text.index('@'):].split()[0]}")
    write(f"{folder}/README.md", text)
    put(f"{ROOT}/LICENSE", f"{folder}/LICENSE")
    compress(tar(folder, names_below(folder), date, prefix=f"{name}/"), f"{target}/{name}.tar.gz")


def npm_tarball(laid_out, work, target, date):
    """The engine and the element as a package for npm, whose archive has one folder of that name."""
    folder = f"{work}/npm"
    shutil.copytree(f"{laid_out}/share/widgetd", folder, ignore=lambda place, names: {"Sources", "Package.swift"} & set(names))
    with open(f"{HERE}/package.json", encoding="utf-8") as file:
        package = json.load(file)
    package["version"] = version()
    missing = [name for name in package["files"] if not os.path.exists(f"{folder}/{name}")]
    if missing:
        fail(f"{HERE}/package.json lists files that are not there: {' '.join(missing)}")
    put(f"{HERE}/npm.md", f"{folder}/README.md")
    put(f"{ROOT}/LICENSE", f"{folder}/LICENSE")
    write(f"{folder}/package.json", json.dumps(package, indent=2) + "\n")
    names = sorted(["package.json", "README.md", "LICENSE", *package["files"]])
    compress(tar(folder, names, date, prefix="package/"), f"{target}/{package['name']}-{version()}.tgz")


def source_tarball(work, target, date):
    """The libraries as sources: the folder that a tag has to hold for `.package(url:exact:)`."""
    folder = f"{work}/sources"
    for path in ("Package.swift", "Sources", "LICENSE", "README.md", "CHANGELOG.md"):
        copy_tracked(path, folder)
    name = f"widgetd-{version()}-sources"
    compress(tar(folder, names_below(folder), date, prefix=f"{name}/"), f"{target}/{name}.tar.gz")
