import type { Answer } from './port.ts';
import type { Scratch } from './scratch.ts';
import { numberAt, rowsOf, textAt } from './value.ts';

/** Names of everything that a rehearsal makes, apart from issues. */
const namesStart = 'rehearsal';
const pagesMax = 30;

/**
 * Takes away what the rehearsals of this repository have made, and says what is left. Issues are deleted if our rights allow it, and closed
 * otherwise.
 */
export async function cleanUp(scratch: Scratch): Promise<readonly string[]> {
  const { del, patch, graphql } = scratch;
  const left: string[] = [];
  const failed = async (answers: AsyncIterable<Answer>): Promise<number> => {
    let count = 0;
    for await (const { taken } of answers) if (!isGone(taken)) count += 1;
    return count;
  };
  const each = async function* (rows: readonly unknown[], act: (row: unknown) => Promise<Answer>): AsyncGenerator<Answer> {
    for (const row of rows) yield await act(row);
  };
  const labels = (await all(scratch, '/labels')).filter((row) => textAt(row, 'name').toLowerCase().startsWith(namesStart));
  const stuckLabels = await failed(each(labels, (row) => del(`/labels/${encodeURIComponent(textAt(row, 'name'))}`)));
  const milestones = (await all(scratch, '/milestones?state=all')).filter((row) => textAt(row, 'title').startsWith(namesStart));
  const stuckMilestones = await failed(each(milestones, (row) => del(`/milestones/${numberAt(row, 'number')}`)));
  const issues = await all(scratch, '/issues?state=all');
  let closed = 0;
  for (const row of issues) {
    const deletion = await graphql(
      `mutation { deleteIssue(input: { issueId: ${JSON.stringify(textAt(row, 'node_id'))} }) { repository { name } } }`,
    );
    if (deletion.taken === 'answered') continue;
    closed += 1;
    if (textAt(row, 'state') === 'open')
      await patch(`/issues/${numberAt(row, 'number')}`, { state: 'closed', state_reason: 'not_planned' });
  }
  if (closed > 0) left.push(`${closed} closed issues, as this account may not delete issues`);
  if (stuckLabels > 0) left.push(`${stuckLabels} labels`);
  if (stuckMilestones > 0) left.push(`${stuckMilestones} milestones`);
  return left;
}

const isGone = (taken: Answer['taken']): boolean => taken === 'answered' || taken === 'missing' || taken === 'deleted';

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
