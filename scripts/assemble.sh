#!/bin/sh
# The steps that assemble the program: for the Dockerfile, for a test, and for you, in a checkout of your own.
#
#   sh scripts/assemble.sh install node /srv/bugferry build strip collect /srv/bugferry
#
# install   installs exactly the packages of the lock file. None needs its install script: SQLite comes compiled.
# node      puts the Node.js of the lock file into DIR/bin, so that the program never depends on the machine's own
# build     compiles src/ to dist/
# strip     removes the packages for development
# collect   copies what a running program reads, into a folder of its own
# compile   keeps there what Node.js makes of the files, for a user who may not write: `compile /app 1000`. By root only
set -eu
cd "$(dirname "$0")/.."

# SQLite comes with its sources, and compiled for eight kinds of machines: the one that Node.js loads on this machine stays.
trim() {
  node=node
  if [ -x "$1/bin/node" ]; then node=bin/node; fi
  loaded=$(cd "$1" && "$node" -p "require('better-sqlite3')(':memory:'); process.report.getReport().sharedObjects.find((file) => file.endsWith('.node'))")
  find "$1/node_modules/better-sqlite3/prebuilds" -type f ! -name "$(basename "$loaded")" -delete
  rm -rf "$1/node_modules/better-sqlite3/deps" "$1/node_modules/better-sqlite3/src" "$1/node_modules/better-sqlite3/binding.gyp" \
    "$1/node_modules/node-addon-api"
  # What tools keep in a checkout, and what packages bring for their own developers.
  rm -rf "$1/node_modules/.cache" "$1/node_modules/.vite"*
  find "$1/node_modules" -type d \( -name test -o -name benchmarks -o -name docs \) -prune -exec rm -rf {} +
  find "$1/dist" "$1/node_modules" -type f \( -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -name '*.map' \) -delete
}

while [ $# -gt 0 ]; do
  case "$1" in
    install) npm ci --ignore-scripts --no-audit --no-fund ;;
    node)
      shift
      npm rebuild node
      mkdir -p "$1/bin"
      cp -L node_modules/node/bin/node "$1/bin/node"
      ;;
    build) npm run build ;;
    strip) npm prune --omit=dev --ignore-scripts --offline --no-audit --no-fund ;;
    collect)
      shift
      mkdir -p "$1/config"
      cp -R package.json LICENSE dist node_modules "$1"
      # Messages and written configurations name it.
      cp config/bridge.example.yaml "$1/config"
      trim "$1"
      ;;
    compile)
      node scripts/keep-compiled.ts "$2" "$3"
      shift 2
      ;;
    *)
      echo "assemble.sh: there is no step $1" >&2
      exit 2
      ;;
  esac
  shift
done
