#!/usr/bin/env bash
# What the sandbox is compared with: bubblewrap and gVisor from Debian's packages, and DMOJ's judge
# in a virtual environment of its own below .cache. Run scripts/test first: it makes .venv.
set -euo pipefail

root=$(dirname -- "$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")")
folder=$root/.cache/dmoj
# The last four: DMOJ's tracer is compiled.
packages=(bubblewrap runsc libseccomp-dev g++ make python3-dev)

missing=()
for package in "${packages[@]}"; do
    dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null |
        grep -qx installed || missing+=("$package")
done
if ((${#missing[@]})); then
    install="apt-get install --yes --no-install-recommends ${missing[*]}"
    if [[ $(id -u) != 0 ]]; then
        echo "Packages are missing. Run: sudo $install" >&2
        exit 2
    fi
    apt-get update
    $install
fi

# DMOJ's judge gets the interpreter that the boxes have.
python=$("$root/.venv/bin/python" -c 'import sys; print(sys._base_executable)')
[[ -x $folder/bin/pip ]] || "$python" -m venv "$folder"
"$folder/bin/pip" install --quiet dmoj==4.1.0
"$folder/bin/python" -c 'from dmoj.cptbox import _cptbox'
echo "Installed: bubblewrap, runsc, dmoj 4.1.0."
