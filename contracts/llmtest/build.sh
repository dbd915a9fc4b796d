#!/bin/sh
# Builds llmtest.wasm from llmtest.c: the same bytes on every machine and path.
# `build.sh WASM [SOURCE]` writes elsewhere, or builds another contract of one file.
# Needs Debian's clang-16 and lld-16: apt-get install --no-install-recommends clang-16 lld-16
set -eu
here=$(dirname "$(realpath "$0")")
wasm=$(realpath -m "${1:-$here/llmtest.wasm}")
source=$(realpath "${2:-$here/llmtest.c}")
object=$(mktemp)
trap 'rm -f "$object"' EXIT
cd "$(dirname "$source")"
clang-16 --target=wasm32 -mcpu=mvp -std=c17 -Os -ffreestanding -fno-builtin -fno-ident \
  -Wall -Wextra -Werror -c "$(basename "$source")" -o "$object"
# The stack lies first, so that running out of it ends the action; all memory is one page of 64 KiB.
wasm-ld-16 --no-entry --strip-all --stack-first -z stack-size=4096 --initial-memory=65536 --max-memory=65536 \
  "$object" -o "$wasm"
chmod 644 "$wasm"
