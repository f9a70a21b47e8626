#!/usr/bin/env bash
# Times the peers and judgelab in the same minute on the same machine: ratios hold, absolute times drift. The last column
# is a peer's time over that of judgelab's one cell on one thread. PYTHON may name an interpreter that has NumPy; else one
# is made in a temporary folder.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python=${PYTHON:-}
if [ -z "$python" ]; then
  python3 -m venv "$work/venv"
  "$work/venv/bin/pip" install --quiet numpy
  python=$work/venv/bin/python
fi
cargo bench --quiet --bench study --no-run
cc -O3 -march=native benches/peers/floor.c -lm -o "$work/floor"
{
  OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 "$python" benches/peers/self_preference.py
  "$work/floor"
} >"$work/peers"
# A filter that no bench has: only the lines of figures are wanted.
cargo bench --quiet --bench study -- figures-only | sed -n '/ns a decision/,$p' >"$work/judgelab"
one=$(awk '/^fixed truth, one cell/ { print $5 }' "$work/judgelab")
printf '%-34s%10s%22s\n' 'power study, fixed truth' 'ns' 'times judgelab'
awk -v one="$one" '{ match($0, / [0-9.]+   power/); ns = substr($0, RSTART) + 0; printf "%s%8.1f\n", $0, ns / one }' "$work/peers"
cat "$work/judgelab"
