#!/bin/sh
# Writes the specimen of a host's cache and of its widget's data with the programs of one version: make-host.sh PROGRAMS TARGET
#
# PROGRAMS holds `widgetd`, `widget` and `Specimen`; TARGET is made. The registry is at 127.0.0.1:18973, which the files name.
set -eu
programs=$1
target=$2
work=$(mktemp -d)
url=http://127.0.0.1:18973
process=
trap '[ -z "$process" ] || kill "$process" 2>/dev/null || true; rm -rf "$work"' EXIT

"$programs/widgetd" serve --listen 127.0.0.1:18973 --data "$work/data" >"$work/log" 2>&1 &
process=$!
while ! curl -sf "$url/readyz" >/dev/null 2>&1; do sleep 0.1; done
token=$(cat "$work/data/admin-token")

publish() {
    folder="$work/Counter.bundle"
    rm -rf "$folder" "$work/counter.zip"
    mkdir -p "$folder"
    cat >"$folder/Info.plist" <<PLIST
<plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.Counter</string>
<key>CFBundleShortVersionString</key><string>$1</string><key>CFBundleVersion</key><string>1</string></dict></plist>
PLIST
    cat >"$folder/Main.widgets.json" <<DOCUMENT
{ "schema": 1, "state": { "count": 0 }, "persist": ["count"],
  "root": [
    { "kind": "label", "id": "sum", "payload": { "text": { "\$": ["v$1 ", "\$count"] } } },
    { "kind": "button", "id": "add", "payload": { "text": "Add" },
      "on": { "tap": { "do": "set", "state": "count", "to": { "\$": "count + 1" } } } } ] }
DOCUMENT
    "$programs/widget" pack "$folder" -o "$work/counter.zip" >/dev/null
    curl -sS -f -o /dev/null -H "Authorization: Bearer $token" -T "$work/counter.zip" "$url/v1/bundles/Counter.zip"
}

host() {
    "$programs/Specimen" release "$url" "$work/cache" com.example.Counter-1 "$work/counter.zip" "$@" >/dev/null
}

# 1.0 is confirmed and has data, 1.1 has failed, and 1.2 was begun and not confirmed.
publish 1.0
host update confirm
echo '[{"tap": "add"}]' >"$work/events.json"
"$programs/widget" render com.example.Counter-1 --server "$url" --cache "$work/cache" --store "$work/kept" \
    --events "$work/events.json" >/dev/null
publish 1.1
host update
publish 1.2
host start update
kill "$process"
wait "$process" || true
process=

mkdir -p "$target/data"
cp -R "$work/cache" "$target/cache"
cp "$work/kept/com.example.Counter-1.sqlite" "$target/data/"
