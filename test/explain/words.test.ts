import { describe, expect, test } from 'vitest';
import {
  changedParts,
  conflictInWords,
  ledgerInWords,
  linkInWords,
  namesInWords,
  numberInWords,
  operationInWords,
  sentence,
  timeInWords,
  valueInWords,
} from '../../src/explain/words.ts';
import { commentLinkId, linkId } from '../../src/model/ids.ts';
import type { Link } from '../../src/model/link.ts';
import type {
  CommentOperation,
  Conflict,
  CreateOperation,
  EraseOperation,
  PointOperation,
  RewriteOperation,
  UpdateOperation,
} from '../../src/model/plan/operation.ts';
import type { LedgerLine } from '../../src/model/store.ts';
import { wholeLink } from '../contract/store/samples.ts';

const whole: Link = { id: linkId(1), ...wholeLink(12, 5, { route: 'widget', repo: 'acme/widget' }) };
const bugOnly: Link = { ...whole, issue: null };
const issueOnly: Link = { ...whole, bug: null };

const place = { key: 'k', link: whole.id };
const draft = { title: 'It fails', body: '', labels: [] };
const bugDraft = { product: 'Widget', summary: 'It fails', description: '', values: {}, keywords: [], seeAlso: '' };
const carried = { target: {}, source: {}, commentLink: null, parts: 1 };
const open: CreateOperation = { ...place, ...carried, kind: 'create', on: 'github', about: 'bug 12', draft };
const file: CreateOperation = {
  ...place,
  ...carried,
  kind: 'create',
  on: 'tracker',
  about: 'acme/widget#5',
  draft: bugDraft,
};
const comment: CommentOperation = {
  ...place,
  kind: 'comment',
  on: 'github',
  about: '',
  commentLink: commentLinkId(1),
  digest: '',
  tells: 'copy',
  part: 1,
  parts: 1,
};
const copy = { ...place, on: 'github', about: '', commentLink: commentLinkId(1) } as const;
const rewrite: RewriteOperation = { ...copy, kind: 'rewrite', digest: '', parts: 1, isEdit: true };
const erase: EraseOperation = { ...copy, kind: 'erase', reason: 'the text has become shorter' };
const point: PointOperation = { ...place, kind: 'point', on: 'tracker', about: '' };
const conflict: Conflict = { link: whole.id, field: 'title', tracker: 'One name', github: 'Other', kept: 'tracker' };
const update: UpdateOperation = {
  ...place,
  kind: 'update',
  on: 'github',
  about: '',
  target: { title: 'One name', severity: null },
  source: {},
  duplicateOf: null,
  via: [],
  replaces: {},
  overruled: [],
};

describe('an operation in words', () => {
  const planned = [
    ['an issue to open', open, bugOnly, 'bug 12 -> acme/widget  open an issue "It fails"'],
    ['a bug to file', file, issueOnly, 'acme/widget#5 -> the tracker  file a bug "It fails"'],
    ['a comment to copy', comment, whole, 'bug 12 -> acme/widget#5  copy a comment'],
    ['a comment for an issue that is planned too', comment, bugOnly, 'bug 12 -> acme/widget  copy a comment'],
    [
      'an edit to report',
      { ...comment, on: 'tracker', tells: 'edit' },
      whole,
      'acme/widget#5 -> bug 12  report an edited text',
    ],
    [
      'a deletion to report',
      { ...comment, on: 'tracker', tells: 'deletion' },
      whole,
      'acme/widget#5 -> bug 12  report a deleted comment',
    ],
    ['a copy to correct', { ...rewrite, isEdit: false }, whole, 'bug 12 -> acme/widget#5  correct a copy'],
    ['an edited text', rewrite, whole, 'bug 12 -> acme/widget#5  update the copy of an edited text'],
    ['a copy to remove', erase, whole, 'bug 12 -> acme/widget#5  remove a copy (the text has become shorter)'],
    ['a bug to point', point, bugOnly, 'acme/widget -> bug 12  name the issue in the bug'],
    ['values to set', update, whole, 'bug 12 -> acme/widget#5  set title to "One name", set severity to nothing'],
    ['labels to tidy', { ...update, target: {} }, whole, 'bug 12 -> acme/widget#5  correct labels'],
    ['an operation whose link is gone', open, null, 'bug 12 -> GitHub  open an issue "It fails"'],
  ] as const;
  test.each(planned)('%s', (_name, operation, link, words) => {
    expect(sentence(operationInWords(operation, link, 'planned'))).toBe(words);
  });

  const done = [
    ['an opened issue', open, whole, 'bug 12 -> acme/widget#5  created "It fails"'],
    ['a filed bug', file, whole, 'acme/widget#5 -> bug 12  created "It fails"'],
    ['a copied comment', comment, whole, 'bug 12 -> acme/widget#5  comment copied'],
    ['a corrected copy', { ...rewrite, isEdit: false }, whole, 'bug 12 -> acme/widget#5  copy corrected'],
    ['a removed copy', erase, whole, 'bug 12 -> acme/widget#5  copy removed (the text has become shorter)'],
    ['a pointing bug', point, whole, 'acme/widget#5 -> bug 12  the bug names its issue'],
    [
      'a decided conflict, with what lost',
      { ...update, overruled: [conflict] },
      whole,
      'bug 12 -> acme/widget#5  title set to "One name", severity set to nothing (both sides had changed: title was "Other" on GitHub)',
    ],
  ] as const;
  test.each(done)('%s', (_name, operation, link, words) => {
    expect(sentence(operationInWords(operation, link, 'done'))).toBe(words);
  });
});

