import type { Random } from '../../support/random.ts';

/**
 * Texts that have broken programs before: numbers that are none, injections, dates, markup, patterns, characters beyond
 * the usual.
 */
const oddTexts: readonly string[] = [
  ...[
    '',
    ' ',
    '\t\n',
    '0',
    '00',
    '-0',
    '-1',
    '1.5',
    '1e3',
    '1e309',
    'NaN',
    'Infinity',
    '0x10',
    '１２',
    '٣',
    '99999999999',
    '9007199254740993',
  ],
  ...[
    'true',
    'false',
    'null',
    'undefined',
    '[object Object]',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'valueOf',
    'length',
  ],
  ...[
    'a\u0000b',
    '\u0000',
    '\u0001\u001f\u007f',
    '\ufeff',
    '\u202eabc',
    'e\u0301\u0301\u0301',
    'Ünïcode',
    'ß',
    'İ',
    'ΟΔΟΣ',
    '😀𝒳',
    '\u2028',
  ],
  ...[
    "'; DROP TABLE bugs; --",
    '" OR "1"="1',
    '1) UNION SELECT 1',
    '%',
    '_',
    '\\',
    "'",
    '"',
    '`id`',
    '$(id)',
    '{{7*7}}',
    '%s%n',
  ],
  ...[
    '<script>fuzz()</script>',
    '<img src=fuzz onerror=fuzz()>',
    '"><svg onload=fuzz()>',
    '</pre><script>fuzz()</script>',
    ']]>',
    '*/fuzz(',
  ],
  ...[
    '../../etc/passwd',
    '..\\..\\boot.ini',
    '/',
    '//',
    '.',
    '..',
    'a/b',
    'file:///etc/passwd',
    '%2e%2e%2f',
    '%00',
    '%zz',
    '%',
    '%E0%A4%A',
  ],
  ...['(a+)+$', '^(a|a)*b$', '(.*)*x', '(', '[', '*', 'a{99999}', '\\', '(?<=a)', '[[:alpha:]', '(?:', '$^'],
  ...[
    '2026-02-30',
    '2026-11-21',
    '2026-11-21T09:44:30Z',
    '0000-00-00',
    '9999-12-31',
    '275760-09-14',
    '1',
    'now',
    '-1d',
    '-99999999999h',
    '+9999999y',
  ],
  ...[
    '-999999999m',
    '0ds',
    '1e9w',
    '2026-11-21 25:61:61',
    '20261121',
    '-2026-11-21',
    'Sat, 21 Nov 2026 09:44:30 GMT',
    '1 1 1',
  ],
  ...[
    'https://github.com/o/r/issues/1',
    'http://',
    'https://[',
    'javascript:fuzz()',
    'show_bug.cgi?id=1',
    'http://tracker.example.test/show_bug.cgi?id=2',
  ],
  ...[
    'a,b',
    ',,,',
    'a b',
    '1,2',
    '---',
    '__open__',
    '%user%',
    '%group.insider%',
    '%reporter%',
    '%nobody%',
    'a@b',
    '@',
    'alice',
    'ALICE@EXAMPLE.TEST',
  ],
];

const hugeTexts: readonly string[] = [
  'a'.repeat(300),
  '😀'.repeat(256),
  ' '.repeat(2000),
  `a${' '.repeat(2000)}b c`,
  '&'.repeat(2000),
  'a,'.repeat(400),
  '("'.repeat(400),
  `${'a'.repeat(2000)}!`,
];

/** Texts that only a body can carry. */
const monsters: readonly (() => string)[] = [
  () => 'x'.repeat(65_536),
  () => `https://sourceforge.net${'/p/a'.repeat(20_000)}`,
  () => `http://tracker.example.test/show_bug.cgi?id=1${'&'.repeat(60_000)}\n`,
  () => `a${' '.repeat(60_000)}b c`,
  () => ','.repeat(60_000),
];

export function oddText(random: Random): string {
  if (random.chance(0.06)) return random.pick(hugeTexts);
  const text = random.pick(oddTexts);
  return random.chance(0.1) ? `${text}${random.pick(oddTexts)}` : text;
}

/** What JSON can hold where something else is expected. `__proto__` is a name like any other there. */
const oddThings: readonly (() => unknown)[] = [
  ...[null, true, false, 0, -1, 1, 1.5, 1e308, 99_999_999_999, [], {}, [[]], [null], [{}], [0], [''], { a: 1 }].map(
    (value) => () => value,
  ),
  () => JSON.parse('{"__proto__":{"isAdmin":true},"add":["x"]}') as unknown,
  () => ({ constructor: { prototype: 1 }, toString: 1, valueOf: null }),
  () => ({ length: 3, 0: 'a' }),
  () => ({ add: null, remove: null, set: null }),
  () => ({ add: [null, {}, [], 1, true], remove: 'x', set: 0 }),
  () => ({ add: { add: [] } }),
  () => ({ toString: null, add: [{ toString: 'x' }] }),
  () => [{ toString: 1 }, { name: null, status: [], id: {} }],
  () => nested(40),
  () => nested(3000),
  () => ['\ud800'],
  () => ({ '\udc00': 1 }),
  () => Array.from({ length: 300 }, (_, index) => index),
];

const nested = (depth: number): unknown => {
  let value: unknown = 'deep';
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { add: value };
  return value;
};

export function oddValue(random: Random): unknown {
  if (random.chance(0.45)) return oddText(random);
  if (random.chance(0.03)) return random.pick(monsters)();
  return random.pick(oddThings)();
}

export const oddNames: readonly string[] = [
  ...[
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'zzz',
    '',
    ' ',
    'set_x',
    'id',
    'bug_id',
    'ids',
    'comment',
    'login',
    'password',
  ],
  ...[
    'callback',
    'method',
    'params',
    'Bugzilla_api_token',
    'token',
    'creator',
    'groups',
    'limit',
    'é',
    '$',
    'a.b',
    'a[0]',
  ],
];
