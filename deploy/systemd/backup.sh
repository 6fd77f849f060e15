#!/bin/sh
# backup.sh FOLDER KEEP: writes gallery-DATE.tar into FOLDER, verifies it, then deletes all archives but the newest KEEP.
# An old archive is deleted only after the new one is complete and verified. Exits with 1 after any failure.
set -eu
folder=$1
keep=$2
cd "$(dirname "$0")/../.."
node=${LIGHTWELL_NODE:-/opt/node/bin/node}
archive="$folder/gallery-$(date -u +%Y-%m-%dT%H-%M-%SZ).tar"

# A run that was killed, or whose machine lost power, leaves a partial archive. Partial archives would fill
# the disk.
rm -f "$folder"/gallery-*.tar.part

"$node" server/cli.ts backup "$archive"
if ! "$node" server/cli.ts backup --verify "$archive"; then
  mv "$archive" "$archive.damaged"
  exit 1
fi
# Names sort by time. Only files with names of this script are deleted.
ls "$folder" | grep -E '^gallery-[0-9TZ-]+\.tar$' | sort -r | tail -n +"$((keep + 1))" | while read -r old; do
  rm -- "$folder/$old"
done
