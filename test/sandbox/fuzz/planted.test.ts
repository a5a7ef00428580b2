import { describe, expect, test } from 'vitest';
import { type Fault, plant } from '../../support/plant.ts';
import { sample } from '../../tiers/depth.ts';
import { fuzz } from './run.ts';
import type { Sources } from './world.ts';

/**
 * Generated requests are worth what they notice: each of these faults in the embedded tracker has to lead to a
 * complaint of its kind.
 */

interface Planted extends Fault {
  readonly name: string;
  readonly complaint: RegExp;
}

const tracker = (file: string): string => `sandbox/tracker/${file}`;

const faults: readonly Planted[] = [
  {
    name: 'a bug is there before its links are checked',
    file: tracker('bugs/file-bug.ts'),
    from: 'state.nextBug++;',
    to: 'state.nextBug++;\n  state.bugs.set(bug.id, bug);',
    complaint: /an error changed .*bugs \d/,
  },
  {
    name: 'of several bugs the first are changed before the last is checked',
    file: tracker('bugs/change-bug.ts'),
    from: 'for (const bug of bugs) changeOne(edit, draftOf(edit, bug.id), named);',
    to: 'for (const bug of bugs) {\n    changeOne(edit, draftOf(edit, bug.id), named);\n    commit(edit);\n  }',
    complaint: /an error changed .*bugs \d|comments of bug|without saying so/,
  },
  {
    name: 'tags are stored before they are checked',
    file: tracker('comments/tags.ts'),
    from: 'let tags = comment.tags;',
    to: 'let tags = comment.tags;\n  store(state, comment, add);',
    complaint: /an error changed .*comments \d/,
  },
  {
    name: 'a bug is changed in its place',
    file: tracker('bugs/edit.ts'),
    from: 'const draft: Draft = { ...bug };',
    to: 'const draft: Draft = bug;',
    complaint: /a crash inside/,
  },
  {
    name: 'a search leaves a trace',
    file: tracker('search/search.ts'),
    from: 'const scope = searchScope(state, viewer);',
    to: 'const scope = searchScope(state, viewer);\n  state.auditedAt += 1000;',
    complaint: /a read changed auditedAt/,
  },
  {
    name: 'an update does not tell of the whiteboard',
    file: tracker('bugs/bug-differences.ts'),
    from: "  'whiteboard',\n",
    to: '',
    complaint: /its whiteboard without saying so/,
  },
  {
    name: 'a comment is written to another bug too',
    file: tracker('comments/comments.ts'),
    from: 'return commit(edit).comments[0] ?? 0;',
    to: "addComment(edit, 1, 'again', false);\n  return commit(edit).comments[0] ?? 0;",
    complaint: /bugs 1 changed, but the answer names/,
  },
  {
    name: 'null is no text',
    file: tracker('server/request.ts'),
    from: "value === undefined || typeof value === 'object' ? '' : String(value)",
    to: '(value as string).toString()',
    complaint: /a crash inside/,
  },
  {
    name: 'private comments are listed for all',
    file: tracker('comments/comments.ts'),
    from: '.filter((comment) => !comment.isPrivate || isInsider(state, viewer))',
    to: '',
    complaint: /shows hushcomment/,
  },
  {
    name: 'private comments are shown by their id',
    file: tracker('comments/comments.ts'),
    from: 'if (comment.isPrivate && !isInsider(state, viewer)) throw new TrackerError(110,',
    to: 'if (comment.id < 0) throw new TrackerError(110,',
    complaint: /shows hushcomment/,
  },
  {
    name: 'private attachments are listed for all',
    file: tracker('attachments/attachments.ts'),
    from: '.filter((attachment) => !attachment.isPrivate ||',
    to: '.filter((attachment) => true ||',
    complaint: /shows hushattachment/,
  },
  {
    name: 'a search finds hidden bugs',
    file: tracker('search/search.ts'),
    from: 'maySee(viewer, bug) && maySee(',
    to: 'bug.id > 0 || maySee(',
    complaint: /shows hush\w+bug/,
  },
  {
    name: 'a hidden bug is refused by telling what it is about',
    file: tracker('bugs/bugs.ts'),
    from: 'throw bugHidden(bug.id, viewer === null)',
    to: 'throw notABug(bug.summary)',
    complaint: /shows hush\w+bug/,
  },
  {
    name: 'people are told of bugs that they may not see',
    file: tracker('bugs/events.ts'),
    from: 'person.disabledText === null && maySee(person, bug)',
    to: 'person.disabledText === null',
    complaint: /told .* of bug/,
  },
  {
    name: 'pages contain what callers wrote',
    file: tracker('server/negotiation.ts'),
    from: ".replaceAll('<', '&lt;')",
    to: '',
    complaint: /markup of the caller/,
  },
  {
    name: 'a missing bug counts as a fault of the server',
    file: tracker('server/errors.ts'),
    from: 'new TrackerError(101, 404,',
    to: 'new TrackerError(101, 500,',
    complaint: /the status 500/,
  },
];

const runsMax = 120;

describe('generated requests notice that', () => {
  test.each(sample(faults))('$name', async ({ name: _name, complaint, ...fault }) => {
    const folder = plant(fault);
    const { createTrackerWorld }: Sources = await import(`${folder}/sandbox/tracker/world/world.ts`);
    const { trackerServer }: Sources = await import(`${folder}/sandbox/tracker/server/server.ts`);
    const complaints: string[] = [];
    for (let seed = 1; seed <= runsMax && !complaints.some((line) => complaint.test(line)); seed += 1) {
      complaints.push(...(await fuzz({ createTrackerWorld, trackerServer }, seed, 250)).complaints);
    }
    expect(complaints.filter((line) => complaint.test(line))).not.toEqual([]);
  });
});
