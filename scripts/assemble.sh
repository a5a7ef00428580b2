#!/bin/sh
# The steps that assemble the program: for the Dockerfile, for a test, and for you, in a checkout of your own.
#
#   sh scripts/assemble.sh install build strip collect /srv/bugferry
#
# install   installs exactly the packages of the lock file. None needs its install script: SQLite comes compiled.
# build     compiles src/ to dist/
# strip     removes the packages for development
# collect   copies the program into a folder of its own
set -eu
cd "$(dirname "$0")/.."

while [ $# -gt 0 ]; do
  case "$1" in
    install) npm ci --ignore-scripts --no-audit --no-fund ;;
    build) npm run build ;;
    strip) npm prune --omit=dev --ignore-scripts --offline --no-audit --no-fund ;;
    collect)
      shift
      mkdir -p "$1"
      cp -R package.json LICENSE dist node_modules "$1"
      ;;
    *)
      echo "assemble.sh: there is no step $1" >&2
      exit 2
      ;;
  esac
  shift
done
