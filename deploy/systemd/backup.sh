#!/bin/sh
# backup.sh FOLDER KEEP: writes gallery-DATE.tar into FOLDER, reads it back, then removes all but the newest KEEP.
# An older archive goes only when the new one is there and whole. Exits with 1 when anything failed.
set -eu
folder=$1
keep=$2
cd "$(dirname "$0")/../.."
node=${LIGHTWELL_NODE:-/opt/node/bin/node}
archive="$folder/gallery-$(date -u +%Y-%m-%dT%H-%M-%SZ).tar"

# What a run left that was killed, or whose machine lost its power: one a night would fill the disk.
rm -f "$folder"/gallery-*.tar.part

"$node" server/cli.ts backup "$archive"
if ! "$node" server/cli.ts backup --verify "$archive"; then
  mv "$archive" "$archive.damaged"
  exit 1
fi
# Names sort by time. Only names of ours are removed.
ls "$folder" | grep -E '^gallery-[0-9TZ-]+\.tar$' | sort -r | tail -n +"$((keep + 1))" | while read -r old; do
  rm -- "$folder/$old"
done
