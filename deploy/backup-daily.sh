#!/bin/sh
# Makes a backup every day at BACKUP_HOUR (UTC, 0–23). A failed one is tried again after an hour.
set -u
hour=${BACKUP_HOUR:-1}
hour=${hour#0}
trap 'exit 0' TERM INT

wait_seconds() {
  sleep "$1" &
  wait $!
}

while :; do
  now=$(date -u +%s)
  wait_seconds $(((86400 + ${hour:-0} * 3600 - now % 86400) % 86400 + 1))
  until node dist/archive.js backup; do
    echo "The backup failed, the next attempt is in an hour." >&2
    wait_seconds 3600
  done
  touch /tmp/last-backup
done
