"""Fresh systems for what `make dist` makes: Debian without a compiler, in which commands run with processes and a network that end
with them."""

import ctypes
import fcntl
import glob
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DIST = os.environ.get("DIST", f"{ROOT}/.build/dist")
MIRROR = os.environ.get("DEBIAN_MIRROR", "http://deb.debian.org/debian")
# What a system of a person has, and a debootstrapped one lacks.
USUAL = ["ca-certificates", "curl", "passwd"]


class Failed(Exception):
    """A check that found something; the text says what."""


def expect(truth, words):
    if not truth:
        raise Failed(words)


def made(pattern):
    """The one file of .build/dist with such a name."""
    found = glob.glob(f"{DIST}/{pattern}")
    expect(len(found) == 1, f"{DIST} has {len(found)} files called {pattern}; make dist makes one")
    return found[0]


def command(*words, **options):
    """The output of a command that has to succeed, errors in it."""
    done = subprocess.run(words, **({"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True} | options))
    expect(done.returncode == 0, f"{' '.join(words)} ended with {done.returncode}:\n{(done.stdout or '')[-3000:]}")
    return done.stdout


def lacking():
    """The reason why no fresh system can be made here, in words."""
    if os.geteuid() != 0:
        return "this takes root"
    for tool in ("debootstrap", "unshare", "chroot"):
        if not shutil.which(tool):
            return f"{tool} is missing (.ci/setup chroot installs it)"
    return None


def skip(reason):
    print(f"SKIPPED: {reason}\nSKIPPED: what make dist makes was not installed", file=sys.stderr)
    sys.exit(0)


def base(folder):
    """A debootstrapped Debian of the release that the programs are built on, made once."""
    if not os.path.exists(f"{folder}/.complete"):
        print("== a base system", flush=True)
        shutil.rmtree(folder, ignore_errors=True)
        with open("/etc/os-release", encoding="utf-8") as file:
            release = re.search(r'^VERSION_CODENAME="?(\w+)', file.read(), re.MULTILINE).group(1)
        command("debootstrap", "--variant=minbase", release, folder, MIRROR)
        shutil.copy("/etc/resolv.conf", f"{folder}/etc/resolv.conf")
        os.makedirs(f"{folder}/usr/sbin", exist_ok=True)
        command("chroot", folder, "apt-get", "-qq", "update")
        command("chroot", folder, "apt-get", "-qq", "install", "--yes", "--no-install-recommends", *USUAL, env=QUIET)
        with open(f"{folder}/.complete", "w", encoding="utf-8"):
            pass
    return folder


QUIET = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8",
         "DEBIAN_FRONTEND": "noninteractive", "HOME": "/root"}


def loopback():
    """Turns on the only interface of a new network."""
    with socket.socket() as one:
        request = struct.pack("16sH14x", b"lo", 1)
        fcntl.ioctl(one, 0x8914, request)


class System:
    """A copy of the base, which is removed at the end."""

    def __init__(self, template):
        self.folder = tempfile.mkdtemp(prefix="dist-")
        self.root = f"{self.folder}/root"
        command("cp", "-a", "--reflink=auto", template, self.root)
        os.makedirs(f"{self.root}/proc", exist_ok=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder)

    def path(self, name):
        return f"{self.root}/{name.lstrip('/')}"

    def take(self, source, name):
        """Copies a file into the system, readable for all."""
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        shutil.copy(source, self.path(name))
        os.chmod(self.path(name), 0o644)

    def words(self, script, user="root", online=False):
        """The command for a shell script. Its processes end with it; without `online` it has a network for itself, so that any port
        is free there."""
        apart = ["unshare", "--mount", "--pid", "--fork", "--kill-child=KILL", "--mount-proc=" + self.path("/proc")]
        login = [] if user == "root" else ["setpriv", "--reuid", user, "--regid", user, "--init-groups"]
        home = "/root" if user == "root" else f"/home/{user}"
        inside = f"cd {home}; export HOME={home}\n{script}"
        return apart + ([] if online else ["--net"]) + (
            [sys.executable, os.path.abspath(__file__)] if not online else []) + ["chroot", self.root, *login, "bash", "-euo", "pipefail", "-c", inside]

    def run(self, script, user="root", online=False, minutes=5, **variables):
        """The exit code and the output of a script, errors in it."""
        try:
            done = subprocess.run(
                self.words(script, user, online), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                errors="replace", timeout=minutes * 60, env=QUIET | variables)
        except subprocess.TimeoutExpired as late:
            said = (late.stdout or b"").decode(errors="replace")
            raise Failed(f"this did not end within {minutes} minutes:\n{script}\n--\n{said[-4000:]}") from late
        return done.returncode, done.stdout

    def ask(self, script, **options):
        """The output of a script that has to succeed."""
        code, text = self.run(script, **options)
        expect(code == 0, f"this ended with {code}:\n{script}\n--\n{text[-4000:]}")
        return text


def main():
    """Turns on the loopback interface of a new network and becomes the command that follows."""
    loopback()
    # The command ends with the one that waits for it.
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    os.execvp(sys.argv[1], sys.argv[1:])


if __name__ == "__main__":
    main()
