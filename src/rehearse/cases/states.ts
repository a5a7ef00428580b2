import type { Made } from '../../model/rehearsal.ts';
import { type Family, type Observation, untried } from '../case.ts';
import type { Answer } from '../port.ts';
import { outcomeOf, type Scratch } from '../scratch.ts';
import { numberAt, rowsOf, textAt, valueAt } from '../value.ts';

const stateMeans = 'States of issues are set or read wrongly: report this before you use the server.';

const stateOf = ({ data }: Answer): string =>
  `${textAt(data, 'state')}, ${textAt(data, 'state_reason') || 'no reason'}`;

/** Closes an open issue with this body, and says what the issue shows. */
async function closedAs(
  { patch, newIssue, get, settle }: Scratch,
  body: Readonly<Record<string, unknown>>,
): Promise<Observation> {
  const { issue } = await newIssue();
  const answer = await patch(`/issues/${issue}`, { state: 'closed', ...body });
  if (answer.taken !== 'answered') return outcomeOf(answer);
  await settle();
  return stateOf(await get(`/issues/${issue}`));
}

const blockersOf = (issue: number): string => `/issues/${issue}/dependencies/blocked_by`;

/** The answer to the last request about the blockers of an issue, in words. */
async function dependent(
  { get, issue }: Scratch,
  act: (path: string, blocker: Made, blocked: Made) => Promise<Answer>,
): Promise<Observation> {
  const [blocked, blocker] = [await issue('blocked'), await issue('blocking')];
  const path = blockersOf(blocked.issue);
  if ((await get(path)).taken === 'missing') return untried('the server has no dependencies');
  return outcomeOf(await act(path, blocker, blocked));
}

