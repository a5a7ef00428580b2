import { type Family, untried } from '../case.ts';
import type { Answer } from '../port.ts';
import { NoScratch, outcomeOf, type Scratch } from '../scratch.ts';
import { numberAt, rowsOf, textAt, valueAt } from '../value.ts';

const commitsMean =
  'Bugs learn late, twice or not at all of commits that name them: leave commits out of the route, and report this.';
const closerMeans = 'Bugs that are closed because of a commit do not say so.';

const made = (answer: Answer, path: string): string => {
  const found = textAt(answer.data, path);
  if (answer.taken !== 'answered' || found === '') throw new NoScratch(answer.why ?? 'a commit could not be made');
  return found;
};

/** A commit after another one, with the same files. */
async function commitAfter({ get, post }: Scratch, parent: string, message: string): Promise<string> {
  const tree = made(await get(`/git/commits/${parent}`), 'tree.sha');
  return made(await post('/git/commits', { message, tree, parents: [parent] }), 'sha');
}

const tipOf = async ({ get, home }: Scratch): Promise<string> =>
  made(await get(`/git/ref/heads/${home.branch}`), 'object.sha');

/** A new branch with two commits after the last one of the default branch. */
async function grownBranch(
  scratch: Scratch,
): Promise<{ readonly name: string; readonly shas: readonly [string, string, string] }> {
  const base = await tipOf(scratch);
  const first = await commitAfter(scratch, base, scratch.fresh('commit'));
  const second = await commitAfter(scratch, first, scratch.fresh('commit'));
  const name = scratch.freshBranch();
  made(await scratch.post('/git/refs', { ref: `refs/heads/${name}`, sha: second }), 'object.sha');
  return { name, shas: [base, first, second] };
}

/** What closed an issue, as the bridge asks for it. */
function closing({ owner, repo }: { readonly owner: string; readonly repo: string }, number: number): string {
  const pull = '... on PullRequest { number mergeCommit { abbreviatedOid } }';
  const closer = `closer { __typename ... on Commit { abbreviatedOid url } ${pull} }`;
  const events = `timelineItems(last: 1, itemTypes: [CLOSED_EVENT]) { nodes { ... on ClosedEvent { ${closer} } } }`;
  return `query { repository(owner: ${JSON.stringify(owner)}, name: ${JSON.stringify(repo)}) { issue(number: ${number}) { state ${events} } } }`;
}

const issuePath = 'data.repository.issue';
const closerPath = `${issuePath}.timelineItems.nodes.0.closer`;

