"""Unpacks every archive of a folder with every tool there is, and compares the trees.

Beside each X.zip lies X.tree: a line for each entry, path TAB CRC-32 of the contents.
Tools that are not installed are left out. Prints what was compared; exits 1 on a disagreement.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
import zlib


def by_python(archive, target):
    with zipfile.ZipFile(archive) as opened:
        if opened.testzip() is not None:
            raise ValueError("testzip found a fault")
        opened.extractall(target)


def by_command(*command):
    def run(archive, target):
        words = [word.format(archive=archive, target=target) for word in command]
        done = subprocess.run(words, capture_output=True, cwd=target, env={**os.environ, "LC_ALL": "C.UTF-8"})
        if done.returncode != 0:
            raise ValueError(f"exit {done.returncode}: {done.stdout[-300:]} {done.stderr[-300:]}")

    return run


TOOLS = {
    "python": by_python,
    "unzip": by_command("unzip", "-qq", "-o", "{archive}"),
    "bsdtar": by_command("bsdtar", "-xf", "{archive}"),
    "7z": by_command("7z", "x", "-y", "-bd", "{archive}"),
}


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


def expected(path):
    wanted = {}
    with open(path, encoding="utf-8", newline="\n") as lines:
        for line in lines:
            name, checksum = line.rstrip("\n").split("\t")
            wanted[name] = int(checksum)
            parts = name.rstrip("/").split("/")[:-1]
            for depth in range(len(parts)):
                wanted["/".join(parts[: depth + 1]) + "/"] = 0
    return wanted


def main(folder):
    faults = 0
    archives = sorted(name[:-4] for name in os.listdir(folder) if name.endswith(".zip"))
    tools = {name: run for name, run in TOOLS.items() if name == "python" or shutil.which(name)}
    for name in archives:
        archive = os.path.join(folder, name + ".zip")
        wanted = expected(os.path.join(folder, name + ".tree"))
        for tool, run in tools.items():
            with tempfile.TemporaryDirectory(dir=folder) as target:
                try:
                    run(archive, target)
                    found = tree(target)
                except Exception as error:
                    found = {"": repr(error)}
                if found != wanted:
                    faults += 1
                    difference = set(found.items()) ^ set(wanted.items())
                    print(f"{name}: {tool} sees another tree: {sorted(map(str, difference))[:6]}")
    print(f"{len(archives)} archives, tools: {', '.join(tools)}, {faults} disagreements")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
