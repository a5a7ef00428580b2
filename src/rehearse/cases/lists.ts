import type { Family, Observation } from '../case.ts';
import { outcomeOf, type Scratch } from '../scratch.ts';
import { numberAt, rowsOf, textAt, timeAt, valueAt } from '../value.ts';

const newest = '/issues?state=all&sort=updated&direction=desc&per_page=100';
const newestComments = '/issues/comments?sort=updated&direction=desc&per_page=100';

/** The overlap of two polls: what a list shows later is found by the sweep only. */
const overlapMs = 60_000;
const lookMs = 2_000;
/** How long a rehearsal waits for a list before it gives up. */
const patienceMs = 5 * 60_000;

const lagMeans =
  'A poll may miss such a change until the sweep: set schedule.sweep to a few minutes more often, and expect the delay.';

/** How long it takes until a list shows something, in words. */
async function lagOf(
  { get, port, sleep }: Scratch,
  path: string,
  isShown: (rows: readonly unknown[]) => boolean,
): Promise<Observation> {
  const startedAt = port.now();
  for (;;) {
    const { data } = await get(path);
    const lagMs = port.now() - startedAt;
    if (isShown(rowsOf(data)))
      return lagMs <= overlapMs ? 'within a minute' : `after ${Math.round(lagMs / 1000)} seconds`;
    if (lagMs > patienceMs) return `not within ${patienceMs / 60_000} minutes`;
    await sleep(lookMs);
  }
}

function isSorted(rows: readonly unknown[], sign: 1 | -1): boolean {
  return rows.every(
    (row, index) => index === 0 || sign * (timeAt(row, 'updated_at') - timeAt(rows[index - 1], 'updated_at')) >= 0,
  );
}

