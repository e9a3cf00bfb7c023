"""The container images as archives that `docker load` reads: made without a container engine, of a laid-out file system and of
what the Dockerfile says about the image."""

import datetime
import hashlib
import io
import json
import os
import re
import shlex
import tarfile

from common import ROOT, fail, names_below, run, tar, version

# Both programs, and the stage of the Dockerfile that says what an image of it is; the last one has no name.
TARGETS = {"widgetd": None, "widgetd-cluster": "cluster"}
SECOND = 1_000_000_000


def stage_of(name):
    """The instructions of a stage, each with the rest of its line."""
    with open(f"{ROOT}/Dockerfile", encoding="utf-8") as file:
        text = re.sub(r"\\\n\s*", " ", file.read())
    if f"\nARG VERSION={version()}\n" not in text:
        fail(f"the Dockerfile has another version than the programs, which have {version()}")
    for place in ("compose.yaml", "cluster-compose.yaml", "kubernetes/widgetd.yaml", "kubernetes/cluster.yaml"):
        with open(f"{ROOT}/config/{place}", encoding="utf-8") as file:
            if f"image: widgetd{'-cluster' if 'cluster' in place else ''}:{version()}\n" not in file.read():
                fail(f"config/{place} runs another version than this one, which is {version()}")
    stages, current = {}, []
    for line in text.splitlines():
        match = re.match(r"FROM\s+\S+(?:\s+AS\s+(\S+))?", line)
        if match:
            current = stages[match.group(1)] = []
        elif re.match(r"[A-Z]+ ", line):
            current.append(tuple(line.split(" ", 1)))
    if name not in stages:
        fail(f"the Dockerfile has no stage {name}")
    return stages[name]


def nanoseconds(text):
    return int(text.removesuffix("s")) * SECOND


def configuration_of(stage):
    """The configuration of an image, as a builder takes it from the Dockerfile."""
    found = {"Env": ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"], "WorkingDir": "/", "Labels": {}}
    for word, rest in stage_of(stage):
        if word == "ENV":
            found["Env"] += shlex.split(rest)
        elif word == "LABEL":
            for pair in shlex.split(rest.replace("${VERSION}", version())):
                key, value = pair.split("=", 1)
                found["Labels"][key] = value
        elif word in ("ENTRYPOINT", "CMD"):
            found[word.capitalize()] = json.loads(rest)
        elif word == "VOLUME":
            found["Volumes"] = {path: {} for path in json.loads(rest)}
        elif word == "EXPOSE":
            found["ExposedPorts"] = {f"{rest.strip()}/tcp": {}}
        elif word == "USER":
            found["User"] = rest.strip()
        elif word == "STOPSIGNAL":
            found["StopSignal"] = rest.strip()
        elif word == "HEALTHCHECK":
            options, command = rest.split(" CMD ")
            given = dict(re.findall(r"--([a-z-]+)=(\S+)", options))
            found["Healthcheck"] = {
                "Test": ["CMD", *json.loads(command)], "Interval": nanoseconds(given["interval"]),
                "Timeout": nanoseconds(given["timeout"]), "StartPeriod": nanoseconds(given["start-period"])}
        elif word not in ("COPY", "ARG"):
            fail(f"the Dockerfile says {word} of an image, which the archives do not have")
    if "org.opencontainers.image.version" not in found["Labels"] or "Healthcheck" not in found:
        fail(f"the stage {stage} of the Dockerfile has no version or no health check")
    return found


def digest(content):
    return hashlib.sha256(content).hexdigest()


def image(name, stage, program, work, target, date):
    """Writes one archive: the libraries of the system as the lower layer, the program and what it serves as the upper one."""
    root = f"{work}/image-{name}"
    run(".ci/image-root", program, root, cwd=ROOT)
    names = names_below(root)
    upper = [path for path in names if path.startswith("usr/")]
    layers = [tar(root, [path for path in names if path not in upper], date), tar(root, upper, date)]
    moment = datetime.datetime.fromtimestamp(date, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    configuration = json.dumps({
        "architecture": "amd64", "os": "linux", "created": moment, "config": configuration_of(stage),
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{digest(layer)}" for layer in layers]},
        "history": [{"created": moment, "created_by": text} for text in ("libraries of the system", f"{name} {version()}")],
    }, indent=1, sort_keys=True).encode()
    files = {f"{digest(configuration)}.json": configuration}
    paths, parent = [], None
    for layer in layers:
        # A layer's folder is named by what it is and lies on, as in archives that docker writes.
        identity = digest(f"{parent} {digest(layer)} {digest(configuration)}".encode())
        legacy = {"id": identity, "created": moment, "os": "linux"} | ({"parent": parent} if parent else {})
        files |= {f"{identity}/VERSION": b"1.0", f"{identity}/json": json.dumps(legacy).encode(), f"{identity}/layer.tar": layer}
        paths.append(f"{identity}/layer.tar")
        parent = identity
    files["manifest.json"] = json.dumps(
        [{"Config": f"{digest(configuration)}.json", "RepoTags": [f"{name}:{version()}"], "Layers": paths}]).encode()
    files["repositories"] = json.dumps({name: {version(): parent}}).encode()
    # Not compressed: the buildah and podman of Debian 12 do not read such an archive with gzip.
    with tarfile.open(f"{target}/{name}-{version()}-image-linux-amd64.tar", "w", format=tarfile.GNU_FORMAT) as archive:
        for inner in sorted({*files, *(os.path.dirname(each) for each in files if "/" in each)}):
            entry = tarfile.TarInfo(inner)
            entry.mtime = date
            content = files.get(inner)
            entry.type, entry.mode, entry.size = (
                (tarfile.DIRTYPE, 0o755, 0) if content is None else (tarfile.REGTYPE, 0o644, len(content)))
            archive.addfile(entry, io.BytesIO(content) if content is not None else None)


def images(built, work, target, date):
    for name, stage in TARGETS.items():
        image(name, stage, f"{built}/{name}", work, target, date)
