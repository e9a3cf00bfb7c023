"""The files that are served: the same bytes for the same seed."""

import os
import random

KIB, MIB = 1024, 1024 * 1024

SIZES = {
    "2k.zip": 2 * KIB,
    "20k.zip": 20 * KIB,
    "128k.zip": 128 * KIB,
    "1500k.zip": 1_500_000,
    "64m.zip": 64 * MIB,
}


def make(directory, seed):
    """Writes every file, old enough that no server takes it for one being written."""
    os.makedirs(directory)
    generator = random.Random(seed)
    for name, size in SIZES.items():
        path = os.path.join(directory, name)
        with open(path, "wb") as file:
            for start in range(0, size, MIB):
                file.write(generator.randbytes(min(MIB, size - start)))
        os.chmod(path, 0o644)
        os.utime(path, (1_700_000_000, 1_700_000_000))