describe('a line of the ledger in words', () => {
  const line: LedgerLine = {
    at: 0,
    route: 'widget',
    link: whole.id,
    bug: whole.bug,
    issue: whole.issue,
    on: 'github',
    kind: 'update',
    outcome: 'applied',
    detail: {},
  };
  const lines: readonly (readonly [string, Partial<LedgerLine>, string])[] = [
    ['a created issue', { kind: 'create', detail: { made: 'U' } }, 'the issue was opened: U'],
    ['a created bug', { kind: 'create', on: 'tracker', detail: { made: 'U' } }, 'the bug was filed: U'],
    [
      'values that the server changed',
      { kind: 'create', detail: { made: 'U', deviates: ['title', 'severity'] } },
      'the issue was opened: U (the server changed title, severity)',
    ],
    ['a comment', { kind: 'comment', detail: { made: 'U', of: 'V' } }, 'a comment was copied: V to U'],
    ['a pointer', { kind: 'point', on: 'tracker', detail: { names: 'U' } }, 'the bug now names U'],
    [
      'a change, with the values before and after',
      { detail: { before: { status: 'open', keywords: [] }, after: { status: 'completed', keywords: ['a', 'b'] } } },
      'on the issue, status went from open to completed, keywords went from nothing to a, b',
    ],
    [
      "a status, without GitHub's names for it",
      { detail: { before: { status: 'open: status: in progress' }, after: { status: 'not_planned' } } },
      'on the issue, status went from open with label "status: in progress" to not planned',
    ],
    ...(
      [
        ['open', 'open: new', 'the label "new" was added', 'status went from open to "new"'],
        ['open: new', 'open', 'the label "new" was removed', 'status went from "new" to open'],
        ['open: new', 'open: old', 'the label "new" became "old"', 'status went from "new" to "old"'],
        ['open', 'open', 'status stayed open', 'status stayed open'],
        ['open', 'completed', 'status went from open to completed', 'status went from open to completed'],
      ] as const
    ).flatMap(([before, after, onIssue, onBug]): (typeof lines)[number][] => {
      const detail = { before: { status: before }, after: { status: after } };
      return [
        [`an issue that was ${before}, and is ${after}`, { detail }, `on the issue, ${onIssue}`],
        [`a bug that was ${before}, and is ${after}`, { on: 'tracker', detail }, `on the bug, ${onBug}`],
      ];
    }),
    [
      'a title that is like a name of a status',
      { detail: { before: { title: 'not_planned' }, after: { title: 'open:' } } },
      'on the issue, title went from "not_planned" to "open:"',
    ],
    [
      'a status that lost a conflict',
      { detail: { before: {}, after: {}, overruled: [{ field: 'status', lost: 'not_planned' }] } },
      'on the issue, labels were corrected; status not planned lost the conflict',
    ],
    [
      'a status that a person decided',
      { kind: 'conflict', on: null, detail: { field: 'status', keep: 'github', kept: 'not_planned', lost: 'open' } },
      'a person decided: status not planned on GitHub wins over open',
    ],
    [
      'the loser of a conflict',
      { detail: { before: { title: 'A' }, after: { title: 'B' }, overruled: [{ field: 'title', lost: 'A b' }] } },
      'on the issue, title went from "A" to "B"; title "A b" lost the conflict',
    ],
    [
      'what was overwritten in the same moment',
      { detail: { before: {}, after: {}, overwritten: [{ field: 'summary', value: 'X' }] } },
      'on the issue, labels were corrected; summary X, written at the same moment, was overwritten',
    ],
    [
      'something parked',
      { kind: 'comment', outcome: 'parked', detail: { why: 'too long' } },
      'a comment on GitHub was parked: too long',
    ],
    [
      'a parked counterpart',
      { kind: 'create', on: 'tracker', outcome: 'parked', detail: { why: 'no' } },
      'creating the counterpart on the tracker was parked: no',
    ],
    [
      'a doubt settled',
      { kind: 'settle', outcome: 'had arrived', detail: { operation: 'create', why: 'timeout' } },
      'a request in doubt (create) had arrived: timeout',
    ],
    ['a freeze', { kind: 'freeze', on: null, detail: { reason: 'the bug is private' } }, 'frozen: the bug is private'],
    [
      'a thaw',
      { kind: 'thaw', on: null, detail: { reason: 'the bug is private' } },
      'no longer frozen; it had been: the bug is private',
    ],
    ['a burial', { kind: 'bury', on: null, detail: { reason: 'deleted' } }, 'given up for good: deleted'],
    ['a match', { kind: 'bind', on: null }, 'the bug and the issue were linked'],
    ['details of an older program', { kind: 'comment', detail: { made: 7 } }, 'a comment was copied: (not known) to 7'],
  ];
  test.each(lines)('%s', (_name, change, words) => {
    expect(ledgerInWords({ ...line, ...change })).toBe(words);
  });
});

