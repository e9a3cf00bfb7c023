"""Bundles for schemathesis to find and to publish.

    bundles.py ADDRESS TOKEN      publishes what the examples of the OpenAPI document are about
"""
import io
import sys
import urllib.request
import zipfile

SAMPLE = "mobi.favio.WidgetDemo"
RELEASES = ["1.0~3", "1.1~7"]


def archive(identifier, key):
    """A sound bundle: the same bytes for the same arguments."""
    version, build = key.split("~")
    values = {
        "CFBundleIdentifier": identifier,
        "CFBundleName": "WidgetDemo",
        "CFBundleShortVersionString": version,
        "CFBundleVersion": build,
    }
    members = "".join(f"<key>{name}</key><string>{value}</string>" for name, value in values.items())
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED) as file:
        for name, text in [
            ("Info.plist", f'<plist version="1.0"><dict>{members}</dict></plist>'),
            ("content.json", f'{{"release": "{key}"}}\n'),
        ]:
            file.writestr(zipfile.ZipInfo(f"WidgetDemo.bundle/{name}"), text, zipfile.ZIP_DEFLATED)
    return memory.getvalue()


if __name__ == "__main__":
    address, token = sys.argv[1:]
    for key in RELEASES:
        request = urllib.request.Request(
            f"{address}/v1/bundles", archive(SAMPLE, key), {"Authorization": f"Bearer {token}"}, method="POST"
        )
        urllib.request.urlopen(request, timeout=30).close()