const stampText = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`;

/** Lists: their order, what they contain, and how soon. */
export const lists: Family = {
  name: 'lists',
  cases: [
    {
      id: 'read-after-creation',
      assumes: 'A new issue can be read by its number at once.',
      usedIn: ['github/reading/made-since.ts', 'github/repository.ts'],
      expects: 'at once',
      means:
        'After a lost answer, bugferry may not find the issue that it made and make a second one: raise limits.settleSeconds.',
      async observe({ newIssue, get }) {
        const { issue } = await newIssue();
        const { taken, status } = await get(`/issues/${issue}`);
        return taken === 'answered' ? 'at once' : String(status);
      },
    },
    {
      id: 'write-after-creation',
      assumes: 'A comment on a new issue is accepted, or refused with words that mean "later".',
      usedIn: ['github/connection/classify-answer.ts'],
      expects: 'accepted or later',
      means:
        'The first comments of a new issue may be parked and overtaken by later ones: run bugferry retry, and report the words.',
      async observe({ newIssue, send, home, fresh }) {
        const { issue } = await newIssue();
        const path = `${home.path}/issues/${issue}/comments`;
        const answer = await send({ method: 'POST', path, body: { body: fresh('comment') } }, true);
        return answer.taken === 'answered' || answer.taken === 'not yet' ? 'accepted or later' : outcomeOf(answer);
      },
    },
    {
      id: 'list-shows-new-issue',
      assumes: 'The list of issues shows a new one within a minute.',
      usedIn: ['github/reading/changes.ts'],
      expects: 'within a minute',
      means: lagMeans,
      async observe(scratch) {
        const { issue } = await scratch.newIssue();
        return lagOf(scratch, newest, (rows) => rows.some((row) => numberAt(row, 'number') === issue));
      },
    },
    {
      id: 'list-shows-edit',
      assumes: 'The list of issues shows an edit within a minute.',
      usedIn: ['github/reading/changes.ts'],
      expects: 'within a minute',
      means: lagMeans,
      async observe(scratch) {
        const { issue } = await scratch.issue('subject');
        const title = scratch.title(scratch.fresh('title'));
        await scratch.patch(`/issues/${issue}`, { title });
        return lagOf(scratch, newest, (rows) => rows.some((row) => textAt(row, 'title') === title));
      },
    },
    {
      id: 'list-shows-comment',
      assumes: 'The list of comments shows a new one within a minute.',
      usedIn: ['github/reading/changes.ts'],
      expects: 'within a minute',
      means: lagMeans,
      async observe(scratch) {
        const { issue } = await scratch.issue('subject');
        const { id } = await scratch.newComment(issue);
        return lagOf(scratch, newestComments, (rows) => rows.some((row) => numberAt(row, 'id') === id));
      },
    },
    {
      id: 'issues-newest-first',
      assumes: 'A list with sort=updated and direction=desc gives the newest change first.',
      usedIn: ['github/reading/feed.ts'],
      expects: 'newest first',
      means: 'Polls miss changes: report this before you use the server.',
      async observe({ get, issue, patch, title, fresh, sleep }) {
        const [one, other] = [await issue('subject'), await issue('other')];
        for (const { issue: number } of [other, one]) {
          await patch(`/issues/${number}`, { title: title(fresh('title')) });
          await sleep(2_000);
        }
        const rows = rowsOf((await get(newest)).data);
        return rows.length > 1 && isSorted(rows, -1) ? 'newest first' : 'in another order';
      },
    },
    {
      id: 'issues-oldest-first',
      assumes: 'A list with sort=updated and direction=asc gives the oldest change first.',
      usedIn: ['github/reading/feed.ts', 'github/reading/list.ts'],
      expects: 'oldest first',
      means: 'A sweep of more than 100 issues may miss some: report this before you use the server.',
      async observe({ get, issue }) {
        await issue('subject');
        await issue('other');
        const rows = rowsOf((await get(newest.replace('desc', 'asc'))).data);
        return rows.length > 1 && isSorted(rows, 1) ? 'oldest first' : 'in another order';
      },
    },
    {
      id: 'comments-newest-first',
      assumes: 'The comments of a repository can be sorted in the same way.',
      usedIn: ['github/reading/feed.ts'],
      expects: 'newest first',
      means: 'Polls miss comments: report this before you use the server.',
      async observe({ get, comment, newComment, issue, sleep }) {
        await comment('first');
        await sleep(2_000);
        const { id } = await newComment((await issue('subject')).issue);
        const rows = rowsOf((await get(newestComments)).data);
        return numberAt(rows[0], 'id') === id && isSorted(rows, -1) ? 'newest first' : 'in another order';
      },
    },
    {
      id: 'thread-order',
      assumes: 'The comments of an issue come in the order of their creation.',
      usedIn: ['github/reading/threads.ts'],
      expects: 'in order',
      means: 'Copies of comments may stand in another order than their originals.',
      async observe({ get, newComment, issue }) {
        const { issue: number } = await issue('subject');
        const made = [await newComment(number), await newComment(number)];
        const ids = rowsOf((await get(`/issues/${number}/comments?per_page=100`)).data).map((row) =>
          numberAt(row, 'id'),
        );
        const places = made.map(({ id }) => ids.indexOf(id));
        const isInOrder = !places.includes(-1) && ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? 0));
        return isInOrder ? 'in order' : `as ${ids.slice(-5).join(', ')}`;
      },
    },
    {
      id: 'since-includes-later',
      assumes: 'A list with since= a second before a change shows the change.',
      usedIn: ['github/reading/list.ts'],
      expects: 'shown',
      means: 'A sweep of more than 100 issues may miss some: report this before you use the server.',
      async observe({ get, issue, settle }) {
        const { issue: number } = await issue('subject');
        const at = timeAt((await get(`/issues/${number}`)).data, 'updated_at');
        await settle();
        const { data } = await get(
          `/issues?state=all&sort=updated&direction=asc&per_page=100&since=${stampText(at - 1000)}`,
        );
        return rowsOf(data).some((row) => numberAt(row, 'number') === number) ? 'shown' : 'not shown';
      },
    },
    {
      id: 'since-leaves-older-out',
      assumes: 'A list with since= after a change does not show it.',
      usedIn: ['github/reading/list.ts', 'github/reading/threads.ts'],
      expects: 'not shown',
      means: 'Sweeps read more than they need, which costs requests and nothing else.',
      async observe({ get, issue, patch, title, fresh, sleep }) {
        const { issue: number } = await issue('subject');
        await patch(`/issues/${number}`, { title: title(fresh('title')) });
        await sleep(2_000);
        const at = timeAt((await get(`/issues/${number}`)).data, 'updated_at');
        const { data, taken } = await get(
          `/issues?state=all&sort=updated&direction=asc&per_page=100&since=${stampText(at + 1000)}`,
        );
        if (taken !== 'answered') return taken;
        return rowsOf(data).some((row) => numberAt(row, 'number') === number) ? 'shown' : 'not shown';
      },
    },
    {
      id: 'closed-only-with-all',
      assumes: 'A list shows closed issues only with state=all.',
      usedIn: ['github/reading/feed.ts'],
      expects: 'only with state=all',
      means: 'Closed issues would be taken for deleted, or read where they are not wanted: report this.',
      async observe({ get, newIssue, patch, settle }) {
        const { issue } = await newIssue();
        await patch(`/issues/${issue}`, { state: 'closed' });
        await settle();
        const has = async (path: string) =>
          rowsOf((await get(path)).data).some((row) => numberAt(row, 'number') === issue);
        const [all, open] = [await has('/issues?state=all&per_page=100'), await has('/issues?per_page=100')];
        return all && !open
          ? 'only with state=all'
          : `${all ? 'shown' : 'not shown'} with it, ${open ? 'shown' : 'not shown'} without`;
      },
    },
    {
      id: 'comment-names-issue',
      assumes: 'A listed comment names its issue by issue_url or html_url.',
      usedIn: ['github/map.ts'],
      expects: 'the number of the issue',
      means: 'Comments cannot be told to their issues and are missed: report this before you use the server.',
      async observe({ get, comment }) {
        const { id, issue } = await comment('first');
        const row = (await get(`/issues/comments/${id}`)).data;
        const number = /\/issues\/(\d+)\/?(?:[?#]|$)/u.exec(textAt(row, 'issue_url') || textAt(row, 'html_url'))?.[1];
        return number === String(issue) ? 'the number of the issue' : `${number ?? 'nothing'}`;
      },
    },
    {
      id: 'issue-counts-comments',
      assumes: 'An issue shows how many comments it has.',
      usedIn: ['github/map.ts'],
      expects: 'one more after a comment',
      means: 'The comments of every changed issue are read, which costs a request for each.',
      async observe({ get, newComment, newIssue, settle }) {
        const { issue } = await newIssue();
        const before = valueAt((await get(`/issues/${issue}`)).data, 'comments');
        await newComment(issue);
        await settle();
        const after = valueAt((await get(`/issues/${issue}`)).data, 'comments');
        return before === 0 && after === 1 ? 'one more after a comment' : `${String(before)}, then ${String(after)}`;
      },
    },
  ],
};
