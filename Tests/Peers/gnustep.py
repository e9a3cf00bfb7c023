"""Builds the driver of GNUstep's predicates."""

import os
import shutil
import subprocess

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "gnustep.m")
PACKAGES = "gobjc libgnustep-base-dev"


class Missing(Exception):
    """What a comparison needs and this machine does not have."""


def built(folder):
    """The path of the driver, made in the folder."""
    if not shutil.which("gnustep-config") or not shutil.which("gcc"):
        raise Missing(f"GNUstep is not installed (Debian: apt-get install {PACKAGES})")
    ask = lambda what: subprocess.run(["gnustep-config", what], check=True, capture_output=True, text=True).stdout.split()
    # Without -MMD, which would write a file beside the source.
    flags = [flag for flag in ask("--objc-flags") if flag not in ("-MMD", "-MP")]
    program = os.path.join(folder, "gnustep")
    subprocess.run(["gcc", "-std=gnu99", *flags, "-O2", SOURCE, "-o", program, *ask("--base-libs")], check=True)
    return program
