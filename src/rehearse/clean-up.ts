import type { Progress } from '../model/rehearsal.ts';
import { deletion } from './cases/gone.ts';
import { hookAddress } from './cases/webhooks.ts';
import { isPull } from './home.ts';
import type { Answer } from './port.ts';
import type { Scratch } from './scratch.ts';
import { Unanswered } from './sending.ts';
import { numberAt, rowsOf, textAt } from './value.ts';

/** The beginning of all names that a rehearsal creates, except those of issues. */
const namesStart = 'rehearsal';
const pagesMax = 30;

/**
 * Removes everything that rehearsals made in this repository, and lists the rest. Issues are deleted if our rights
 * allow it, and closed otherwise.
 */
export async function cleanUp(scratch: Scratch, { branches }: Pick<Progress, 'branches'>): Promise<readonly string[]> {
  const { del } = scratch;
  const labels = await deleted(await ours(scratch, '/labels', 'name'), (row) =>
    del(`/labels/${encodeURIComponent(textAt(row, 'name'))}`),
  );
  const milestones = await deleted(await ours(scratch, '/milestones?state=all', 'title'), (row) =>
    del(`/milestones/${numberAt(row, 'number')}`),
  );
  const releases = await deleted(await ours(scratch, '/releases', 'tag_name'), async (row) => {
    const answer = await del(`/releases/${numberAt(row, 'id')}`);
    await isDone(() => del(`/git/refs/tags/${textAt(row, 'tag_name')}`));
    return answer;
  });
  // A branch that is already gone is refused, too.
  for (const name of branches) await isDone(() => del(`/git/refs/heads/${name}`));
  const hooks = await deleted(
    (await all(scratch, '/hooks')).filter((row) => textAt(row, 'config.url') === hookAddress),
    (row) => del(`/hooks/${numberAt(row, 'id')}`),
  );
  const { path, second } = scratch.home;
  const made = await all(scratch, '/issues?state=all');
  const pulls = made.filter(isPull);
  // Only a pull request that could not be merged is still open.
  for (const row of pulls.filter((each) => textAt(each, 'state') === 'open'))
    await isDone(() => scratch.patch(`/issues/${numberAt(row, 'number')}`, { state: 'closed' }));
  const closed = await deleted(
    made.filter((row) => !isPull(row)),
    (row) => withdrawn(scratch, path, row),
  );
  const there =
    second === null
      ? []
      : rowsOf((await scratch.send({ method: 'GET', path: `${second.path}/issues?state=open` })).data);
  const closedThere = await deleted(there, (row) => withdrawn(scratch, second?.path ?? '', row));
  return [
    ...(closed + closedThere === 0
      ? []
      : [`${closed + closedThere} closed issues, as this account may not delete issues`]),
    ...counted(pulls.length, 'closed pull request'),
    ...counted(hooks, 'webhook'),
    ...counted(labels, 'label'),
    ...counted(milestones, 'milestone'),
    ...counted(releases, 'release'),
  ];
}

const counted = (count: number, what: string): readonly string[] =>
  count === 0 ? [] : [`${count} ${what}${count === 1 ? '' : 's'}`];

/** Deletes an issue of a repository, or else closes it. */
async function withdrawn({ graphql, send }: Scratch, path: string, row: unknown): Promise<Answer> {
  const answer = await graphql(deletion(textAt(row, 'node_id')));
  if (answer.taken !== 'answered' && textAt(row, 'state') === 'open')
    await send({
      method: 'PATCH',
      path: `${path}/issues/${numberAt(row, 'number')}`,
      body: { state: 'closed', state_reason: 'not_planned' },
    });
  return answer;
}

/** How many could not be deleted. */
async function deleted(rows: readonly unknown[], act: (row: unknown) => Promise<Answer>): Promise<number> {
  let left = 0;
  for (const row of rows) {
    if (!(await isDone(() => act(row)))) left += 1;
  }
  return left;
}

async function isDone(act: () => Promise<Answer>): Promise<boolean> {
  try {
    const { taken } = await act();
    return taken === 'answered' || taken === 'missing' || taken === 'deleted';
  } catch (error) {
    if (error instanceof Unanswered) return false;
    throw error;
  }
}

async function ours(scratch: Scratch, path: string, name: string): Promise<readonly unknown[]> {
  return (await all(scratch, path)).filter((row) => textAt(row, name).toLowerCase().startsWith(namesStart));
}

async function all({ get }: Scratch, path: string): Promise<readonly unknown[]> {
  const rows: unknown[] = [];
  for (let page = 1; page <= pagesMax; page += 1) {
    const { data } = await get(`${path}${path.includes('?') ? '&' : '?'}per_page=100&page=${page}`);
    const found = rowsOf(data);
    rows.push(...found);
    if (found.length < 100) break;
  }
  return rows;
}
