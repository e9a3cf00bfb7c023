"""Reads every archive of a folder with every tool there is, and compares the trees.

Beside each X.zip lies X.tree: a line for each entry, path TAB CRC-32 of the contents.
Tools that are not installed are left out, and each is started once for all archives: bsdtar makes one archive of their
entries, 7z unpacks each into a folder for itself, and unzip lists what it has compared with its checksums.
Prints what was compared; exits 1 on a disagreement.
"""

import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
import zlib


def run(*words, where):
    done = subprocess.run(words, capture_output=True, cwd=where, env={**os.environ, "LC_ALL": "C.UTF-8"})
    if done.returncode != 0:
        raise ValueError(f"exit {done.returncode}: {done.stdout[-300:]} {done.stderr[-300:]}")
    return done.stdout


def by_python(folder, names, work):
    for name in names:
        target = os.path.join(work, name)
        with zipfile.ZipFile(os.path.join(folder, name + ".zip")) as opened:
            if opened.testzip() is not None:
                raise ValueError(f"testzip found a fault in {name}")
            opened.extractall(target)
        yield name, tree(target)


def by_seven_zip(folder, names, work):
    run("7z", "x", "-y", "-bd", os.path.join(folder, "*.zip"), f"-o{work}/*", where=work)
    for name in names:
        yield name, tree(os.path.join(work, name))


def by_bsdtar(folder, names, work):
    """The entries of all archives, one after another. An empty one in front of each says where it begins."""
    words = []
    for number, name in enumerate(names):
        mark = f"mark-{number}"
        open(os.path.join(work, mark), "w", encoding="utf-8").close()
        words += [mark, "@" + os.path.join(folder, name + ".zip")]
    joined = run("bsdtar", "-c", "-f", "-", "--format", "pax", *words, where=work)
    found, marks = {}, 0
    with tarfile.open(fileobj=io.BytesIO(joined)) as opened:
        for entry in opened:
            if marks < len(names) and entry.name == f"mark-{marks}":
                marks += 1
                tree_of_one = found[names[marks - 1]] = {}
            elif entry.isdir():
                tree_of_one[entry.name.rstrip("/") + "/"] = 0
            elif entry.isfile():
                tree_of_one[entry.name] = zlib.crc32(opened.extractfile(entry).read())
            else:
                tree_of_one[entry.name] = "link"
    for name in names:
        yield name, with_folders(found[name])


def by_unzip(folder, names, work):
    """Names and checksums as unzip lists them, once it has compared the contents of all with the checksums."""
    everything = os.path.join(folder, "*.zip")
    run("unzip", "-tqq", everything, where=work)
    found, entries = {}, None
    for line in run("unzip", "-v", everything, where=work).decode().split("\n"):
        if line.startswith("Archive:  "):
            entries = found[os.path.basename(line[10:])[:-4]] = {}
        # Length, method, size, ratio, date, time, checksum, name.
        row = re.fullmatch(r" *\d+  \S+ +\d+ +-?\d+% \S+ \S+ ([0-9a-f]{8})  (.*)", line, re.DOTALL)
        if row:
            entries[row.group(2)] = int(row.group(1), 16)
    for name in names:
        yield name, with_folders(found[name])


TOOLS = {"python": by_python, "unzip": by_unzip, "bsdtar": by_bsdtar, "7z": by_seven_zip}


def tree(root):
    found = {}
    for folder, folders, files in os.walk(root):
        for name in folders + files:
            path = os.path.join(folder, name)
            relative = os.path.relpath(path, root)
            if os.path.islink(path):
                found[relative] = "link"
            elif os.path.isdir(path):
                found[relative + "/"] = 0
            else:
                with open(path, "rb") as opened:
                    found[relative] = zlib.crc32(opened.read())
    return found


def with_folders(entries):
    """The same tree, with the folders that no entry names."""
    whole = dict(entries)
    for name in entries:
        parts = name.rstrip("/").split("/")[:-1]
        for depth in range(len(parts)):
            whole["/".join(parts[: depth + 1]) + "/"] = 0
    return whole


def expected(path):
    entries = {}
    with open(path, encoding="utf-8", newline="\n") as lines:
        for line in lines:
            name, checksum = line.rstrip("\n").split("\t")
            entries[name] = int(checksum)
    return with_folders(entries)


def main(folder):
    faults = 0
    names = sorted(name[:-4] for name in os.listdir(folder) if name.endswith(".zip"))
    wanted = {name: expected(os.path.join(folder, name + ".tree")) for name in names}
    tools = {name: read for name, read in TOOLS.items() if name == "python" or shutil.which(name)}
    for tool, read in tools.items():
        with tempfile.TemporaryDirectory() as work:
            seen = {}
            try:
                seen.update(read(folder, names, work))
            except Exception as error:  # pylint: disable=broad-except
                print(f"{tool}: {error!r}")
            for name in names:
                found = seen.get(name, {"": "not read"})
                if found != wanted[name]:
                    faults += 1
                    difference = set(found.items()) ^ set(wanted[name].items())
                    print(f"{name}: {tool} sees another tree: {sorted(map(str, difference))[:6]}")
    print(f"{len(names)} archives, tools: {', '.join(tools)}, {faults} disagreements")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
