import { afterEach, describe, expect, test } from 'vitest';
import { type Fault, plant } from '../support/plant.ts';
import { sample } from '../tiers/depth.ts';
import { type Setup, setUp } from './setup.ts';
import { cases } from './suite.ts';

/**
 * The suite is worth what it notices: each of these faults in the embedded tracker has to make a case of its section
 * differ.
 */

interface Planted extends Fault {
  readonly name: string;
  readonly section: string;
}

const tracker = (file: string): string => `sandbox/tracker/${file}`;

const faults: readonly Planted[] = [
  {
    name: 'a bug can be filed in any status',
    section: '3',
    file: tracker('installation/workflow.ts'),
    from: 'if (available.includes(status)) return status;',
    to: 'return status;',
  },
  {
    name: 'a set alias leaves the others',
    section: '4.5',
    file: tracker('bugs/change-lists.ts'),
    from: 'change.set === null ? change.remove : bug.alias.filter((alias) => !change.set?.includes(alias))',
    to: 'change.remove',
  },
  {
    name: 'several bugs get one alias',
    section: '4.5',
    file: tracker('bugs/change-bug.ts'),
    from: 'if (bugs.length > 1) refuseForSeveral(named);',
    to: '',
  },
  {
    name: 'unknown groups are passed over',
    section: '4.5',
    file: tracker('bugs/change-lists.ts'),
    from: 'throw groupRefused(product, bug.id, name);',
    to: 'continue;',
  },
  {
    name: 'a duplicate does not say so',
    section: '3',
    file: tracker('bugs/duplicate.ts'),
    from: 'text, isPrivate',
    to: "text: '', isPrivate",
  },
  {
    name: 'a dependency has one end',
    section: '2.1',
    file: tracker('bugs/relations.ts'),
    from: 'other[far] = sorted([...other[far], bug.id]);',
    to: '',
  },
  {
    name: 'work leaves the remaining hours',
    section: '4.5',
    file: tracker('bugs/hours.ts'),
    from: 'Math.max(keptHours(bug.hours.remaining - hours), 0)',
    to: 'bug.hours.remaining',
  },
  {
    name: 'everybody sees hours',
    section: '1',
    file: tracker('bugs/bugs.ts'),
    from: 'if (isIn(viewer, state.settings.timetrackinggroup)) {',
    to: 'if (viewer !== undefined) {',
  },
  {
    name: 'the update token stays the same',
    section: '2.1',
    file: tracker('bugs/bugs.ts'),
    from: 'updateToken(state, viewer, bug)',
    to: "'1-1'",
  },
  {
    name: 'private attachments are listed for all',
    section: '1',
    file: tracker('attachments/attachments.ts'),
    from: '.filter((attachment) => !attachment.isPrivate ||',
    to: '.filter((attachment) => true ||',
  },
  {
    name: 'a private attachment is refused with another status',
    section: '1',
    file: tracker('attachments/attachments.ts'),
    from: 'new TrackerError(304, 401,',
    to: 'new TrackerError(304, 403,',
  },
  {
    name: 'blank comments are taken',
    section: '4.11',
    file: tracker('comments/comments.ts'),
    from: "if (wish.text.trim() === '') throw missingArgument('requires', 'comment');",
    to: '',
  },
  {
    name: 'long tags are taken',
    section: '4.13',
    file: tracker('comments/tags.ts'),
    from: 'if (length > lengthMax)',
    to: 'if (length > lengthMax + 9)',
  },
  {
    name: 'new_since of a history does nothing',
    section: '4.2',
    file: tracker('bugs/history.ts'),
    from: 'row.at > sinceAt',
    to: 'row.at > sinceAt - 60_000',
  },
  {
    name: 'X leaves a flag',
    section: '4.6.2',
    file: tracker('attachments/flag-change.ts'),
    from: "if (status === 'X') return null;",
    to: '',
  },
  {
    name: 'unknown fields of attachments are passed over',
    section: '4.9',
    file: tracker('attachments/change.ts'),
    from: 'if (unknown !== undefined) {',
    to: 'if (unknown === null) {',
  },
  {
    name: 'an offset does nothing',
    section: '4.3',
    file: tracker('search/search.ts'),
    from: '.slice(offset, offset + limit)',
    to: '.slice(0, limit)',
  },
];

let open: Setup | null = null;
afterEach(async () => {
  await open?.close();
  open = null;
});

describe('the suite notices that', () => {
  test.each(sample(faults))('$name', async ({ name: _name, section, ...fault }) => {
    open = await setUp(plant(fault));
    const results = await open.run(
      'alice',
      'bob',
      cases.filter((each) => each.section === section),
    );
    const differing = results.flatMap(({ name, verdict }) => (verdict.kind === 'differs' ? name : []));
    expect(differing).not.toEqual([]);
    // A tracker that fails completely would show nothing.
    expect(results.some(({ verdict }) => verdict.kind === 'passed')).toBe(true);
  });
});
