import type { Random } from '../support/random.ts';

/** What people paste into trackers, and what could mean something to GitHub. */
const pieces: readonly string[] = [
  ...['a', 'word', 'foo_bar', '__init__', '日本', 'שלום', '🐛', 'é', '"', "'", '{', '}', '=', '^', '!', '&', '.', ','],
  ...[
    '*',
    '**b**',
    '_x_',
    '`',
    '```',
    '~~~',
    '~',
    '~~s~~',
    '#',
    '# h',
    '$x$',
    '[x](y)',
    '![i](j)',
    '[^1]',
    '![',
    '[ ] t',
    '[a]: b',
  ],
  ...[
    '@mona',
    '@acme/core',
    '#12',
    'acme/widget#3',
    'GH-3',
    'gh-10',
    '0a1b2c3d4e',
    'deadbeefdeadbeefdeadbeefdeadbeefdeadbeef',
    'fixes #1',
  ],
  ...['bug 12', 'comment 3', 'attachment 9', ':smile:', ':+1:', '12:00:01 x'],
  ...[
    'http://a.test/x_y(z)',
    '<http://b.test>',
    'https://c.test/?a=b&c=d&copy;#12',
    'https://github.com/a/b/issues/3',
    'http://www.github.com/x',
  ],
  ...['www.x.test', 'bob@example.test', 'git@host.test:o/r', 'http://a.test).'],
  ...['<b>', '</b>', '<!--', '<!-- bugferry:1 acme bug=1 -->', '&lt;', '&#64;', '\\', '\\*'],
  ...[
    '|',
    '| a | b |',
    '|---|---|',
    '---',
    '====',
    ':-',
    '-:',
    '- x',
    '* y',
    '+ z',
    '1. one',
    '2. two',
    '3) t',
    '- [ ] t',
    '***',
  ],
  ...[
    '> q',
    '>> qq',
    '>',
    '    code',
    '\tt',
    ' ',
    ' ',
    '  ',
    '   ',
    '\u00a0',
    '\n',
    '\n',
    '\n',
    '\n\n',
    '\n\n\n',
    '\r\n',
  ],
  ...[
    '+++ b',
    '--- a',
    '@@ -1 +1 @@',
    'Traceback (most recent call last):',
    '  File "x"',
    'at a.b(c.java:1)',
    '#0  0x1 in f ()',
  ],
  ...[
    '\ud83d',
    '\udc1b',
    '\u0000',
    '\u0007',
    '\u202e',
    '- one\n- two\n',
    '1. one\n2. two\n',
    '- a\n- b\n\n- c\n- d\n',
    '\n1. a\n3. c\n',
    '```\ncode\n```\n',
  ],
  ...['<module>', 'List<String>', '<script>', '</T>', '> [!NOTE]', '\n> [!TIP]\n> x\n', '```mermaid', '`#0969DA`'],
  ...['- a\n- b\n\n- c\n- d\n', '- one\n- two\n\n- three\n- four\n'],
];

export const trackerText = (r: Random): string =>
  Array.from({ length: 1 + r.below(14) }, () => `${r.pick(pieces)}${r.chance(0.3) ? '\n' : ''}`).join('');

/** Markdown as people write it, with little that is broken. */
export function markdownText(r: Random): string {
  return Array.from({ length: 1 + r.below(3) }, () => block(r)).join('\n\n');
}

function block(r: Random): string {
  const line = (): string => Array.from({ length: 1 + r.below(3) }, () => phrase(r)).join(' ');
  return r.pick<() => string>([
    line,
    line,
    () => `${line()}\n${line()}`,
    () => `${'#'.repeat(1 + r.below(6))} ${line()}`,
    () => `> ${line()}\n> ${line()}`,
    () => `- ${line()}\n- ${line()}\n  - ${line()}`,
    () => `1. ${line()}\n2. ${line()}`,
    () => `- [x] ${line()}\n- [ ] ${line()}`,
    () => `\`\`\`js\n${line()}\n\n  ${line()}\n\`\`\``,
    () => `| ${word(r)} | ${phrase(r)} |\n|---|---|\n| ${phrase(r)} | ${word(r)} |`,
    () => '---',
    () => `    ${line()}`,
    () => `> [!${r.pick(['NOTE', 'Tip', 'important'])}]\n> ${line()}\n> ${line()}`,
    () => `> \\[!NOTE]\n> ${line()}`,
  ])();
}

function phrase(r: Random): string {
  const text = word(r);
  return r.pick([
    text,
    text,
    `**${text}**`,
    `_${text}_`,
    `~~${text}~~`,
    `\`${text}\``,
    `[${text}](https://a.test/${text})`,
    `<https://b.test/${text}>`,
    `https://c.test/${text}`,
    `**${text} _${word(r)}_**`,
    `\\*${text}`,
    `${text}&amp;${word(r)}`,
    `@${text}`,
    `${text}@d.test`,
    'bug 7',
    '`bug 7`',
    `List<${text}>`,
    `<module> ${text}`,
    `<Map<${text}>> in </T>`,
    `The <script> ${text}`,
  ]);
}

const word = (r: Random): string => r.pick(['alpha', 'beta', 'gamma9', 'Δέλτα', '日本語', 'עברית', '42', 'x1y2']);
