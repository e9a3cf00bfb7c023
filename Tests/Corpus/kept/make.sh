#!/bin/sh
# Writes the specimens of this folder with the programs of one version: make.sh PROGRAMS TARGET
#
# PROGRAMS holds `widgetd` and `widget`; TARGET is made. Everything is done in /tmp/specimen, because a widget's store
# names the folder that its widget came from. The clock is the system's, so a second run differs in times and tokens.
set -eu
programs=$1
target=$2
work=/tmp/specimen
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$work"
mkdir -p "$work/sources" "$target"
data="$work/data"
process=
trap '[ -z "$process" ] || kill "$process" 2>/dev/null || true' EXIT
socket="$work/widgetd.sock"
widgetd="$programs/widgetd"

server() {
    # The grace is none, and what was withdrawn is kept for $1: so one run can end what the next keeps.
    WIDGETD_HOUSEKEEPING_GRACE=0s WIDGETD_RETENTION_WITHDRAWN="$1" WIDGETD_RETENTION_SNAPSHOTS=1 \
        "$widgetd" serve --listen "unix:$socket" --data "$data" >"$work/log" 2>&1 &
    process=$!
    while ! curl -sf --unix-socket "$socket" http://localhost/readyz >/dev/null 2>&1; do sleep 0.1; done
    token=$(cat "$data/admin-token")
}

stop() {
    kill "$process"
    wait "$process" || true
}

ask() {
    curl -sS -f -o "$work/answer" --unix-socket "$socket" -H "Authorization: Bearer $token" "$@"
}

# bundle NAME IDENTIFIER VERSION BUILD CONTENT
bundle() {
    folder="$work/sources/$1.bundle"
    rm -rf "$folder" "$work/$1.zip"
    mkdir -p "$folder"
    cat >"$folder/Info.plist" <<PLIST
<plist version="1.0"><dict><key>CFBundleIdentifier</key><string>$2</string>
<key>CFBundleShortVersionString</key><string>$3</string><key>CFBundleVersion</key><string>$4</string>
<key>MinimumOSVersion</key><string>12.0</string></dict></plist>
PLIST
    printf '%s' "$5" >"$folder/face.json"
    (cd "$work/sources" && "$programs/widget" pack "$1.bundle" -o "$work/$1.zip" >/dev/null)
}

publish() {
    bundle "$1" "$2" "$3" "$4" "$5"
    ask -T "$work/$1.zip" "http://localhost/v1/bundles/$1.zip?$6"
}

withdraw() {
    ask -X DELETE -G --data-urlencode "reason=$3" "http://localhost/v1/bundles/$1/releases/$2"
}

# A release that was withdrawn so long ago that nothing but its key and its tombstone is left.
server 0s
publish Old com.example.Old 1.0 1 '["gone"]' ''
withdraw com.example.Old 1.0~1 'shows the wrong time'
sleep 2
"$widgetd" gc --data "$data" >/dev/null
stop

server 30d
publish Clock com.example.Clock 1.0 1 '["round"]' ''
publish Clock com.example.Clock 1.1 2 '["square"]' ''
publish Clock com.example.Clock 1.2 3 '["oval"]' ''
# Withdrawn, and to be restored: its archive is kept.
withdraw com.example.Clock 1.2~3 'hands run backwards'
# A rollout over the release before.
publish Clock com.example.Clock 2.0 4 '["digital"]' 'rollout=2500'
publish Clock com.example.Clock 2.1 5 '["analog"]' 'channel=beta'
# Two snapshots, of which the channel keeps one: the other is retired.
publish Clock com.example.Clock 3.0 6 '["first"]' 'channel=dev'
publish Clock com.example.Clock 3.0 6 '["second"]' 'channel=dev'
publish Timer com.example.Clock.Timer 0.9 1 '["sand"]' ''
"$widgetd" gc --data "$data" >/dev/null
"$widgetd" token create ci --scope publish --scope promote --prefix com.example --data "$data" >/dev/null
"$widgetd" token create guest --scope read --data "$data" >/dev/null
"$widgetd" backup "$work/backup.tar" --data "$data" >/dev/null
stop
# Whoever closes the catalog last brings its log into it.
"$widgetd" token list --data "$data" >/dev/null

cp -R "$here/../../../Bundles/HarbourLog" "$work/HarbourLog"
"$programs/widget" render "$work/HarbourLog" --store "$work/kept" --clock 2018-06-20T20:00:00Z >/dev/null

rm -f "$data/control.sock" "$data"/catalog.sqlite-shm
rm -rf "${target:?}/registry" "$target/backup.tar" "$target/widget.sqlite"
find "$data" -type d -empty -delete
cp -R "$data" "$target/registry"
cp "$work/backup.tar" "$target/backup.tar"
cp "$work/kept/com.example.HarbourLog.sqlite" "$target/widget.sqlite"
rm -rf "$work"
