import type { Random } from '../support/random.ts';
import { markdownText } from './texts.ts';

/** What people write where a tracker reads Markdown, and what could mean something else to GitHub. */
const pieces: readonly string[] = [
  ...['a', 'word', 'foo_bar', '日本', 'שלום', '🐛', '"', '!', '&', '.', ',', ' ', ' ', ' ', '\n', '\n', '\n\n', '\n\n'],
  ...[
    '*em*',
    '**strong**',
    '_u_',
    '~~old~~',
    '`code @mona #12`',
    '[x](http://y.test)',
    '[x][r]',
    '[r]',
    '\n\n[r]: https://github.com/o/r/issues/3\n\n',
  ],
  ...[
    '![i](http://p.test/i.png)',
    '![r]',
    '!',
    '[^1]',
    '\n\n[^1]: note @mona\n\n',
    '\\*',
    '\\[',
    '&lt;',
    '&#64;mona',
    '&amp;',
    '\\$',
    '\\@mona',
  ],
  ...[
    '@mona',
    '@acme/core',
    '#12',
    'acme/widget#3',
    'GH-3',
    '0a1b2c3d4e',
    'fixes #1',
    'bug 12',
    'comment 3',
    ':smile:',
    '$x$',
    '$$',
  ],
  ...[
    '*bug 12*',
    '**@mona**',
    'a*bug 12*b',
    '*#12*',
    '[see bug 12](http://y.test)',
    '(bug 12)',
    '!bug 12',
    '[*@mona*](http://y.test/#12)',
  ],
  ...[
    'https://github.com/a/b/issues/3',
    '<https://github.com/a/b/issues/3>',
    '[i](https://github.com/a/b/issues/3)',
    'www.github.com/x',
    '*https://github.com/a*',
  ],
  ...[
    'http://a.test/x_y(z)',
    '<http://b.test>',
    'www.x.test',
    'bob@example.test',
    '<bob@example.test>',
    '[Bob](mailto:bob@example.test)',
    'bob\\@example.test',
    'bob&#64;example.test',
  ],
  ...[
    '<b>',
    '</b>',
    '<br>',
    '<!-- x -->',
    '\n<div>\nx @mona\n</div>\n',
    '\n<details><summary>s</summary>\n\nin\n\n</details>\n',
    '<!-- bugferry:1 acme bug=1 -->',
  ],
  ...[
    '\n# h @mona\n',
    '\nh #12\n===\n',
    '\n- one @mona\n- two\n',
    '\n1. one #12\n2. two\n',
    '\n- [ ] t\n- [x] u\n',
    '\n> q @mona\n> r #12\n',
    '\n> - deep\n>   <b>\n',
    '\n---\n',
  ],
  ...[
    '\n```\n@mona #12\n```\n',
    '\n```mermaid\ngraph\n```\n',
    '\n    code @mona\n',
    '\n~~~js\nx\n~~~\n',
    '\n```\nopen',
    '\n| a | b |\n|---|---|\n| @mona | #12 \\| x |\n',
    '2. x',
    '===',
    '- x',
    '> q',
  ],
  ...['\u0000', '\u200b', '\r\n', '\t', '  \n'],
];

/**
 * Markdown with much in it that must not happen on GitHub; some of it broken. Addresses that are only written out end
 * with a space.
 */
export const hostileMarkdown = (r: Random): string =>
  Array.from({ length: 1 + r.below(10) }, () => r.pick(pieces))
    .map(
      (piece) =>
        `${piece}${/^(?:https?:|www\.|bob)/u.test(piece) || r.chance(0.4) ? r.pick([' ', '\n', ' ', '. ']) : ''}`,
    )
    .join('');

/** Either that, or what people write with care. */
export const trackerMarkdown = (r: Random): string => (r.chance(0.3) ? markdownText(r) : hostileMarkdown(r));
