# Sourced by the other scripts. Goes to the project's folder; `prepare LOCK` makes .venv from LOCK
# when it is missing, unfinished, moved, or made from another LOCK.

CDPATH= cd -- "$(dirname -- "$0")/.." || exit 1

find_python() {
    # Names that a Python of 3.11 or later goes by, the tested one first.
    PATH="$PATH:/opt/homebrew/bin:/usr/local/bin:/usr/bin"
    found_without_venv=
    for python in ${PYTHON:+"$PYTHON"} python3.11 python3.12 python3.13 python3.14 python3.15 \
        python3 python; do
        "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 || continue
        "$python" -c 'import ensurepip, venv' >/dev/null 2>&1 && return 0
        found_without_venv=$python
    done
    if [ -n "$found_without_venv" ]; then
        echo "$found_without_venv has no venv module: on Debian or Ubuntu install it with" \
            "'apt install python3-venv', then try again." >&2
    else
        echo "Python 3.11 or later is needed and was not found: install it (python3 and" \
            "python3-venv on Debian or Ubuntu), or set PYTHON to its path." >&2
    fi
    return 1
}

prepare() {
    # The stamp is written last and holds the folder and the lock that .venv was made from.
    if [ -x .venv/bin/python ] && { pwd -P; cat "$1"; } | cmp -s - ".venv/from-$1"; then
        return 0
    fi
    find_python || exit 1
    "$python" scripts/install.py "$1" || exit 1
}
