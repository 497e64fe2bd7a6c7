#!/usr/bin/env bash
# What operators are given works: example configurations load, Prometheus takes scrape configuration and alerts and the alerts
# do what their tests say, systemd takes the units and finds little to expose in them, and all of it is installed.
set -euo pipefail
deploy=$1 binaries=$2 build=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$binaries/shift-node" --config "$deploy/config/node.toml" --print-config > /dev/null
"$binaries/shift-gms" --config "$deploy/config/gms.toml" --print-config > /dev/null
"$binaries/shift-cat" --config "$deploy/config/client.toml" --set ring.file="$deploy/config/ring.toml" --print-config > /dev/null

(
  cd "$deploy/prometheus"
  promtool check config scrape.yml
  promtool check rules alerts.yml
  promtool test rules alerts_test.yml
)

DESTDIR="$work" cmake --install "$build" --prefix /usr > /dev/null
for file in bin/shift-node bin/shift-gms bin/shift-cat bin/shiftctl bin/shift-sim include/shift.h lib/systemd/system/shift-node.service \
  lib/systemd/system/shift-gms.service share/doc/shift/config/node.toml share/doc/shift/prometheus/alerts.yml; do
  [[ -e "$work/usr/$file" ]] || { echo "not installed: $file" >&2; exit 1; }
done

if command -v systemd-analyze > /dev/null; then
  mkdir "$work/units"
  for name in shift-node shift-gms; do
    # The programs are not where the unit will find them one day.
    sed "s#/usr/bin/#$work/usr/bin/#" "$deploy/systemd/$name.service" > "$work/units/$name.service"
    systemd-analyze verify --man=no --recursive-errors=no "$work/units/$name.service"
    # From 0, nothing exposed, to 100.
    systemd-analyze security --offline=yes --threshold=20 --no-pager "$work/units/$name.service" > "$work/security" ||
      { cat "$work/security" >&2; exit 1; }
  done
fi
