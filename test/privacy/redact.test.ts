/** What reports say of a bug that is not public, case by case: numbers, times and our own words, and nothing else. */

import { describe, expect, test } from 'vitest';
import type { AttachmentLink } from '../../src/model/attachment.ts';
import type { Link } from '../../src/model/link.ts';
import type { Operation } from '../../src/model/plan/operation.ts';
import type { Route } from '../../src/model/route.ts';
import type { LedgerLine } from '../../src/model/store.ts';
import { isRedacted, redactedLine, redactedLink } from '../../src/rules/privacy/redact.ts';
import { redactionOf } from '../../src/rules/privacy/redactions.ts';
import { aBug, aFile, aLine, aLink, anIssue } from '../planner/samples.ts';
import { widgetRoute } from '../support/routes.ts';

const checking: Route = { ...widgetRoute, visibilityCheck: 'anonymous' };
const hidden: Link = { ...aLink, tracker: { ...aBug, isPrivate: true } };
const unshown: Link = { ...aLink, visibility: { isShown: false, at: 1, of: '', details: {}, labels: [] } };

describe('reports about a bug are redacted', () => {
  test.each<[string, Route | undefined, Link, boolean]>([
    ['not if it is public', checking, aLink, false],
    ['if it is private', checking, hidden, true],
    ['if the anonymous reader cannot see it', checking, unshown, true],
    ['if it was withdrawn', checking, { ...aLink, isWithdrawn: true }, true],
    ['if it is private, without its route', undefined, hidden, true],
    ['not if the tracker calls it public, without its route', undefined, unshown, false],
    ['not if it is not known, without its route', undefined, { ...aLink, tracker: null }, false],
    ['if it was withdrawn, without its route', undefined, { ...aLink, isWithdrawn: true }, true],
  ])('%s', (_what, route, link, isCovered) => {
    expect(isRedacted(route, link)).toBe(isCovered);
  });

  test('and then the link holds numbers, addresses, times and states only', () => {
    const base = { tracker: { title: 'x' }, github: { title: 'x' } };
    const rich = {
      ...aBug,
      whiteboard: '[tag]',
      customs: { cf_a: 'b' },
      details: { a: ['b'] },
      keywords: ['crash'],
      seeAlso: ['https://example.test/1'],
    };
    const github = { ...anIssue, labels: ['a'], assignees: ['mona'], milestone: '2.0', type: 'Bug', blockedBy: [] };
    const covered = redactedLink({ ...unshown, base, tracker: rich, github });
    const nobody = { login: '(not public)', name: '(not public)' };
    const { blockedBy: _blockedBy, type: _type, ...issue } = github;
    expect(covered).toEqual({
      ...aLink,
      base: null,
      visibility: null,
      tracker: {
        ...{ kind: 'bug', id: 12, url: aBug.url, product: '(not public)', summary: 'Bug 12 is not public' },
        ...{ status: '', resolution: '', dupeOf: null, values: {}, keywords: [], assignee: null, milestone: null },
        ...{ seeAlso: [], isPrivate: false, creator: nobody, createdAt: 1000, changedAt: 2000 },
      },
      github: {
        ...{
          ...issue,
          title: 'Bug 12 is not public',
          body: '(not public)',
          labels: [],
          assignees: [],
          milestone: null,
        },
      },
    });
    expect(redactedLink({ ...hidden, bug: null, tracker: null, github: null })).toMatchObject({
      tracker: null,
      github: null,
    });
    expect(redactedLink({ ...hidden, bug: null }).github?.title).toBe('Bug 0 is not public');
  });
});

describe('a line of the ledger', () => {
  test.each(['act', 'tells', 'field', 'keep', 'operation', 'part', 'reason', 'corrects', 'of', 'made', 'names'])(
    'keeps %s, which the bridge chose',
    (name) => {
      expect(redactedLine(aLine('update', { [name]: 'ours' })).detail).toEqual({ [name]: 'ours' });
    },
  );

  test.each<[string, unknown, unknown]>([
    ['a text', 'Crash', '(not public)'],
    ['a list', ['a', 1, null], ['(not public)', 1, null]],
    ['an object', { a: 'b', field: 'title', n: 2 }, { a: '(not public)', field: 'title', n: 2 }],
    ['a number', 3, 3],
    ['nothing', null, null],
  ])('covers what people wrote: %s', (_what, value, covered) => {
    expect(redactedLine(aLine('update', { words: value })).detail).toEqual({ words: covered });
  });

  test.each(['of', 'made', 'names'])('about a file does not keep %s, an address with the name in it', (name) => {
    expect(redactedLine(aLine('file', { [name]: 'x', act: 'store' })).detail).toEqual({
      [name]: '(not public)',
      act: 'store',
    });
  });

  test.each(['withdraw', 'restore'] as const)('%s says only what was done, and stays', (kind) => {
    expect(redactedLine(aLine(kind, { why: 'private' })).detail).toEqual({ why: 'private' });
  });
});

describe('of the state', () => {
  const file: AttachmentLink = { ...aFile, state: 'withdrawn', copy: null };
  const redaction = (link: Link | null, files: readonly AttachmentLink[] = []) =>
    redactionOf({ links: { byId: () => link }, attachmentLinks: { ofLink: () => files } } as never, [
      { ...checking, name: 'gadget', direction: 'to-tracker' },
      checking,
    ]);
  const update = aLine('update', { words: 'x' });
  const copyOf = (name: string): LedgerLine => aLine('file', { name });
  const store = (name: string) =>
    ({ kind: 'file', on: 'github', act: 'store', link: aLink.id, name, path: name }) as unknown as Operation;

  test('a public bug passes unchanged, and one that is gone', () => {
    for (const link of [aLink, null]) {
      const { isHidden, line: lineOf, operation } = redaction(link);
      expect(isHidden(aLink.id)).toBe(false);
      expect([lineOf(update), lineOf(copyOf('a.log')), operation(store('a.log'))]).toEqual([
        update,
        copyOf('a.log'),
        store('a.log'),
      ]);
    }
    expect(redaction(aLink).link(aLink)).toBe(aLink);
  });

  test('a hidden bug is covered: its link, its lines and its operations', () => {
    const covered = redaction(unshown);
    expect(covered.isHidden(aLink.id), 'its own route says so').toBe(true);
    expect(covered.link(unshown)).toEqual(redactedLink(unshown));
    expect(covered.line(update).detail).toEqual({ words: '(not public)' });
    expect(covered.operation(store('a.log'))).toMatchObject({ name: '(not public)', path: '(not public)' });
  });

  test('of a public bug with a hidden file, what names that file is covered, and nothing else', () => {
    const other = { ...aFile, name: 'b.log' };
    const covered = redaction(aLink, [other, file]);
    expect(covered.line(copyOf('a.log')).detail).toEqual({ name: '(not public)' });
    expect(covered.line(copyOf('b.log'))).toEqual(copyOf('b.log'));
    expect(covered.line(aLine('update', { name: 'a.log' })).detail).toEqual({ name: 'a.log' });
    expect(covered.operation(store('a.log'))).toMatchObject({ name: '(not public)' });
    expect(covered.operation(store('b.log'))).toEqual(store('b.log'));
  });
});
