import { type Family, untried } from '../case.ts';
import { NoScratch, outcomeOf, type Scratch } from '../scratch.ts';
import { numberAt, textAt } from '../value.ts';

const followedMeans =
  'A write may reach an issue in another repository, or be lost: report this before you use the server.';

interface Transferred {
  /** Its number before, in the repository of the rehearsal. */
  readonly was: number;
  /** Its address now, below the root of the API. */
  readonly path: string;
}

/** Transfers a new issue into the second repository. */
async function transferred({ newIssue, graphql, home, settle }: Scratch): Promise<Transferred | string> {
  if (home.second === null) throw new NoScratch('name a second empty repository of the same owner with --second');
  const { issue, node } = await newIssue();
  const input = `issueId: ${JSON.stringify(node)}, repositoryId: ${JSON.stringify(home.second.node)}`;
  const answer = await graphql(`mutation { transferIssue(input: { ${input} }) { issue { number } } }`);
  if (answer.taken !== 'answered') return outcomeOf(answer);
  await settle();
  return { was: issue, path: `${home.second.path}/issues/${numberAt(answer.data, 'data.transferIssue.issue.number')}` };
}

/** Issues that someone moves into another repository. */
export const transfers: Family = {
  name: 'transfers',
  cases: [
    {
      id: 'transferred-issue',
      assumes: 'A transferred issue answers with a redirect.',
      usedIn: ['github/connection/classify-answer.ts', 'github/repository.ts'],
      needs: ['second'],
      expects: 'moved',
      means: 'bugferry takes transferred issues for deleted ones; their bugs are not mirrored any more in either case.',
      async observe(scratch) {
        const found = await transferred(scratch);
        return typeof found === 'string'
          ? untried(`it could not be transferred: ${found}`)
          : (await scratch.get(`/issues/${found.was}`)).taken;
      },
    },
    {
      id: 'edit-of-transferred-issue',
      assumes: 'An edit of a transferred issue is not carried out in the other repository.',
      usedIn: ['github/connection/client.ts'],
      needs: ['second'],
      expects: 'moved, and unchanged there',
      means: followedMeans,
      async observe(scratch) {
        const found = await transferred(scratch);
        if (typeof found === 'string') return untried(`it could not be transferred: ${found}`);
        const title = scratch.title(scratch.fresh('title'));
        const { taken } = await scratch.patch(`/issues/${found.was}`, { title });
        const there = await scratch.send({ method: 'GET', path: found.path });
        return `${taken}, and ${textAt(there.data, 'title') === title ? 'changed' : 'unchanged'} there`;
      },
    },
    {
      id: 'comment-on-transferred-issue',
      assumes: 'Nor is a comment on it.',
      usedIn: ['github/connection/client.ts'],
      needs: ['second'],
      expects: 'moved, and 0 comments there',
      means: followedMeans,
      async observe(scratch) {
        const found = await transferred(scratch);
        if (typeof found === 'string') return untried(`it could not be transferred: ${found}`);
        const { taken } = await scratch.post(`/issues/${found.was}/comments`, { body: scratch.fresh('comment') });
        const there = await scratch.send({ method: 'GET', path: found.path });
        return `${taken}, and ${numberAt(there.data, 'comments')} comments there`;
      },
    },
  ],
};
