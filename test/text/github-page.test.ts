/** I13 on an Enterprise Server: addresses of its pages are what those of github.com are elsewhere. */

import { expect, test } from 'vitest';
import { webHostOf } from '../../src/config/routes.ts';
import { copyOf } from '../../src/rules/comments/copy.ts';
import { noReferences, type References } from '../../src/text/references.ts';
import { safeMarkdown } from '../../src/text/safe-markdown.ts';
import { markdownParts } from '../../src/text/split.ts';
import { toMarkdown } from '../../src/text/to-markdown.ts';
import { hold } from '../planner/hold.ts';
import { aBug, aCommentLink, aLink, passed } from '../planner/samples.ts';
import { random } from '../support/random.ts';
import { widgetRoute } from '../support/routes.ts';
import { someSeeds } from '../tiers/depth.ts';
import { hostileMarkdown } from './markdown-texts.ts';
import { rendered } from './rendered.ts';
import { trackerText } from './texts.ts';

const webHost = 'git.acme.test';
const mirrored = 'https://git.acme.test/o/r/issues/5';
const references: References = { ...noReferences, webHost, page: (url) => (url === mirrored ? url : null) };

test.each([
  ['https://api.github.com', 'github.com'],
  ['https://git.acme.test/api/v3', 'git.acme.test'],
  ['https://git.acme.test:8443/api/v3', 'git.acme.test:8443'],
  ['https://api.acme.ghe.com', 'acme.ghe.com'],
  ['https://api.acme.test/api/v3', 'api.acme.test'],
  ['http://127.0.0.1:4000', '127.0.0.1:4000'],
])('the pages of %s are on %s', (url, host) => {
  expect(webHostOf(url)).toBe(host);
});

test.each([
  ['see https://git.acme.test/o/r/issues/9', 'see `https://git.acme.test/o/r/issues/9`'],
  ['see HTTP://GIT.acme.test/o/r/pull/9', 'see `HTTP://GIT.acme.test/o/r/pull/9`'],
  ['see https://github.com/o/r/issues/9', 'see `https://github.com/o/r/issues/9`'],
  [`see ${mirrored}`, `see [${mirrored}](${mirrored})`],
  ['see https://other.acme.test/o/r/issues/9', 'see <https://other.acme.test/o/r/issues/9>'],
])('plain text: %s', (text, markdown) => {
  expect(toMarkdown(text, references)).toBe(markdown);
  expect(markdownParts(text, references)).toEqual([markdown]);
});

test.each([
  ['see https://git.acme.test/o/r/issues/9, ok', 'see `https://git.acme.test/o/r/issues/9`, ok'],
  ['see <https://git.acme.test/o/r/issues/9>', 'see `https://git.acme.test/o/r/issues/9`'],
  ['`a`<https://git.acme.test/x>', '`a`\u200b`https://git.acme.test/x`'],
  ['[*this* one](https://git.acme.test/o/r/issues/9)', '*this* one (`https://git.acme.test/o/r/issues/9`)'],
  ['[this][r]\n\n[r]: https://git.acme.test/x', 'this (`https://git.acme.test/x`)\n\n[r]: #'],
  ['![this](https://git.acme.test/x.png)', 'this (`https://git.acme.test/x.png`)'],
  [`[this](${mirrored})`, `[this](${mirrored})`],
  ['[this](https://github.com/o/r/issues/9)', '[this](https://redirect.github.com/o/r/issues/9)'],
  ['[this](https://other.acme.test/x)', '[this](https://other.acme.test/x)'],
])('Markdown: %s', (text, markdown) => {
  expect(safeMarkdown(text, references)).toBe(markdown);
});

test('nothing leads there, whatever people write', () => {
  const there = (text: string): string => text.replaceAll('github.com', webHost);
  for (const seed of someSeeds(3_000, 500)) {
    const [plain, markdown] = [there(trackerText(random(seed))), there(hostileMarkdown(random(seed)))];
    for (const shown of [toMarkdown(plain, references), safeMarkdown(markdown, references)]) {
      const { links } = rendered(shown);
      hold(
        !links.some((url) => /^https?:\/\/(?:www\.)?git\.acme\.test/iu.test(url)),
        `seed ${seed} links to ${links.join(', ')} in ${JSON.stringify(shown)}`,
      );
    }
  }
});

test('a comment that is copied knows the host of its route', () => {
  const commentLink = { ...aCommentLink, copy: null, text: 'see https://git.acme.test/o/r/issues/9' };
  const talk = { link: passed({ ...aLink, tracker: aBug }), targets: [] };
  expect(copyOf({ ...widgetRoute, webHost }, talk, commentLink).texts[0]).toContain(
    'see `https://git.acme.test/o/r/issues/9`',
  );
  expect(copyOf(widgetRoute, talk, commentLink).texts[0]).toContain('see <https://git.acme.test/o/r/issues/9>');
});