/** States, their reasons, duplicates, locks and dependencies. */
export const states: Family = {
  name: 'states',
  cases: [
    {
      id: 'close-completed',
      assumes: 'An issue that is closed without a reason is completed.',
      usedIn: ['github/map.ts'],
      expects: 'closed, completed',
      fits: /^closed, (?:completed|no reason)$/u,
      means: stateMeans,
      observe: (scratch) => closedAs(scratch, {}),
    },
    {
      id: 'close-not-planned',
      assumes: 'An issue can be closed as not planned.',
      usedIn: ['github/writing/update.ts', 'github/map.ts'],
      expects: 'closed, not_planned',
      means: stateMeans,
      observe: (scratch) => closedAs(scratch, { state_reason: 'not_planned' }),
    },
    {
      id: 'close-duplicate',
      assumes: 'An issue can be closed as the duplicate of another, named by its database id.',
      usedIn: ['github/writing/update.ts', 'github/map.ts'],
      expects: 'closed, duplicate',
      means: 'Duplicates are closed as not planned, and do not name the other issue.',
      observe: async (scratch) =>
        closedAs(scratch, { state_reason: 'duplicate', duplicate_issue_id: (await scratch.issue('subject')).id }),
    },
    {
      id: 'duplicate-unknown',
      assumes: 'The duplicate of an issue that does not exist is refused in words about duplicates.',
      usedIn: ['github/writing/refused-part.ts', 'github/writing/write.ts'],
      expects: '422 about duplicate',
      fits: /^422 about [^:]*duplicate/u,
      means: 'A duplicate of an issue that is gone is parked instead of closed: report the words.',
      observe: (scratch) => closedAs(scratch, { state_reason: 'duplicate', duplicate_issue_id: 999_999_999_999 }),
    },
    {
      id: 'reason-needs-change',
      assumes: 'The reason of a closed issue stays as it is until its state changes.',
      usedIn: ['github/writing/update.ts'],
      expects: 'closed, not_planned',
      means: 'Nothing for you: bugferry reads the answer, and can change reasons in one request here.',
      async observe({ patch, newIssue, get, settle }) {
        const { issue } = await newIssue();
        await patch(`/issues/${issue}`, { state: 'closed', state_reason: 'not_planned' });
        const answer = await patch(`/issues/${issue}`, { state_reason: 'completed' });
        if (answer.taken !== 'answered') return outcomeOf(answer);
        await settle();
        return stateOf(await get(`/issues/${issue}`));
      },
    },
    {
      id: 'reopen',
      assumes: 'A closed issue can be opened again.',
      usedIn: ['github/writing/update.ts'],
      expects: 'open',
      means: stateMeans,
      async observe({ patch, newIssue }) {
        const { issue } = await newIssue();
        await patch(`/issues/${issue}`, { state: 'closed' });
        const answer = await patch(`/issues/${issue}`, { state: 'open' });
        return answer.taken === 'answered' ? textAt(answer.data, 'state') : outcomeOf(answer);
      },
    },
    {
      id: 'lock',
      assumes: 'An issue can be locked and unlocked, and shows it.',
      usedIn: ['github/writing/lock.ts', 'github/map.ts'],
      expects: 'locked, then unlocked',
      means: 'Locked bugs stay open for comments on GitHub, or the reverse.',
      async observe({ put, del, get, newIssue, settle }) {
        const { issue } = await newIssue();
        const locked = await put(`/issues/${issue}/lock`);
        if (locked.taken !== 'answered') return outcomeOf(locked);
        await settle();
        const one = valueAt((await get(`/issues/${issue}`)).data, 'locked');
        await del(`/issues/${issue}/lock`);
        await settle();
        const other = valueAt((await get(`/issues/${issue}`)).data, 'locked');
        return one === true && other === false ? 'locked, then unlocked' : `${String(one)}, then ${String(other)}`;
      },
    },
    {
      id: 'lock-twice',
      assumes: 'Locking a locked issue is no failure.',
      usedIn: ['github/writing/lock.ts'],
      expects: 'accepted',
      means: 'After a lost answer, the operation is parked; bugferry retry does not help.',
      async observe({ put, newIssue }) {
        const { issue } = await newIssue();
        await put(`/issues/${issue}/lock`);
        return outcomeOf(await put(`/issues/${issue}/lock`));
      },
    },
    {
      id: 'comment-on-locked',
      assumes: 'An account that may push can comment on a locked issue.',
      usedIn: ['github/writing/write.ts'],
      expects: 'accepted',
      means: 'Comments on locked bugs are parked until the issue is unlocked.',
      async observe({ put, post, newIssue, fresh }) {
        const { issue } = await newIssue();
        await put(`/issues/${issue}/lock`);
        return outcomeOf(await post(`/issues/${issue}/comments`, { body: fresh('comment') }));
      },
    },
    {
      id: 'dependency-set',
      assumes: 'An issue can be blocked by another, named by its database id, and lists it.',
      usedIn: ['github/reading/dependencies.ts'],
      expects: 'listed',
      means: 'Dependencies do not cross: set dependencies: false in the route.',
      async observe({ get, post, newIssue, issue, settle }) {
        const path = `/issues/${(await newIssue()).issue}/dependencies/blocked_by`;
        if ((await get(path)).taken === 'missing') return untried('the server has no dependencies');
        const blocker = await issue('subject');
        const answer = await post(path, { issue_id: blocker.id });
        if (answer.taken !== 'answered') return outcomeOf(answer);
        await settle();
        const rows = rowsOf((await get(path)).data);
        return rows.some((row) => numberAt(row, 'id') === blocker.id && numberAt(row, 'number') === blocker.issue)
          ? 'listed'
          : 'not listed';
      },
    },
    {
      id: 'dependency-counted',
      assumes: 'An issue shows how many others block it.',
      usedIn: ['github/map.ts', 'github/reading/dependencies.ts'],
      expects: '0, then 1',
      means: 'bugferry takes the server for one without dependencies; they do not cross.',
      async observe({ get, post, newIssue, issue, settle }) {
        const { issue: number } = await newIssue();
        const path = `/issues/${number}/dependencies/blocked_by`;
        if ((await get(path)).taken === 'missing') return untried('the server has no dependencies');
        const count = async () =>
          String(valueAt((await get(`/issues/${number}`)).data, 'issue_dependencies_summary.total_blocked_by'));
        const before = await count();
        await post(path, { issue_id: (await issue('subject')).id });
        await settle();
        return `${before}, then ${await count()}`;
      },
    },
    {
      id: 'dependency-removed',
      assumes: 'A dependency can be removed.',
      usedIn: ['github/reading/dependencies.ts'],
      expects: 'removed',
      means: 'Dependencies that the tracker no longer has stay on GitHub.',
      async observe({ get, post, del, newIssue, issue, settle }) {
        const path = `/issues/${(await newIssue()).issue}/dependencies/blocked_by`;
        if ((await get(path)).taken === 'missing') return untried('the server has no dependencies');
        const blocker = await issue('subject');
        await post(path, { issue_id: blocker.id });
        const answer = await del(`${path}/${blocker.id}`);
        if (answer.taken !== 'answered') return outcomeOf(answer);
        await settle();
        return rowsOf((await get(path)).data).length === 0 ? 'removed' : 'still listed';
      },
    },
    {
      id: 'dependency-unknown',
      assumes: 'A dependency on an issue that does not exist is refused.',
      usedIn: ['github/reading/dependencies.ts'],
      expects: 'refused',
      fits: /^(?:refused|missing)$/u,
      means: 'bugferry repeats such a request for two hours before it parks it.',
      async observe({ get, post, issue }) {
        const path = `/issues/${(await issue('subject')).issue}/dependencies/blocked_by`;
        if ((await get(path)).taken === 'missing') return untried('the server has no dependencies');
        return (await post(path, { issue_id: 999_999_999_999 })).taken;
      },
    },
    {
      id: 'dependency-twice',
      assumes: 'A dependency that is there already is refused.',
      usedIn: ['github/reading/dependencies.ts'],
      expects: '422 or accepted',
      fits: /^(?:422|accepted)/u,
      means: 'bugferry repeats such a request for two hours before it parks it.',
      observe: (scratch) =>
        dependent(scratch, async (path, { id }) => {
          await scratch.post(path, { issue_id: id });
          return scratch.post(path, { issue_id: id });
        }),
    },
    {
      id: 'dependency-circle',
      assumes: 'Two issues cannot block each other.',
      usedIn: ['github/reading/dependencies.ts'],
      expects: '422 with a reason',
      fits: /^422/u,
      means: 'A circle of bugs becomes a circle of issues, or bugferry repeats the request for two hours.',
      observe: (scratch) =>
        dependent(scratch, async (path, blocker, { id }) => {
          await scratch.post(path, { issue_id: blocker.id });
          return scratch.post(blockersOf(blocker.issue), { issue_id: id });
        }),
    },
  ],
};
