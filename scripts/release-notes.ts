/**
 * Prints the notes of a release: what changed, by CHANGELOG.md, and how to get and check it. `scripts/publish.sh
 * prepare` calls it.
 */

import { readFileSync } from 'node:fs';

const [version = '', image = '', repository = '', commit = ''] = process.argv.slice(2);
const changelog = readFileSync(new URL('../CHANGELOG.md', import.meta.url), 'utf8');
const section = changelog.split(/^## /mu).find((part) => part.startsWith(`${version} (`));

if (section === undefined) {
  console.error(`CHANGELOG.md has no section for ${version}.`);
  process.exitCode = 1;
} else {
  const file = `bugferry-${version}.tgz`;
  const identity = `--certificate-identity-regexp '^${repository}/' --certificate-oidc-issuer https://token.actions.githubusercontent.com`;
  console.log(`${section.slice(section.indexOf('\n')).trim()}

## Getting it

    docker pull ${image}:${version}
    npm install --global ${repository}/releases/download/v${version}/${file}

For compose.yaml and kubernetes.yaml: \`image: ${image}:${version}\`. For a workflow:

    - uses: ${new URL(repository).pathname.slice(1)}@${commit} # v${version}

The image is for amd64 and arm64; the package needs Node.js 22.18 or newer. \`bugferry-${version}.cdx.json\` lists everything that runs.

## Checking it

    cosign verify ${identity} ${image}:${version}
    cosign verify-blob ${identity} --bundle SHA256SUMS.sigstore.json SHA256SUMS
    sha256sum --check SHA256SUMS`);
}