describe('small words', () => {
  test.each([
    ['open', 'open'],
    ['two words', '"two words"'],
    [null, 'nothing'],
    [undefined, 'nothing'],
    ['', 'nothing'],
    [[], 'nothing'],
    [['a', 'b c'], 'a, "b c"'],
  ])('of the value %j', (value, words) => {
    expect(valueInWords(value)).toBe(words);
  });

  test('of a conflict, with both values', () => {
    expect(conflictInWords(conflict)).toBe(
      'title is "One name" on the tracker and "Other" on GitHub; the tracker wins',
    );
    expect(conflictInWords({ ...conflict, kept: null, decided: 'github' })).toContain('a person chose GitHub');
  });

  test('of links and times', () => {
    expect(linkInWords(whole)).toBe('bug 12 = acme/widget#5');
    expect(linkInWords(issueOnly)).toBe('acme/widget#5');
    expect(timeInWords(Date.UTC(2026, 8, 23, 8, 50, 12))).toBe('2026-09-23 08:50:12 UTC');
  });

  test.each([
    ['It always crashes.', 'It never crashes.', ['It ', 'always', 'never', ' crashes.']],
    ['major', 'critical', null],
    ['Crash on opening', 'Crash on open', ['Crash on ', 'opening', 'open', '']],
    ['the the end', 'the end', ['the ', 'the ', '', 'end']],
    ['One line\nand two', 'One line\nand three', ['One line\nand ', 'two', 'three', '']],
  ])('of %j and %j: what differs are whole words', (one, other, expected) => {
    const parts = changedParts(one, other);
    expect(parts && [parts.head, ...parts.middles, parts.tail]).toEqual(expected);
  });
});

test('a large number is written as the language writes it', () => {
  const numbers = [0, 7, 999, 1_000, 1_001, 10_020, 100_300, 999_999, 1_000_000, 1_002_003_040, 123_456_789];
  expect(numbers.map(numberInWords)).toEqual(numbers.map((each) => each.toLocaleString('en')));
});

test('items are named in the order of their numbers, and the others counted', () => {
  const names = ['acme/widget#10', 'acme/widget#2', 'acme/widget#2', 'acme/widget#1'];
  expect(namesInWords(names, 2)).toBe('acme/widget#1, acme/widget#2, and 1 more');
  expect(namesInWords(names, 3)).toBe('acme/widget#1, acme/widget#2, acme/widget#10');
});
