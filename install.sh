#!/bin/sh
# Installs the checker into .venv beside this file, and Graphviz's dot for the diagrams if it is missing.
# sh install.sh         what it takes to check models
# sh install.sh test    the test tools too
# Needs Python 3.11 or newer with pip (another than python3: PYTHON=python3.12 sh install.sh).
set -eu
cd "$(dirname "$0")"
python=${PYTHON:-python3}

"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
    echo "Python 3.11 or newer is needed; $python is $("$python" --version)" >&2
    exit 2
}

wanted=
command -v dot > /dev/null || wanted="graphviz"
"$python" -c 'import ensurepip' 2> /dev/null || wanted="$wanted python3-venv"
if [ -n "$wanted" ]; then
    as_root=
    [ "$(id -u)" -eq 0 ] || as_root=$(command -v sudo || true)
    export DEBIAN_FRONTEND=noninteractive
    { $as_root apt-get update -qq && $as_root apt-get install -y -qq --no-install-recommends $wanted; } > /dev/null ||
        echo "could not install:$wanted (apt-get needs root); without dot diagrams stay .dot files" >&2
fi

# Without ensurepip an environment can still be filled by the pip outside it.
if "$python" -c 'import ensurepip' 2> /dev/null; then
    "$python" -m venv .venv
    pip="$PWD/.venv/bin/python -m pip"
else
    "$python" -m venv --without-pip .venv
    pip="$python -m pip --python .venv/bin/python"
fi
case "${1:-}" in
    test) $pip install -q --disable-pip-version-check -e '.[test]' ;;
    *) $pip install -q --disable-pip-version-check -e . ;;
esac
