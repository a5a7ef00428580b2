/** What the first route of the tests cannot show: names with capitals, two components, a keyword, and a label. */

import { describe, expect, test } from 'vitest';
import type { Bug, Issue } from '../../src/model/item.ts';
import type { CommentLink } from '../../src/model/link.ts';
import { issueNumberIn } from '../../src/model/named.ts';
import type { UpdateOperation } from '../../src/model/plan/operation.ts';
import { issueFields } from '../../src/rules/fields/comparable.ts';
import { issueSteps } from '../../src/rules/fields/plan.ts';
import { duplicateNamed } from '../../src/rules/fields/relations.ts';
import { claimOf, whyNotSelected } from '../../src/rules/links/match.ts';
import { gadgetRoute } from '../support/routes.ts';
import { aBug, aCommentLink, anIssue, onGithub, ours } from './samples.ts';
import { known, us, workflow } from './world.ts';

const taken: Bug = { ...aBug, product: 'Gadget', keywords: ['mirror'] };

describe('a bug is selected', () => {
  test.each<[string, Partial<Bug>, string | null]>([
    ['in its first component', {}, null],
    ['in its second component', { values: { component: 'Web UI' } }, null],
    ['but not in a third', { values: { component: 'Docs' } }, 'component Docs'],
    ['but not in the component in other letters', { values: { component: 'core' } }, 'component core'],
    ['but not without a component', { values: {} }, 'component'],
    ['with the keyword in other letters, among others', { keywords: ['crash', 'MIRROR'] }, null],
    ['but not without the keyword', { keywords: ['crash'] }, 'the keyword Mirror'],
    ['but not of another product', { product: 'Widget' }, 'product Gadget'],
    ['but not if it is private', { isPrivate: true }, 'private'],
  ])('%s', (_what, change, why) => {
    expect(whyNotSelected(gadgetRoute, { ...taken, ...change })).toEqual(why && expect.stringContaining(why));
  });
});

describe('an issue is selected', () => {
  test.each<[string, readonly string[], boolean]>([
    ['with the label', ['Mirrored'], true],
    ['with the label in other letters, among others', ['bug', 'MIRRORED'], true],
    ['not with a label that only begins like it', ['mirrored?'], false],
    ['not without labels', [], false],
  ])('%s', (_what, labels, isTaken) => {
    expect(whyNotSelected(gadgetRoute, { ...anIssue, labels }) === null).toBe(isTaken);
  });
});

describe('an address of an issue is of this repository, whatever its letters', () => {
  const ourBug: Bug = { ...taken, creator: ours.tracker };
  test.each<[string, number | null]>([
    ['https://github.com/Acme-Labs/Gadget/issues/7', 7],
    ['https://github.com/acme-labs/gadget/issues/7', 7],
    ['https://GitHub.com/ACME-LABS/GADGET/issues/7', 7],
    ['https://github.com/acme-labs/gadgets/issues/7', null],
    ['https://github.com/acme/gadget/issues/7', null],
  ])('%s', (url, number) => {
    expect(issueNumberIn(gadgetRoute, url)).toBe(number);
    const claim = number === null ? null : { ref: number, isOurs: true };
    expect(claimOf(gadgetRoute, { ...ourBug, seeAlso: [url] }, us), 'the claim of a bug that names it').toEqual(claim);
  });
});

describe('the original that people name in a comment', () => {
  const said = (text: string, change = {}): CommentLink =>
    ({ ...aCommentLink, ...onGithub, text, ...change }) as CommentLink;
  test.each<[string, readonly CommentLink[], number | null]>([
    ['by its number', [said('Duplicate of #7')], 7],
    ['by the repository', [said('Duplicate of Acme-Labs/Gadget#7')], 7],
    ['by the repository in small letters', [said('duplicate of acme-labs/gadget#7')], 7],
    ['by its address', [said('Duplicate of https://github.com/ACME-LABS/gadget/issues/7')], 7],
    ['in another repository', [said('Duplicate of acme/gadget#7')], null],
    ['twice: the last one counts', [said('Duplicate of #7'), said('Duplicate of #8')], 8],
    ['and then another one elsewhere', [said('Duplicate of #7'), said('Duplicate of acme/gadget#8')], 7],
    ['in a comment that was deleted', [said('Duplicate of #7', { state: 'gone', reason: 'x', copy: null })], null],
    ['in a comment of the tracker', [{ ...aCommentLink, text: 'Duplicate of #7' }], null],
    ['in a comment whose text is no longer kept', [said('', { text: null })], null],
    ['not at all', [said('See #7')], null],
  ])('%s', (_what, comments, number) => {
    expect(duplicateNamed('Acme-Labs/Gadget', comments)).toBe(number);
  });
});

describe('labels of an issue in other letters', () => {
  const vocabulary = { values: known, workflow };
  const view = (labels: readonly string[], change: Partial<Issue> = {}) =>
    issueFields(gadgetRoute, vocabulary, { ...anIssue, labels, ...change }, {}, {});

  test.each<[string, readonly string[], string]>([
    ['show a status', ['STATUS: In Progress'], 'open: status: in progress'],
    ['show none', ['In Progress'], 'open'],
  ])('%s', (_what, labels, status) => {
    expect(view(labels).fields.status).toBe(status);
  });

  test('show no status on a closed issue, where they have to go', () => {
    const { fields, stray } = view(['STATUS: In Progress'], { state: 'closed', reason: 'completed' });
    expect(fields.status).toBe('completed');
    expect(stray).toEqual(['status: in progress']);
  });

  test.each([
    ['minor', 'major', {}],
    ['major', 'minor', {}],
    ['major', 'minor', { severity: 'normal' }],
    ['minor', 'major', { severity: 'major' }],
  ])('of %s and %s, the one that is neither known nor a copy of the bug counts', (said, copied, past) => {
    const issue = { ...anIssue, labels: ['severity: minor', 'severity: major'] };
    const { fields, stray } = issueFields(gadgetRoute, vocabulary, issue, past, { severity: copied });
    expect([fields.severity, stray]).toEqual([said, [`severity: ${copied}`]]);
    const bug = { ...aBug, values: { ...aBug.values, severity: copied } };
    const tidying = {
      kind: 'update',
      on: 'github',
      target: {},
      source: {},
      replaces: {},
    } as unknown as UpdateOperation;
    expect(issueSteps(gadgetRoute, vocabulary, tidying, { issue, bug, past }, null)).toEqual([
      { labels: { add: [], remove: [`severity: ${copied}`] } },
    ]);
  });

  test('show a field, and the label that the route asks for shows none', () => {
    const { fields, stray } = view(['MIRRORED', 'severity: MAJOR']);
    expect(fields.severity).toBe('major');
    expect(stray).toEqual([]);
  });
});
