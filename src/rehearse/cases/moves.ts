import type { Made } from '../../model/rehearsal.ts';
import { type Case, type Family, type Observation, untried } from '../case.ts';
import type { Answer } from '../port.ts';
import type { Scratch } from '../scratch.ts';
import { madeLabel, madeMilestone, minimizing, unminimizing } from './made.ts';

/** A change of an issue, prepared before its time is read. Null if there is nothing to change with. */
type Prepare = (scratch: Scratch, subject: Made) => Promise<(() => Promise<Answer>) | null>;

interface Move {
  readonly id: string;
  readonly what: string;
  readonly expects: 'moves' | 'stays';
  readonly means?: string;
  readonly needs?: Case['needs'];
  readonly prepare: Prepare;
}

const sweepMeans = 'Such changes are found by the sweep only: set schedule.sweep to how long you can wait for them.';
const costMeans = 'Each such change costs bugferry one more read of the issue, and nothing else.';

const onIssue = ({ id, what, expects, means, needs, prepare }: Move): Case => ({
  id,
  assumes: `${what} ${expects === 'moves' ? 'moves' : 'does not move'} updated_at of the issue.`,
  usedIn: ['github/reading/changes.ts'],
  expects,
  means: means ?? (expects === 'moves' ? sweepMeans : costMeans),
  ...(needs === undefined ? {} : { needs }),
  async observe(scratch): Promise<Observation> {
    const subject = await scratch.issue('subject');
    const change = await prepare(scratch, subject);
    return change === null ? untried('nothing to change with') : scratch.movement(`/issues/${subject.issue}`, change);
  },
});

