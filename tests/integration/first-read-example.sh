#!/usr/bin/env bash
# The README's steps by hand: a node, a ring file, a client configuration, and the example program.
set -euo pipefail
example=$1 node=$2
work=$(mktemp -d)
mkfifo "$work/ready"
mkdir "$work/store"
head -c 300000 /dev/urandom > "$work/store/data"
"$node" --set id=flash-01 --set listen=127.0.0.1:0 --set admin_listen=127.0.0.1:0 \
  --set metrics_listen=127.0.0.1:0 --set "store.root=$work/store" \
  > "$work/ready" 2> "$work/log" &
pid=$!
trap 'kill $pid 2>/dev/null || true; wait $pid || true; rm -rf "$work"' EXIT
read -r _ listen _ < "$work/ready"
printf '[[node]]\nid = "flash-01"\naddress = "%s"\n' "${listen#listen=}" > "$work/ring.toml"
printf '[store]\nroot = "%s"\n[ring]\nfile = "%s"\n' "$work/store" "$work/ring.toml" > "$work/client.toml"
said=$("$example" "$work/client.toml" data)
echo "$said"
[[ "$said" == "300000 bytes, 300000 of them from nodes" ]]