/** Commits of a branch, how two of them compare, and what closes an issue. */
export const commits: Family = {
  name: 'commits',
  cases: [
    {
      id: 'commits-newest',
      assumes: 'The list of commits of a branch begins with its last one, whose address ends with its digest.',
      usedIn: ['github/reading/commits.ts'],
      needs: ['commits'],
      expects: 'the last one, with its address',
      means: commitsMean,
      async observe(scratch) {
        const { name, shas } = await grownBranch(scratch);
        await scratch.settle();
        const answer = await scratch.get(`/commits?sha=${name}&per_page=1`);
        if (answer.taken !== 'answered') return outcomeOf(answer);
        const isAddressed = textAt(answer.data, '0.html_url').endsWith(`/commit/${shas[2]}`);
        if (textAt(answer.data, '0.sha') !== shas[2]) return 'another one';
        return isAddressed
          ? 'the last one, with its address'
          : `the last one, at ${textAt(answer.data, '0.html_url') || 'no address'}`;
      },
    },
    {
      id: 'commits-unchanged',
      assumes: 'As long as nothing is pushed, that list is unchanged.',
      usedIn: ['github/reading/commits.ts'],
      needs: ['commits'],
      expects: '304',
      means: 'Each cycle costs one counted request more.',
      async observe({ get, home }) {
        const path = `/commits?sha=${home.branch}&per_page=1`;
        const { headers } = await get(path);
        return String((await get(path, { etag: headers['etag'] ?? null })).status);
      },
    },
    {
      id: 'commits-missing',
      assumes: 'A branch that does not exist has no list.',
      usedIn: ['github/reading/commits.ts', 'check/commits.ts'],
      needs: ['commits'],
      expects: 'missing',
      means: 'bugferry check does not notice a wrong name in commits.branch.',
      observe: async ({ get, fresh }) =>
        (await get(`/commits?sha=${fresh('none').replaceAll(' ', '-')}&per_page=1`)).taken,
    },
    {
      id: 'compare-ahead',
      assumes: 'A comparison shows what a branch has gained, the oldest first.',
      usedIn: ['github/reading/commits.ts'],
      needs: ['commits'],
      expects: 'ahead, 2 in all, oldest first',
      means: commitsMean,
      async observe(scratch) {
        const [base, first, second] = (await grownBranch(scratch)).shas;
        const answer = await scratch.get(`/compare/${base}...${second}?per_page=100&page=1`);
        if (answer.taken !== 'answered') return outcomeOf(answer);
        const shown = rowsOf(valueAt(answer.data, 'commits')).map((each) => textAt(each, 'sha'));
        const inOrder = shown.length === 2 && shown[0] === first && shown[1] === second ? 'oldest first' : 'otherwise';
        return `${textAt(answer.data, 'status')}, ${numberAt(answer.data, 'total_commits')} in all, ${inOrder}`;
      },
    },
    {
      id: 'compare-diverged',
      assumes: 'A comparison says that a branch was moved by force, and no longer contains what it had.',
      usedIn: ['github/reading/commits.ts'],
      needs: ['commits'],
      expects: 'diverged',
      means: commitsMean,
      async observe(scratch) {
        const [, first, second] = (await grownBranch(scratch)).shas;
        const other = await commitAfter(scratch, first, scratch.fresh('commit'));
        const answer = await scratch.get(`/compare/${second}...${other}?per_page=100&page=1`);
        return answer.taken === 'answered' ? textAt(answer.data, 'status') : outcomeOf(answer);
      },
    },
    {
      id: 'closer-commit',
      assumes: 'A commit on the default branch closes the issue that it says it fixes, and GraphQL names it.',
      usedIn: ['github/reading/closer.ts', 'sync/perform/fixed-by.ts'],
      needs: ['commits'],
      expects: 'closed by the commit',
      means: closerMeans,
      async observe(scratch) {
        const { issue } = await scratch.newIssue();
        const sha = await commitAfter(scratch, await tipOf(scratch), `Fixes #${issue}`);
        const moved = await scratch.patch(`/git/refs/heads/${scratch.home.branch}`, { sha });
        if (moved.taken !== 'answered') return outcomeOf(moved);
        await scratch.settle();
        const answer = await scratch.graphql(closing(scratch.home, issue));
        if (answer.taken !== 'answered') return outcomeOf(answer);
        if (textAt(answer.data, `${issuePath}.state`) !== 'CLOSED') return 'not closed';
        const isIt = textAt(answer.data, `${closerPath}.url`).endsWith(`/commit/${sha}`);
        return isIt && sha.startsWith(textAt(answer.data, `${closerPath}.abbreviatedOid`))
          ? 'closed by the commit'
          : 'closed by something else';
      },
    },
    {
      id: 'closer-pull',
      assumes: 'A merged pull request closes the issue that it says it fixes, and GraphQL names it and its commit.',
      usedIn: ['github/reading/closer.ts', 'sync/perform/fixed-by.ts'],
      needs: ['commits'],
      expects: 'closed by the pull request, with its commit',
      means: closerMeans,
      async observe(scratch) {
        const { issue } = await scratch.newIssue();
        const { name: head } = await grownBranch(scratch);
        const { branch: base } = scratch.home;
        const title = scratch.title(scratch.fresh('pull'));
        const pull = await scratch.post('/pulls', { title, head, base, body: `Fixes #${issue}` });
        if (pull.taken !== 'answered') return untried(`it could not be opened: ${outcomeOf(pull)}`);
        const merged = await scratch.put(`/pulls/${numberAt(pull.data, 'number')}/merge`);
        if (merged.taken !== 'answered') return untried(`it could not be merged: ${outcomeOf(merged)}`);
        await scratch.settle();
        const answer = await scratch.graphql(closing(scratch.home, issue));
        if (answer.taken !== 'answered') return outcomeOf(answer);
        if (textAt(answer.data, `${issuePath}.state`) !== 'CLOSED') return 'not closed';
        if (numberAt(answer.data, `${closerPath}.number`) !== numberAt(pull.data, 'number'))
          return 'closed by something else';
        const commit = textAt(answer.data, `${closerPath}.mergeCommit.abbreviatedOid`);
        const isIt = commit !== '' && textAt(merged.data, 'sha').startsWith(commit);
        return `closed by the pull request, ${isIt ? 'with its commit' : 'without its commit'}`;
      },
    },
    {
      id: 'closer-person',
      assumes: 'Nothing is named as what closed an issue that a person closed.',
      usedIn: ['github/reading/closer.ts', 'sync/perform/fixed-by.ts'],
      expects: 'CLOSED by a person',
      means: closerMeans,
      async observe(scratch) {
        const { issue } = await scratch.newIssue();
        await scratch.patch(`/issues/${issue}`, { state: 'closed' });
        await scratch.settle();
        const answer = await scratch.graphql(closing(scratch.home, issue));
        if (answer.taken !== 'answered') return outcomeOf(answer);
        const by =
          valueAt(answer.data, closerPath) === null
            ? 'a person'
            : textAt(answer.data, `${closerPath}.__typename`) || 'nothing known';
        return `${textAt(answer.data, `${issuePath}.state`)} by ${by}`;
      },
    },
  ],
};
