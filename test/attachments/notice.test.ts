import { describe, expect, test } from 'vitest';
import type { AttachmentLink } from '../../src/model/attachment.ts';
import type { AttachmentRule } from '../../src/model/route.ts';
import { filesLinkedIn, headingIn, taggedSummary, tagIn } from '../../src/rules/attachments/linked.ts';
import { excerptOf, noticeOf, shownWith } from '../../src/rules/attachments/notice.ts';
import { aFile as file } from '../planner/samples.ts';

const rule: AttachmentRule = {
  store: 'branch',
  owner: 'acme',
  repo: 'widget',
  branch: 'attachments',
  tag: 'attachments',
  bytesMax: 10,
};
const said = (text: string) => ({ origin: 'tracker', text }) as const;

test.each([
  [
    'made with a file',
    'Created attachment 9\nThe log\n\nLook.\n\nHere.',
    { event: 'created', attachment: 9, summary: 'The log', rest: 'Look.\n\nHere.' },
  ],
  [
    'made with a file, and nothing said',
    'Created attachment 9\nThe log',
    { event: 'created', attachment: 9, summary: 'The log', rest: '' },
  ],
  [
    'made about one',
    'Comment on attachment 9\nThe log\n\nNo.',
    { event: 'comment', attachment: 9, summary: 'The log', rest: 'No.' },
  ],
  [
    'as older trackers number them',
    'Created an attachment (id=9)\nThe log\n\nLook.',
    { event: 'created', attachment: 9, summary: 'The log', rest: 'Look.' },
  ],
  ['that only mentions one', 'I Created attachment 9', null],
  ['that says more in its line', 'Created attachment 9 yesterday', null],
])('the heading of a comment %s', (_what, text, heading) => {
  expect(headingIn(text)).toEqual(heading);
});

describe('a notice', () => {
  const link = '[a.log](<https://github.com/acme/widget/raw/attachments/p>)';
  test.each([
    ['of a file', {}, `Attachment 9, ${link} (text/plain, 1.2 kB): The log`],
    ['that is obsolete', { isObsolete: true }, `Attachment 9, ${link} (text/plain, 1.2 kB, obsolete): The log`],
    [
      'with flags',
      { isObsolete: true, flags: ['review+', 'a*b?'] },
      `Attachment 9, ${link} (text/plain, 1.2 kB, obsolete, review+, a\\*b?): The log`,
    ],
    ['without a type', { type: '' }, `Attachment 9, ${link} (1.2 kB): The log`],
    [
      'with a type of spaces, and no size',
      { type: ' ', size: null, isObsolete: true },
      `Attachment 9, ${link} (obsolete): The log`,
    ],
    ['without a name', { name: '' }, `Attachment 9, ${link.replace('a.log', 'no name')} (text/plain, 1.2 kB): The log`],
    ['of a patch', { isPatch: true }, `Attachment 9, ${link} (patch, 1.2 kB): The log`],
    ['whose summary is its name', { summary: 'a.log' }, `Attachment 9, ${link} (text/plain, 1.2 kB)`],
    [
      'of a short text',
      { copy: { ...file.copy, excerpt: 'one\ntwo\n' } },
      `Attachment 9, ${link} (text/plain, 1.2 kB): The log\n\n\`\`\`\none\ntwo\n\`\`\``,
    ],
    [
      'of what stays on the tracker',
      { copy: null, state: 'linked', reason: 'larger than 25 MB' },
      'Attachment 9, [a.log](<https://bugs.example.test/attachment.cgi?id=9>) (text/plain, 1.2 kB, on the tracker, larger than 25 MB): The log',
    ],
    [
      'with a name that would be markup',
      { name: '](x) @mona #5 <b>.log', summary: '' },
      'Attachment 9, [\\](x) @\u200bmona #\u200b5 &lt;b>.log](<https://github.com/acme/widget/raw/attachments/p>) (text/plain, 1.2 kB)',
    ],
  ] as const)('%s', (_what, change, words) => {
    expect(noticeOf({ ...file, ...change })).toBe(words);
  });
});

