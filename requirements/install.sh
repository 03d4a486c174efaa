#!/bin/sh
# Makes the virtual environment from the hashed lock: through uv where it can be had, pip else.
set -eu

fail() {
    echo "averse: $1" >&2
    exit 2
}

command -v "$PYTHON" >/dev/null 2>&1 ||
    fail "no $PYTHON here; install it: sudo apt-get install python3 python3-venv"
found=$("$PYTHON" -c 'import sys; print("%d.%d" % sys.version_info[:2])') ||
    fail "$PYTHON does not run; install it: sudo apt-get install python3 python3-venv"
"$PYTHON" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
    fail "$PYTHON is Python $found, averse needs 3.11 or newer; give one: make PYTHON=python3.11 demo"
"$PYTHON" -c 'import ensurepip, venv' 2>/dev/null ||
    fail "Python $found has no venv module; install it: sudo apt-get install python3-venv"

echo "Installing averse into $VENV (once; about 300 MB) ..."
"$PYTHON" -m venv --clear "$VENV"
pip="$VENV/bin/python -m pip --disable-pip-version-check -q"
if $pip install --require-hashes -r requirements/bootstrap.txt &&
    "$VENV/bin/uv" pip install -q --python "$VENV/bin/python" --require-hashes -r requirements/lock.txt; then
    :
else
    echo "uv cannot be had here; pip installs the same versions, more slowly ..."
    $pip install --require-hashes -r requirements/lock.txt ||
        fail "the packages could not be installed; is there a network, and a package index?"
fi
# the project itself, with what the lock holds and nothing fetched
$pip install --no-deps --no-build-isolation --no-index -e .
echo "Compiling its loops (once; half a minute) ..."
# a command compiles what is not there yet: without it the first ones are only slower
"$VENV/bin/python" -W ignore -m gis.warm_up || echo "they will be compiled when they are needed"
touch "$VENV/.ready"
