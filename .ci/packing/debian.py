"""The Debian packages: debhelper makes them of a folder that is laid out for it, with the files of `.ci/debian`."""

import email.utils
import glob
import os
import re
import shutil

from common import ROOT, fail, run, version, write

# The lines of the sample of all settings, and of that of a unit, that the package has others for.
SETTINGS = {'  // data: "./data",\n': '  data: "/var/lib/widgetd",\n'}
UNIT = {
    "ExecStart=/usr/local/bin/widgetd serve --config /etc/widgetd.json5 --data /var/lib/widgetd\n":
        "ExecStart=/usr/bin/widgetd serve --config /etc/widgetd/widgetd.json5\n",
    # The user stays, so that the administrator can read what the service has written; the first start makes the owner's token.
    "DynamicUser=yes\n": "User=widgetd\nGroup=widgetd\nRestrictSUIDSGID=yes\nProtectKernelLogs=yes\n",
    "LoadCredential=admin-token:/etc/widgetd-admin-token\n": "",
    "Environment=WIDGETD_ADMIN_TOKEN_FILE=%d/admin-token\n": "",
}


def adapted(path, lines):
    """A sample of the repository with these lines in place of others, which have to be there."""
    with open(f"{ROOT}/{path}", encoding="utf-8") as file:
        text = file.read()
    for line, other in lines.items():
        if text.count(line) != 1:
            fail(f"{path} has no line `{line.strip()}`, in whose place the package has another")
        text = text.replace(line, other)
    return text


def unit():
    """The unit of the service, without what the sample says about itself."""
    text = adapted("config/systemd/widgetd.service", UNIT)
    return text[text.index("[Unit]"):]


def changelog(date):
    with open(f"{ROOT}/.ci/debian/control", encoding="utf-8") as file:
        maintainer = re.search(r"^Maintainer: (.*)$", file.read(), re.MULTILINE).group(1)
    return (f"widgetd ({version()}) stable; urgency=medium\n\n"
            f"  * Version {version()}; see release-notes.md of widgetd-common.\n\n"
            f" -- {maintainer}  {email.utils.formatdate(date)}\n")


def packages(laid_out, work, target, date):
    """Makes the packages, with all dates that of the distribution."""
    folder = f"{work}/debian/widgetd-{version()}"
    shutil.copytree(f"{ROOT}/.ci/debian", f"{folder}/debian")
    shutil.copytree(laid_out, f"{folder}/tree")
    write(f"{folder}/tree/etc/widgetd.json5", adapted("config/widgetd.json5", SETTINGS))
    write(f"{folder}/debian/widgetd.service", unit())
    # debhelper takes a file called changelog for one of Debian's form.
    shutil.copy(f"{ROOT}/CHANGELOG.md", f"{folder}/tree/release-notes.md")
    write(f"{folder}/debian/changelog", changelog(date))
    write(f"{folder}/debian/source/format", "3.0 (native)\n")
    for place, folders, files in os.walk(folder):
        for name in folders:
            os.chmod(f"{place}/{name}", 0o755)
        for name in files:
            os.chmod(f"{place}/{name}", 0o755 if os.access(f"{place}/{name}", os.X_OK) else 0o644)
        # dpkg-deb changes later dates alone.
        for name in (*folders, *files):
            os.utime(f"{place}/{name}", (date, date), follow_symlinks=False)
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("DEB_", "DH_"))}
    environment |= {"SOURCE_DATE_EPOCH": str(date), "DEB_BUILD_OPTIONS": "noautodbgsym nocheck", "LC_ALL": "C.UTF-8", "TZ": "UTC"}
    run("debian/rules", "binary", cwd=folder, env=environment)
    made = sorted(glob.glob(f"{work}/debian/*.deb"))
    if len(made) != 4:
        fail(f"debhelper has made {len(made)} packages")
    for path in made:
        shutil.move(path, target)
