#!/bin/sh
# Installs Debian packages that are missing: PACKAGE:PATH pairs, where PATH exists once the package is there.
# Says what it installs; ends with 1, and the command to type, where it may not.
set -u
missing=""
for pair in "$@"; do
  [ -e "${pair#*:}" ] || missing="$missing ${pair%%:*}"
done
[ -n "$missing" ] || exit 0
command -v apt-get >/dev/null || { echo "Not on Debian: install$missing by hand."; exit 1; }
[ "$(id -u)" = 0 ] || { echo "To install$missing: sudo apt-get install --no-install-recommends$missing"; exit 1; }
echo "Installing Debian packages:$missing"
apt-get update -qq >/dev/null && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
