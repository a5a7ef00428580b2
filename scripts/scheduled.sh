#!/bin/sh
# The steps of action.yml: one cycle at each run, with the state on a branch between runs.
#
# take     reserves the branch for this run, and decrypts the state
# mirror   runs one cycle
# keep     encrypts the state, and gives the branch back
#
# The branch has one commit, which is replaced: with the file `state` and, while a run has it, the file `running`. A push succeeds only if
# nobody else pushed since, so two runs never work on one state.
set -eu
program=$(cd "$(dirname "$0")/.." && pwd)
clone=${RUNNER_TEMP:?}/bugferry-state
reserved=${RUNNER_TEMP}/bugferry-reserved
remote=${STATE_REMOTE:-${GITHUB_SERVER_URL:-https://github.com}/${GITHUB_REPOSITORY:-}.git}
state=state/bugferry.db
# A run that was killed gives nothing back. GitHub ends a job after six hours.
stale_seconds=21600

state_git() {
  git -C "$clone" -c user.name=bugferry -c user.email=bugferry@users.noreply.invalid "$@"
}
authorized() {
  GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=http.extraheader \
    GIT_CONFIG_VALUE_0="AUTHORIZATION: basic $(printf 'x-access-token:%s' "${STATE_TOKEN:-}" | base64 | tr -d '\n')" "$@"
}
cipher() { openssl enc "$@" -aes-256-cbc -pbkdf2 -iter 200000 -pass env:STATE_KEY; }

# Replaces the commit of the branch by one of the files in the clone, if it still is the one that this run saw.
replace() {
  state_git add --all
  tree=$(state_git write-tree)
  commit=$(state_git commit-tree "$tree" -m "$1")
  authorized state_git push --quiet --force-with-lease="refs/heads/$STATE_BRANCH:$seen" "$remote" "$commit:refs/heads/$STATE_BRANCH"
}

case "${1:-}" in
  take)
    [ "${#STATE_KEY}" -ge 32 ] || { echo '::error::state-key needs 32 characters or more, such as openssl rand -hex 32 prints.'; exit 1; }
    rm -rf "$clone" "$reserved"
    git init --quiet "$clone"
    if authorized state_git fetch --quiet --depth 1 "$remote" "refs/heads/$STATE_BRANCH" 2>/dev/null; then
      seen=$(state_git rev-parse FETCH_HEAD)
      state_git checkout --quiet --detach FETCH_HEAD
    elif authorized git ls-remote --exit-code "$remote" "refs/heads/$STATE_BRANCH" >/dev/null 2>&1 || ! authorized git ls-remote "$remote" >/dev/null; then
      echo '::error::The branch of the state cannot be read.'
      exit 1
    else
      seen=
    fi
    if [ -f "$clone/running" ] && [ "$(($(date +%s) - $(cat "$clone/running")))" -lt "$stale_seconds" ]; then
      echo '::error::Another run has the state. Give the workflow a concurrency group, so that runs wait for each other.'
      exit 1
    fi
    mkdir -p state
    if [ -f "$clone/state" ]; then
      # One wrong key in some 250 decrypts it to nonsense without an error.
      { cipher -d -in "$clone/state" -out "$state" && [ "$(head -c 15 "$state" | tr -d '\000')" = 'SQLite format 3' ]; } || { rm -f "$state"; echo '::error::The state cannot be decrypted: is state-key another one?'; exit 1; }
    fi
    date +%s >"$clone/running"
    replace 'a run has the state' || { echo '::error::Another run took the state at the same moment.'; exit 1; }
    echo "$commit" >"$reserved"
    ;;
  mirror)
    if [ "${SWEEP:-false}" = true ]; then set -- --sweep; else set --; fi
    node "$program/src/main.ts" once --config "${CONFIG:?}" "$@"
    ;;
  keep)
    if [ ! -f "$reserved" ]; then echo 'This run never had the state.'; exit 0; fi
    seen=$(cat "$reserved")
    rm -f "$clone/running"
    if [ -f "$state" ]; then
      # A copy by SQLite contains what still is in the log beside the file.
      (cd "$program" && node --input-type=module -e 'import Database from "better-sqlite3"; const db = new Database(process.argv[1]); db.pragma("wal_checkpoint(truncate)"); db.close();' "$OLDPWD/$state")
      cipher -in "$state" -out "$clone/state"
    fi
    replace 'the state after a run' || { echo '::error::The state was replaced by another run.'; exit 1; }
    rm -f "$reserved"
    ;;
  *)
    echo "scheduled.sh: there is no step ${1:-}" >&2
    exit 2
    ;;
esac
