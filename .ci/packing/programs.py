"""The programs of a distribution: built so that their bytes do not depend on the folder, stripped, with what they say of
themselves and what they link to."""

import os
import re
import shutil
import subprocess
import time

import marks
from common import PROGRAMS, ROOT, epoch, fail, put, run, version, write

# Beside the builds of other verbs, whose flags are others.
SCRATCH = ".build/distribution/build"
SHELLS = {
    "bash": "share/bash-completion/completions/{}",
    "zsh": "share/zsh/site-functions/_{}",
    "fish": "share/fish/vendor_completions.d/{}.fish",
}


# The most bytes of a stripped program. Whatever is embedded, documents and words among it, counts as code does: each machine and each
# container's node fetches all of it with each upgrade. The largest is `widgetd-cluster`, with 39 MiB.
MOST = 48 << 20


def build():
    """Builds for release, and returns the folder of the programs."""
    words = ["swift", "build", "--configuration", "release", "--static-swift-stdlib", "--scratch-path", SCRATCH]
    words += ["-Xswiftc", "-file-prefix-map", "-Xswiftc", f"{ROOT}=.", "-Xcc", f"-ffile-prefix-map={ROOT}=."]
    words += ["-debug-info-format", "none"]
    for program in PROGRAMS:
        print(f"building {program}", flush=True)
        run(*words, "--product", program, cwd=ROOT)
    return run(*words, "--show-bin-path", cwd=ROOT).strip()


def stripped(built, folder):
    """Copies the programs without what only debuggers and linkers read, and tells the sizes."""
    here = os.path.realpath(ROOT).encode() + b"/"
    for program in PROGRAMS:
        if not os.path.isfile(f"{built}/{program}"):
            fail(f"{built} has no {program}")
        put(f"{built}/{program}", f"{folder}/{program}")
        before = os.path.getsize(f"{folder}/{program}")
        run("strip", f"{folder}/{program}")
        marks.blank(f"{folder}/{program}")
        size = os.path.getsize(f"{folder}/{program}")
        print(f"{program}: {mebibytes(before)} built, {mebibytes(size)} stripped")
        if size > MOST:
            fail(f"{program} has {mebibytes(size)}, and {mebibytes(MOST)} at most", "`nm --size-sort` of the program in the build folder names the largest parts")
        with open(f"{folder}/{program}", "rb") as file:
            if here in file.read():
                fail(f"{program} names the folder that it was built in", "another folder would give other bytes")
        said = run(f"{folder}/{program}", "--version").split()
        if version() not in said:
            fail(f"{program} --version says {' '.join(said)}, and the sources have {version()}")


def mebibytes(count):
    return f"{count / (1 << 20):.1f} MiB"


def printed(program, *words):
    """The standard output of a program that has to print something."""
    done = subprocess.run([program, *words], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    command = " ".join([os.path.basename(program), *words])
    if done.returncode or not done.stdout.strip():
        fail(f"`{command}` prints nothing (it ended with {done.returncode})", *done.stderr.splitlines()[:3])
    return done.stdout


def manuals(folder, target):
    """Writes the manual pages and completions of the programs below `target`."""
    day = time.strftime("%Y-%m-%d", time.gmtime(epoch()))
    for program in PROGRAMS:
        page = printed(f"{folder}/{program}", "manual")
        heading = re.search(r'^\.TH\s+"?\S+?"?\s+"?([1-8])"?(?:\s|$)', page, re.MULTILINE)
        if not heading:
            fail(f"`{program} manual` prints no manual page: it has no line .TH NAME SECTION")
        # The program knows no date, so that two builds of it are the same; the page of a release has that of its files.
        page = page.replace(f' {heading.group(1)} "" ', f' {heading.group(1)} "{day}" ', 1)
        write(f"{target}/share/man/man{heading.group(1)}/{program}.{heading.group(1)}", page)
        for shell, path in SHELLS.items():
            write(f"{target}/{path.format(program)}", printed(f"{folder}/{program}", "completion", shell))


def libraries(program):
    """The libraries that a program links to, by name: the file of each, and true if the program names it itself."""
    found = {}
    for line in run("ldd", program).splitlines():
        match = re.search(r"(?:^\s*|=> )(/\S+) \(0x", line)
        if "not found" in line:
            fail(f"{os.path.basename(program)} does not find a library:{line}")
        if match:
            found[os.path.basename(match.group(1))] = match.group(1)
    needed = set(re.findall(r"^\s+NEEDED\s+(\S+)$", run("objdump", "-p", program), re.MULTILINE))
    return {name: (path, name in needed) for name, path in found.items()}


def glibc(programs):
    """The earliest version of glibc that has what the programs use."""
    used = re.findall(r"\bGLIBC_(\d+)\.(\d+)", "".join(run("objdump", "-p", program) for program in programs))
    return ".".join(map(str, max((int(major), int(minor)) for major, minor in used)))


def package_of(path):
    """The Debian package of a file, its version, its source package, and that one's version."""
    real = os.path.realpath(path)
    # A file of /lib may be recorded as one of /usr/lib, and the other way round.
    for name in (path, real, path.removeprefix("/usr"), f"/usr{path}", real.removeprefix("/usr")):
        done = subprocess.run(["dpkg-query", "--search", name], capture_output=True, text=True)
        if done.returncode == 0:
            package = done.stdout.split(": ")[0].split(",")[0]
            return installed(package)
    return fail(f"{path} belongs to no Debian package")


def installed(package):
    """A package that is installed: its name, its version, its source package, and that one's version."""
    shown = "${Package}\t${Version}\t${source:Package}\t${source:Version}"
    return tuple(run("dpkg-query", "--show", f"--showformat={shown}", package).split("\t"))


def packages_needed(program, are_all=False):
    """The Debian packages whose libraries a program names itself, or all that the dynamic linker loads."""
    found = {package_of(path) for path, is_direct in libraries(program).values() if is_direct or are_all}
    return sorted(found)


def compiler():
    """The version of the compiler, whose runtime is in the programs."""
    swift = shutil.which("swift")
    said = run(swift, "--version", stderr=subprocess.STDOUT, capture_output=False, stdout=subprocess.PIPE) if swift else ""
    match = re.search(r"Swift version (\S+)", said)
    if not match:
        fail("no Swift compiler found", "`.ci/setup build dist -- .ci/dist` finds it")
    return match.group(1)
