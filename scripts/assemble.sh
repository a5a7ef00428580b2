#!/bin/sh
# The steps that make the program as it is run: the Dockerfile runs them, a test does, and you may, in a checkout of your own.
#
#   sh scripts/assemble.sh install build strip collect /srv/bugferry
#
# install   the packages of the lock file, exactly. No package needs its install script: SQLite comes compiled.
# build     src/ to dist/
# strip     leaves the packages that run, and no others
# collect   puts what runs into a folder of its own
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
