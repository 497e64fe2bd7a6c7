#!/usr/bin/env bash
# The tour in small: shows what it should, draws its chart, keeps a cluster that can be played with, and leaves neither
# processes nor files behind, also when it is interrupted.
set -euo pipefail
demo=$1
work=$(mktemp -d)
temporary=$work/tmp
export TMPDIR=$temporary
mkdir "$temporary"
cd "$work"
trap 'rm -rf "$work"' EXIT

fail() {
  echo "$*" >&2
  exit 1
}
said() { grep -qE -- "$1" "$work/said" || fail "the demo did not say \"$1\", but: $(cat "$work/said")"; }
# Its children have its directory in their command lines; the brackets keep this search from finding itself.
nothing_left() {
  local running
  [[ -z "$(ls -A "$temporary")" ]] || fail "left behind: $(ls -A "$temporary")"
  running=$(grep -slE "$temporary/shift-dem[o]" /proc/[0-9]*/cmdline || true)
  [[ -z "$running" ]] || fail "still running: $running"
}
start() {
  : >"$work/said"
  coproc running { exec "$demo" "$@" 2>&1; }
  pid=$running_PID
  exec {output}<&"${running[0]}"
}
# Listens until the demo has said something.
wait_for() {
  local line
  while read -rt 120 line <&"$output"; do
    echo "$line" >>"$work/said"
    [[ "$line" == *"$1"* ]] && return
  done
  fail "it never said \"$1\", but: $(cat "$work/said")"
}
interrupt() {
  local code=0
  kill -INT "$pid"
  cat <&"$output" >>"$work/said"
  exec {output}<&-
  wait "$pid" || code=$?
  [[ $code == 130 ]] || fail "an interrupted demo ended with code $code"
  said 'Stopped all processes cleanly'
  nothing_left
}
refused() {
  local words=$1 code=0
  shift
  "$demo" "$@" >"$work/said" 2>&1 || code=$?
  [[ $code != 0 ]] || fail "not refused: $*"
  said "$words"
  nothing_left
}

# From the first act to a cluster that stays up.
start --scale 0.06 --keep
wait_for 'Ctrl-C stops everything'
said '^Dashboard: http://127\.0\.0\.1:[0-9]+/$'
for policy in LRU hybrid planned; do
  said "^ *$policy +[0-9.]+ MiB +-?[0-9.]+ [KM]iB +-?[0-9.]+ % +[0-9.]+ MiB +[0-9.]+ MiB +([0-9.]+|-)\$"
  said "^ *$policy +[0-9.]+ s +[0-9.]+ s +[0-9.]+ x +-?[0-9.]+ [KM]iB +-?[0-9.]+ % "
done
said '^ *no cache +[0-9.]+ s +[0-9.]+ s +1\.00 x '
said '^Share absorbed, side by side: .*(LRU|hybrid|planned)( [>=] (LRU|hybrid|planned)){2}$'
said '^Mean job time: .*( [<=] [a-zA-Z ]+){3}$'
said '^Side by side, (LRU|hybrid|planned) absorbed most: '
said 'act 5 of 5, .* to go$'
python3 -c 'import sys, xml.dom.minidom as dom; dom.parse(sys.argv[1])' shift-demo.svg
mapfile -t commands < <(grep -E 'shiftctl --gms ' "$work/said")
[[ ${#commands[@]} == 5 ]] || fail "it suggests ${#commands[@]} commands: ${commands[*]}"
for command in "${commands[@]}"; do
  bash -c "$command" >"$work/answer" 2>&1 || fail "$command failed: $(cat "$work/answer")"
  [[ -s "$work/answer" ]] || fail "$command said nothing"
  [[ "$command" == *' jobs show '* ]] && finished=$(grep -cE ' yes +' "$work/answer")
done
[[ "${finished:-0}" == 3 ]] || fail "the job finished ${finished:-0} of its three partitions"
interrupt

# Interrupted while jobs read.
start --scale 0.3
wait_for 'act 1 of 5'
interrupt

# Nobody listens any more.
codes=(0 0)
"$demo" --scale 0.3 2>&1 | grep -qm 1 'act 1 of 5' || codes=("${PIPESTATUS[@]}")
[[ "${codes[*]}" == '130 0' ]] || fail "without a listener the demo and the listener ended with ${codes[*]}"
nothing_left

# What cannot be done is said before anything is begun.
echo 'my drawing' >mine.svg
refused 'mine\.svg is there and is no chart of the demo; --plot' --plot mine.svg
[[ "$(cat mine.svg)" == 'my drawing' ]] || fail "it wrote over somebody's file"
refused '--scale' --scale 0
refused 'absent.*--plot' --plot absent/chart.svg
TMPDIR=$work/nowhere refused 'set TMPDIR to a directory that can be written'
