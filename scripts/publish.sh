#!/bin/sh
# The steps that publish a version, for .github/workflows/release.yml. With DRY_RUN=1, what needs the network is printed instead.
#
# base       prints the digest of the image's base
# build      builds the image for this machine's architecture
# try        runs it
# name       prints the name of that image
# login      signs in to the registry of images
# push       pushes it
# prepare    makes the package, the bill of materials, the release notes and their checksums, in the folder release
# join       makes one image of both architectures
# sign       signs it and its bill of materials
# package    publishes the package, if NPM_PACKAGE names it
# notes      makes the release with its notes and files
set -eu
cd "$(dirname "$0")/.."

: "${VERSION_TAG:?a tag such as v0.2.0}" "${GITHUB_REPOSITORY:?owner/name}"
version=${VERSION_TAG#v}
server=${GITHUB_SERVER_URL:-https://github.com}
registry=${IMAGE_REGISTRY:-ghcr.io}
# Names of images are in lower case.
image=$registry/$(printf %s "$GITHUB_REPOSITORY" | tr '[:upper:]' '[:lower:]')
own=$image:$version-${ARCHITECTURE:-amd64}

outside() { if [ "${DRY_RUN:-}" = 1 ]; then echo "+ $*"; else "$@"; fi; }
digest() { if [ "${DRY_RUN:-}" = 1 ]; then echo sha256:DIGEST; else docker buildx imagetools inspect "$1" --format '{{.Manifest.Digest}}'; fi; }

# The package under the name, the address and the owner of this repository; the registry compares the address with the place of the build.
# Links of the README lead to this version there, because the package has neither docs nor pictures.
pack() {
  address=$server/$GITHUB_REPOSITORY
  owner=${GITHUB_REPOSITORY%%/*}
  folder=$(mktemp -d)
  git archive HEAD | tar -x -C "$folder"
  ln -s "$PWD/node_modules" "$folder/node_modules"
  (
    cd "$folder"
    npm pkg set "name=${NPM_PACKAGE:-bugferry}" "repository.type=git" "repository.url=git+$address.git" \
      "homepage=$address#readme" "bugs.url=$address/issues" "author.name=$owner" "author.url=$server/$owner"
    node scripts/absolute-links.ts README.md "$address" "$VERSION_TAG"
    npm pack --silent --pack-destination "$folder" >/dev/null
  )
  mv "$folder"/*.tgz "release/bugferry-$version.tgz"
  rm -rf "$folder"
}

case "${1:-}" in
  base) echo "base=node:24-slim@$(digest node:24-slim)" ;;
  build)
    outside docker build --pull --tag "$own" --build-arg "BASE=${BASE:?}" --build-arg "VERSION=$version" \
      --build-arg "REVISION=$(git rev-parse HEAD)" --build-arg "SOURCE=$server/$GITHUB_REPOSITORY" .
    ;;
  try) outside docker run --rm --read-only --cap-drop ALL --security-opt no-new-privileges "$own" demo --exit ;;
  name) echo "IMAGE=$own" ;;
  login)
    if [ "${DRY_RUN:-}" = 1 ]; then
      echo "+ docker login $registry"
    else
      printf %s "$GITHUB_TOKEN" | docker login "$registry" --username "${GITHUB_ACTOR:-bugferry}" --password-stdin
    fi
    ;;
  push) outside docker push "$own" ;;
  prepare)
    rm -rf release
    mkdir release
    pack
    npm run --silent sbom >"release/bugferry-$version.cdx.json"
    node scripts/release-notes.ts "$version" "$image" "$server/$GITHUB_REPOSITORY" "$(git rev-parse HEAD)" >release/notes.md
    (cd release && sha256sum "bugferry-$version.tgz" "bugferry-$version.cdx.json" >SHA256SUMS)
    ;;
  join) outside docker buildx imagetools create --tag "$image:$version" --tag "$image:latest" "$image:$version-amd64" "$image:$version-arm64" ;;
  sign)
    signed=$image@$(digest "$image:$version")
    outside cosign sign --yes "$signed"
    outside cosign attest --yes --type cyclonedx --predicate "release/bugferry-$version.cdx.json" "$signed"
    outside cosign sign-blob --yes --bundle release/SHA256SUMS.sigstore.json release/SHA256SUMS
    ;;
  package)
    if [ -z "${NPM_PACKAGE:-}" ]; then
      echo 'The package is not published to a registry: the variable NPM_PACKAGE is not set.'
    else
      outside npm publish --provenance --access public "./release/bugferry-$version.tgz"
    fi
    ;;
  notes)
    outside gh release create "$VERSION_TAG" --repo "$GITHUB_REPOSITORY" --verify-tag --title "$version" --notes-file release/notes.md \
      "release/bugferry-$version.tgz" "release/bugferry-$version.cdx.json" release/SHA256SUMS release/SHA256SUMS.sigstore.json
    ;;
  *)
    echo "publish.sh: there is no step ${1:-}" >&2
    exit 2
    ;;
esac
