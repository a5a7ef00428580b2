/** Texts that might take a reader long: a beginning, a middle that is repeated, and an end, of what Markdown and trackers hold. */

/** From Markdown's grammar, from HTML, code, logs, diffs, tables and mails, and from what the bridge looks for. */
const pieces: readonly string[] = [
  ...['*', '**', '_', '__', '~', '~~', '`', '``', '```', '~~~', '[', ']', '![', '](', '](a)', '[a]', '[a]: b', '[^1]', '[^1]: ', '(', ')'],
  ...['<', '>', '<a', '<a ', '</a>', '<!--', '-->', '<!-', '<?', '?>', '<![CDATA[', ']]>', '<!x', '<b>', '</b>', '<br>', '<pre>', '<li>'],
  ...['<a href="', '<img src=x alt=', "='", '="', '"', "'", '&', '&amp;', '&#', '&#64;', ';', '\\', '\\\\', '|', '|-', '|a|b|', '- ', '+ '],
  ...['* ', '1. ', '1) ', '# ', '> ', '>', '---', '===', '=', '-', '\n', '\n\n', ' \n', '  \n', '\r', '\t', ' ', '    ', '\u00a0', '\n '],
  ...[
    'a',
    'a ',
    'word ',
    'the ',
    'x1',
    '0',
    '12',
    'ab ',
    'A',
    'aA',
    '.',
    ',',
    ':',
    '!',
    '?',
    '…',
    '/',
    '@',
    '@a',
    'a@b',
    'a@b.c',
    '@b.test ',
  ],
  ...['#', '#1', '#1 ', 'a/b#1', 'GH-1', 'bug 1', 'bug ', 'bug\n', 'comment 1', 'comment #', 'attachment ', 'deadbeef', ':a', ':+1:', ':'],
  ...[
    'http://',
    'https://',
    'https:',
    'ftp://',
    'www.',
    'http://a.b/',
    'https://github.com/a/b/issues/1',
    'https://github.com',
    '%40',
    '%',
  ],
  ...['\u200b', '\u202e', '\u2066', '\u2069', '中', '。', '😀', '\ud800', '\u0000', '\ufeff', '\ue0b6', 'é', '\u0301'],
  ...[
    '{',
    '}',
    '};',
    'ab{',
    'if (x) {',
    'x = 1',
    'x = 1;',
    'draw(1)',
    'at x(',
    'int f(',
    '::',
    'a::b',
    '->',
    '"a": 1,',
    'key: value',
    '$ ls',
  ],
  ...[
    '#0 0x1 in ',
    '12:00:00 ',
    'Jan  1 12:00:00 h p: ',
    '[ 1.0] ',
    'ERROR ',
    'error: ',
    'a.c:1: ',
    '--- a',
    '+++ b',
    '@@ -1 +1 @@',
    '+a',
    '-a',
  ],
  ...[
    'a  b',
    'a   b   c',
    '+--+',
    'On Mon, A wrote:\n',
    '-- \n',
    'Caused by: ',
    'Traceback (most recent call last):',
    '  File "a", line 1',
  ],
  ...['GitHub user a wrote (', '<!-- bugferry:1 acme bug=1', '*** This bug has been marked as a duplicate of bug 1 ***', '(GitHub file '],
  ...[
    'Created attachment 1',
    '<!-- bugferry:table -->',
    '</details>',
    '**a** opened [bug 1](',
    '*Mirrored as [',
    'fixes ',
    'duplicate of ',
  ],
];

export interface Shape {
  readonly prefix: string;
  readonly pump: string;
  readonly suffix: string;
}

export const textOf = ({ prefix, pump, suffix }: Shape, length: number): string => {
  const room = length - prefix.length - suffix.length;
  return (prefix + pump.repeat(Math.max(0, Math.floor(room / pump.length))) + suffix).slice(0, length);
};

/** Draws a shape; about half of all have neither a beginning nor an end. */
export function drawnShape(int: (max: number) => number): Shape {
  const some = (most: number, least = 0): string =>
    Array.from({ length: least + int(most - least + 1) }, () => pieces[int(pieces.length)] ?? '').join('');
  return { prefix: int(2) === 0 ? '' : some(2), pump: some(int(3) === 0 ? 5 : 3, 1), suffix: int(2) === 0 ? '' : some(2) };
}

/** Every piece alone, and every piece with a line break. */
export const plainShapes: readonly Shape[] = pieces.flatMap((piece) => [
  { prefix: '', pump: piece, suffix: '' },
  { prefix: '', pump: piece, suffix: 'x' },
  { prefix: '', pump: `${piece}\n`, suffix: '' },
  { prefix: '', pump: `${piece}\n\n`, suffix: '' },
]);
