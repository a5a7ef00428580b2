import { describe, expect, test } from 'vitest';
import { parsed } from '../../src/text/parse.ts';
import { withoutCopiesOf } from '../../src/text/references.ts';
import { toMarkdown, toMarkdownInline } from '../../src/text/to-markdown.ts';
import { htmlOf } from './rendered.ts';

const page = 'https://bugs.example/attachment.cgi?id=34';
const hidden = [{ id: 34, url: page }];
const branch = 'https://github.com/acme/widget/raw/files/0-999/12';
const release = 'https://github.com/acme/widget/releases/download/files';

describe('the address of a hidden file becomes that of its page', () => {
  test.each([
    [`See [attachment 34](${branch}/34-canary.log).`, `See [attachment 34](${page}).`],
    [`See [attachment 34](<${release}/34-canary.log>)`, `See [attachment 34](<${page}>)`],
    [`![shot](${branch}/34-canary%20(1).png)`, `![shot](${page})`],
    [`Here: ${branch}/part-2/34-canary.log, and more.`, `Here: ${page}, and more.`],
    [`(${branch}/34-canary.log)`, `(${page})`],
    [`<a href="${branch}/34-canary.log">log</a>`, `<a href="${page}">log</a>`],
    [`**${branch}/34-canary.log**`, `**${page}**`],
    [`[${branch}/34-canary.log](${branch}/34-canary.log)`, `[${page}](${page})`],
    [`${branch}/34-canary.log?raw=true#L3 says`, `${page} says`],
    [`https://github.com/acme/widget/blob/files/0-999/12/34-canary.log`, page],
  ])('%s', (text, expected) => {
    expect(withoutCopiesOf(hidden, text)).toBe(expected);
  });
});

describe('all else stays', () => {
  test.each([
    ['another file', `${branch}/35-canary.log`],
    ['a file in the folder of that number', 'https://github.com/acme/widget/raw/files/34-1033/34/7-crash.log'],
    ['an address without a store', 'https://example.org/34-canary.log'],
    ['words', 'attachment 34-canary.log is at /raw/34-canary.log'],
    ['an address without its end', `${branch}/34-`.slice(0, -1)],
  ])('%s', (_name, text) => {
    expect(withoutCopiesOf(hidden, text)).toBe(text);
  });

  test('nothing changes without hidden files', () => {
    const text = `See [attachment 34](${branch}/34-canary.log).`;
    expect(withoutCopiesOf([], text)).toBe(text);
  });
});

describe('what may become a link to a person', () => {
  test.each(['mona@host._test', 'mona@host.-test', 'mona@host._t.x_y', 'mona@h._', 'mona@host.test_'])(
    '%s is none, nor in the text of a link',
    (address) => {
      for (const text of [address, `[${address}]`, `see mailto:${address}, please`])
        for (const shown of [toMarkdown(text), `[${toMarkdownInline(text)}](<https://example.org>)`])
          expect([htmlOf(shown), JSON.stringify(parsed(shown))].join()).not.toMatch(/"(?:url":")?mailto:/u);
    },
  );
});
