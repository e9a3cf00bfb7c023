"""What all files of a distribution have in common: the version, one date, and archives that depend on nothing else."""

import gzip
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAMS = ("widgetd", "widgetd-cluster", "widget")


def fail(message, *hints):
    print(f"error: {message}", *(f"hint: {hint}" for hint in hints), sep="\n", file=sys.stderr)
    sys.exit(1)


def run(*words, **options):
    """The standard output of a command, which has to succeed."""
    options = {"capture_output": True, "text": True} | options
    done = subprocess.run(words, **options)
    if done.returncode:
        said = ((done.stdout or "") + (done.stderr or "")).splitlines()[-30:]
        fail(f"{' '.join(words)} ended with {done.returncode}", *said)
    return done.stdout


def version():
    with open(f"{ROOT}/Sources/Foundations/WidgetConsole/Terminal.swift", encoding="utf-8") as file:
        return re.search(r'static let text = "([^"]+)"', file.read()).group(1)


def epoch():
    """The date of all files, in seconds: that of the last commit, unless SOURCE_DATE_EPOCH is set."""
    return int(os.environ.get("SOURCE_DATE_EPOCH") or run("git", "-C", ROOT, "log", "-1", "--format=%ct"))


def copy_tracked(path, folder):
    """Copies a file or folder of the repository, without what is in it beside; links become what they lead to."""
    for name in run("git", "-C", ROOT, "ls-files", "-z", "--", path).split("\0"):
        source = f"{ROOT}/{name}"
        if name and os.path.isfile(source):
            put(source, f"{folder}/{name}")
        elif name and os.path.isdir(source):
            # A link to a folder, which is tracked as one file.
            shutil.copytree(source, f"{folder}/{name}", dirs_exist_ok=True)


def put(source, target):
    os.makedirs(os.path.dirname(target), exist_ok=True)
    shutil.copy(source, target)


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def mode_of(status):
    """Two modes for files and one for folders, and that of a place where any user may write."""
    if status & 0o040000:
        return 0o777 if status & 0o777 == 0o777 else 0o755
    return 0o755 if status & 0o100 else 0o644


def add(archive, path, name, date):
    entry = archive.gettarinfo(path, name)
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = "root"
    entry.mtime = date
    if entry.issym():
        archive.addfile(entry)
        return
    entry.mode = mode_of(os.stat(path).st_mode)
    # A second name of a file is written as a file.
    entry.type = tarfile.DIRTYPE if entry.isdir() else tarfile.REGTYPE
    if entry.isdir():
        archive.addfile(entry)
    else:
        entry.size = os.path.getsize(path)
        with open(path, "rb") as file:
            archive.addfile(entry, file)


def names_below(folder):
    """All names in a folder, sorted, each folder before what it holds."""
    found = []
    for place, folders, files in os.walk(folder):
        found += [os.path.relpath(os.path.join(place, name), folder) for name in folders + files]
    return sorted(found)


def tar(folder, names, date, prefix=""):
    """An archive of these names of a folder, as bytes."""
    bytes_of = io.BytesIO()
    with tarfile.open(fileobj=bytes_of, mode="w", format=tarfile.GNU_FORMAT) as archive:
        if prefix:
            add(archive, folder, prefix.rstrip("/"), date)
        for name in names:
            add(archive, os.path.join(folder, name), prefix + name, date)
    return bytes_of.getvalue()


def compress(content, path):
    """Writes bytes with gzip, without a name and a date."""
    with open(path, "wb") as file, gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=file, mtime=0) as packed:
        packed.write(content)
