/**
 * Makes the relative links and pictures of a document absolute, for readers of the package, which lacks their targets:
 * `node scripts/absolute-links.ts README.md https://github.com/acme/bugferry v0.2.0`. `scripts/publish.sh` calls it.
 */

import { readFileSync, writeFileSync } from 'node:fs';

const [file = '', repository = '', tag = ''] = process.argv.slice(2);

writeFileSync(
  file,
  readFileSync(file, 'utf8').replace(
    /(!?)\[([^\]]*)\]\((?![a-z]+:|#)([^)\s]+)\)/giu,
    (_link, picture: string, words: string, target: string) =>
      `${picture}[${words}](${repository}/${picture === '' ? 'blob' : 'raw'}/${tag}/${target})`,
  ),
);