test.each([
  ['a comment about nothing', said('Hello'), [file], 'as it is'],
  ['one that waits for its file', said('Created attachment 9\nx'), [{ ...file, state: 'pending', copy: null }], 'wait'],
  [
    'one whose file was refused',
    said('Created attachment 9\nx'),
    [{ ...file, state: 'pending', copy: null, reason: 'why' }],
    'shown',
  ],
  [
    'one whose file is private',
    said('Created attachment 9\nx'),
    [{ ...file, state: 'withdrawn', copy: null }],
    'never',
  ],
  ['one whose file is not listed', said('Created attachment 9\nx'), [], 'never'],
  [
    'one about a private file',
    said('Comment on attachment 9\nx\n\ny'),
    [{ ...file, state: 'withdrawn', copy: null }],
    'never',
  ],
  [
    'one that came with a file of ours',
    said('Created attachment 9\nx'),
    [{ ...file, origin: 'github', path: null, checkedDigest: null, source: 't', copy: { id: 9, url: null } }],
    'never',
  ],
  ['what somebody wrote on GitHub', { origin: 'github', text: 'Created attachment 9' } as const, [], 'as it is'],
] as const)('%s is shown or not: %#', (_what, commentLink, attachmentLinks, kind) => {
  expect(shownWith(rule, commentLink, attachmentLinks).kind).toBe(kind);
  expect(shownWith(null, commentLink, attachmentLinks).kind).toBe('as it is');
});

describe('an excerpt', () => {
  const of = (text: string | Uint8Array, change: Partial<AttachmentLink> = {}) => {
    const head = typeof text === 'string' ? new TextEncoder().encode(text) : text;
    return excerptOf({ ...file, size: head.length, ...change }, { head });
  };
  test.each([
    ['a short text', of('one\r\ntwo'), 'one\ntwo'],
    ['addresses of people left out', of('by jo@example.test'), 'by jo@…'],
    ['no page', of('<b>x', { type: 'text/html' }), null],
    ['nothing that only calls itself a text', of(Uint8Array.of(0xff, 0xfe, 0)), null],
    ['nothing with control characters', of('a\u0000b'), null],
    ['no long text', of('x\n'.repeat(100)), null],
    ['no long lines', of('x'.repeat(500)), null],
    ['nothing of which only the beginning is known', of('abc', { size: 9_000 }), null],
    ['nothing empty', of(' \n'), null],
    ['a patch, whatever its type', of('+a', { isPatch: true, type: 'application/octet-stream' }), '+a'],
  ])('is %s', (_what, excerpt, expected) => {
    expect(excerpt).toBe(expected);
  });
});

describe('files in a text on GitHub', () => {
  const asset = 'https://github.com/user-attachments/assets/0a1b2c3d-1111-4222-8333-123456789abc';
  test.each([
    ['a picture', `See ![shot](${asset})`, [[asset, 'shot']]],
    ['a tag of a page', `<img width="5" src="${asset}">`, [[asset, '']]],
    [
      'a file with a name',
      '[a.pdf](https://github.com/user-attachments/files/12/a.pdf)',
      [['https://github.com/user-attachments/files/12/a.pdf', 'a.pdf']],
    ],
    ['the same twice', `${asset} ${asset}.`, [[asset, '']]],
    [
      'an older one',
      'https://user-images.githubusercontent.com/1/2-3.png',
      [['https://user-images.githubusercontent.com/1/2-3.png', '']],
    ],
    ['none in code', `\`${asset}\`\n\`\`\`\n${asset}\n\`\`\``, []],
    [
      'none of another host',
      'https://evil.test/github.com/user-attachments/assets/1 https://github.com.evil.test/user-attachments/assets/1',
      [],
    ],
    ['none of a repository', 'https://github.com/acme/widget/blob/main/a.png', []],
  ])('%s', (_what, text, found) => {
    expect(filesLinkedIn(text).map(({ url, name }) => [url, name])).toEqual(found);
  });

  test('a picture whose address expires is the same picture', () => {
    const [one, other] = ['a', 'b'].map(
      (jwt) => filesLinkedIn(`https://private-user-images.githubusercontent.com/1/2.png?jwt=${jwt}`)[0]?.tag,
    );
    expect(one).toBe(other);
  });

  test('the tag in a summary is found again, also when the name is long, and in no other summary', () => {
    const summary = taggedSummary('n'.repeat(400), '0123456789ab');
    expect([...summary].length).toBeLessThanOrEqual(255);
    expect(tagIn(summary)).toBe('0123456789ab');
    expect(tagIn('a (GitHub file 0123456789ab) and more')).toBeNull();
  });
});