const moving: readonly Move[] = [
  {
    id: 'title-moves',
    what: 'A new title',
    expects: 'moves',
    prepare:
      async ({ patch, title, fresh }, { issue }) =>
      () =>
        patch(`/issues/${issue}`, { title: title(fresh('title')) }),
  },
  {
    id: 'body-moves',
    what: 'A new body',
    expects: 'moves',
    prepare:
      async ({ patch, fresh }, { issue }) =>
      () =>
        patch(`/issues/${issue}`, { body: fresh('body') }),
  },
  {
    id: 'same-title-stays',
    what: 'A request that changes nothing',
    expects: 'stays',
    async prepare({ patch, title, fresh }, { issue }) {
      const same = title(fresh('title'));
      await patch(`/issues/${issue}`, { title: same });
      return () => patch(`/issues/${issue}`, { title: same });
    },
  },
  {
    id: 'comment-moves',
    what: 'A new comment',
    expects: 'moves',
    prepare:
      async ({ post, fresh }, { issue }) =>
      () =>
        post(`/issues/${issue}/comments`, { body: fresh('comment') }),
  },
  {
    id: 'comment-edit-moves',
    what: 'An edited comment',
    expects: 'moves',
    means: 'The list of comments still shows the edit, so nothing is missed; see comment-edit-moves-comment.',
    async prepare({ comment, patch, fresh }) {
      const { id } = await comment('first');
      return () => patch(`/issues/comments/${id}`, { body: fresh('comment') });
    },
  },
  {
    id: 'comment-deletion-stays',
    what: 'A deleted comment',
    expects: 'stays',
    means: 'bugferry notices deleted comments sooner than by the sweep, at the cost of one read of the issue.',
    async prepare({ newComment, del }, { issue }) {
      const { id } = await newComment(issue);
      return () => del(`/issues/comments/${id}`);
    },
  },
  {
    id: 'label-moves',
    what: 'A new label on an issue',
    expects: 'moves',
    async prepare(scratch, { issue }) {
      const name = await madeLabel(scratch);
      return () => scratch.post(`/issues/${issue}/labels`, { labels: [name] });
    },
  },
  {
    id: 'unlabel-moves',
    what: 'A removed label',
    expects: 'moves',
    async prepare(scratch, { issue }) {
      const name = await madeLabel(scratch);
      await scratch.post(`/issues/${issue}/labels`, { labels: [name] });
      return () => scratch.del(`/issues/${issue}/labels/${encodeURIComponent(name)}`);
    },
  },
  {
    id: 'label-rename-stays',
    what: 'The new name of a label',
    expects: 'stays',
    means:
      'bugferry notices renamed labels with the next poll instead of the next sweep, and reads every issue that has one.',
    async prepare(scratch, { issue }) {
      const name = await madeLabel(scratch);
      await scratch.post(`/issues/${issue}/labels`, { labels: [name] });
      return () => scratch.patch(`/labels/${encodeURIComponent(name)}`, { new_name: scratch.fresh('label') });
    },
  },
  {
    id: 'label-deletion-stays',
    what: 'A label that is deleted from the repository',
    expects: 'stays',
    means:
      'bugferry notices deleted labels with the next poll instead of the next sweep, and reads every issue that had one.',
    async prepare(scratch, { issue }) {
      const name = await madeLabel(scratch);
      await scratch.post(`/issues/${issue}/labels`, { labels: [name] });
      return () => scratch.del(`/labels/${encodeURIComponent(name)}`);
    },
  },
  {
    id: 'milestone-moves',
    what: 'A milestone',
    expects: 'moves',
    async prepare(scratch, { issue }) {
      const milestone = await madeMilestone(scratch);
      return () => scratch.patch(`/issues/${issue}`, { milestone });
    },
  },
  {
    id: 'milestone-rename-stays',
    what: 'The new title of a milestone',
    expects: 'stays',
    means:
      'bugferry notices renamed milestones with the next poll instead of the next sweep, and reads every issue that has one.',
    async prepare(scratch, { issue }) {
      const milestone = await madeMilestone(scratch);
      await scratch.patch(`/issues/${issue}`, { milestone });
      return () => scratch.patch(`/milestones/${milestone}`, { title: scratch.fresh('milestone') });
    },
  },
  {
    id: 'close-moves',
    what: 'Closing',
    expects: 'moves',
    async prepare({ patch }, { issue }) {
      await patch(`/issues/${issue}`, { state: 'open' });
      return () => patch(`/issues/${issue}`, { state: 'closed' });
    },
  },
  {
    id: 'reopen-moves',
    what: 'Reopening',
    expects: 'moves',
    async prepare({ patch }, { issue }) {
      await patch(`/issues/${issue}`, { state: 'closed' });
      return () => patch(`/issues/${issue}`, { state: 'open' });
    },
  },
  {
    id: 'lock-moves',
    what: 'Locking',
    expects: 'moves',
    means: 'bugferry learns of locks by the sweep only; until then, comments may be refused and wait.',
    async prepare({ put, del }, { issue }) {
      await del(`/issues/${issue}/lock`);
      return () => put(`/issues/${issue}/lock`);
    },
  },
  {
    id: 'unlock-moves',
    what: 'Unlocking',
    expects: 'moves',
    async prepare({ put, del }, { issue }) {
      await put(`/issues/${issue}/lock`);
      return () => del(`/issues/${issue}/lock`);
    },
  },
  {
    id: 'assignee-moves',
    what: 'An assignee',
    expects: 'moves',
    async prepare({ patch, home }, { issue }) {
      if (home.login === null) return null;
      await patch(`/issues/${issue}`, { assignees: [] });
      return () => patch(`/issues/${issue}`, { assignees: [home.login] });
    },
  },
  {
    id: 'minimize-stays',
    what: 'A minimized comment',
    expects: 'stays',
    async prepare({ newComment, graphql }, { issue }) {
      const { node } = await newComment(issue);
      return () => graphql(minimizing(node));
    },
  },
  {
    id: 'unminimize-stays',
    what: 'A comment that is shown again',
    expects: 'stays',
    async prepare({ newComment, graphql }, { issue }) {
      const { node } = await newComment(issue);
      await graphql(minimizing(node));
      return () => graphql(unminimizing(node));
    },
  },
  {
    id: 'type-moves',
    what: 'A type',
    expects: 'moves',
    needs: ['types'],
    async prepare({ patch, home }, { issue }) {
      await patch(`/issues/${issue}`, { type: null });
      return () => patch(`/issues/${issue}`, { type: home.types[0] });
    },
  },
  {
    id: 'field-moves',
    what: 'The value of a field',
    expects: 'moves',
    needs: ['fields'],
    async prepare({ post, del, home }, { issue }) {
      const field = home.fields.find(({ option }) => option !== null);
      if (field === undefined) return null;
      await del(`/issues/${issue}/issue-field-values/${field.id}`);
      return () =>
        post(`/issues/${issue}/issue-field-values`, {
          issue_field_values: [{ field_id: field.id, value: field.option }],
        });
    },
  },
  {
    id: 'dependency-moves',
    what: 'A dependency',
    expects: 'moves',
    async prepare({ get, post, newIssue }, { issue }) {
      const path = `/issues/${issue}/dependencies/blocked_by`;
      if ((await get(path)).taken !== 'answered') return null;
      const blocker = await newIssue();
      return () => post(path, { issue_id: blocker.id });
    },
  },
];

/** What moves the time of the last change, by which changes are found. */
export const moves: Family = {
  name: 'moves',
  cases: [
    ...moving.map(onIssue),
    {
      id: 'comment-edit-moves-comment',
      assumes: 'An edit moves updated_at of the comment itself.',
      usedIn: ['github/reading/feed.ts', 'github/reading/changes.ts'],
      expects: 'moves',
      means: sweepMeans,
      async observe(scratch) {
        const { id } = await scratch.comment('first');
        return scratch.movement(`/issues/comments/${id}`, () =>
          scratch.patch(`/issues/comments/${id}`, { body: scratch.fresh('comment') }),
        );
      },
    },
    {
      id: 'minimize-keeps-comment-time',
      assumes: 'A minimized comment keeps its own updated_at.',
      usedIn: ['github/reading/changes.ts'],
      expects: 'stays',
      means: 'bugferry notices what people minimize with the next poll instead of the next sweep.',
      async observe(scratch) {
        const { id, node } = await scratch.newComment((await scratch.issue('subject')).issue);
        return scratch.movement(`/issues/comments/${id}`, () => scratch.graphql(minimizing(node)));
      },
    },
  ],
};
