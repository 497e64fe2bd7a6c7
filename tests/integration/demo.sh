#!/usr/bin/env bash
# The demo ends well, shows what it should, and leaves neither processes nor files behind, also when interrupted.
set -euo pipefail
demo=$1
TMPDIR=$(mktemp -d)
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT

said=$("$demo" --partitions 2 --file-size 4MiB 2>"$TMPDIR/progress")
echo "$said"
grep -q '100 %' "$TMPDIR/progress"
rm "$TMPDIR/progress"
for expected in 'Absorbed IO' 'tune-a' 'demo:clicks/ds=2026-11-02' 'FINISHED' 'Stopped all processes cleanly'; do
  grep -qF "$expected" <<< "$said" || { echo "the demo did not say: $expected" >&2; exit 1; }
done
[[ -z "$(ls -A "$TMPDIR")" ]] || { echo "left behind: $(ls -A "$TMPDIR")" >&2; exit 1; }

# Interrupted as soon as the jobs run.
coproc interrupted { exec "$demo" --file-size 64MiB 2>&1; }
pid=$interrupted_PID
while read -r line <&"${interrupted[0]}"; do
  [[ "$line" == *'of 768.0 MiB read'* || "$line" == *' read, '* ]] && break
done
kill -INT "$pid"
rest=$(cat <&"${interrupted[0]}")
code=0
wait "$pid" || code=$?
grep -qF 'Stopped all processes cleanly' <<< "$rest" || { echo "after the interrupt it said: $rest" >&2; exit 1; }
[[ $code == 130 ]] || { echo "an interrupted demo ended with code $code" >&2; exit 1; }
[[ -z "$(ls -A "$TMPDIR")" ]] || { echo "left behind: $(ls -A "$TMPDIR")" >&2; exit 1; }
