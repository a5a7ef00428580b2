import { type Family, untried } from '../case.ts';
import { outcomeOf } from '../scratch.ts';
import { numberAt, rowsOf, textAt } from '../value.ts';

const goneMeans =
  'bugferry may take deleted content for unreachable, or the reverse: look at bugferry status after deletions.';

export function deletion(node: string): string {
  return `mutation { deleteIssue(input: { issueId: ${JSON.stringify(node)} }) { repository { name } } }`;
}

const restriction = (node: string, policy: string): string =>
  `mutation { updateRepository(input: { repositoryId: ${JSON.stringify(node)}, issueCreationPolicy: ${policy} }) { repository { issueCreationPolicy } } }`;

/** What is deleted or was never there. */
export const gone: Family = {
  name: 'gone',
  cases: [
    {
      id: 'missing-issue',
      assumes: 'An issue that never existed answers 404.',
      usedIn: ['github/repository.ts', 'github/reading/made-since.ts'],
      expects: 'missing',
      means: goneMeans,
      observe: async ({ get }) => (await get('/issues/999999')).taken,
    },
    {
      id: 'deleted-comment',
      assumes: 'A deleted comment answers 404.',
      usedIn: ['github/writing/comments.ts'],
      expects: 'missing',
      means: goneMeans,
      async observe({ del, get, newComment, issue, settle }) {
        const { id } = await newComment((await issue('subject')).issue);
        await del(`/issues/comments/${id}`);
        await settle();
        return (await get(`/issues/comments/${id}`)).taken;
      },
    },
    {
      id: 'deleted-comment-twice',
      assumes: 'Deleting a comment again answers 404.',
      usedIn: ['github/writing/comments.ts'],
      expects: 'missing',
      means: 'After a lost answer, the withdrawal of a comment is parked: look at bugferry audit.',
      async observe({ del, newComment, issue, settle }) {
        const { id } = await newComment((await issue('subject')).issue);
        await del(`/issues/comments/${id}`);
        await settle();
        return (await del(`/issues/comments/${id}`)).taken;
      },
    },
    {
      id: 'deleted-comment-unlisted',
      assumes: 'A deleted comment is in no list.',
      usedIn: ['github/reading/threads.ts'],
      expects: 'not listed',
      means: 'Deletions on GitHub are not noticed.',
      async observe({ del, get, newComment, issue, settle }) {
        const { id, issue: number } = await newComment((await issue('other')).issue);
        await del(`/issues/comments/${id}`);
        await settle();
        const { data } = await get(`/issues/${number}/comments?per_page=100`);
        return Array.isArray(data) && rowsOf(data).every((row) => numberAt(row, 'id') !== id) ? 'not listed' : 'listed';
      },
    },
    {
      id: 'deleted-issue',
      assumes: 'A deleted issue answers 410.',
      usedIn: ['github/connection/classify-answer.ts', 'github/repository.ts'],
      needs: ['admin'],
      expects: 'deleted',
      fits: /^(?:deleted|missing)$/u,
      means: goneMeans,
      async observe({ graphql, get, newIssue, settle }) {
        const { issue, node } = await newIssue();
        const answer = await graphql(deletion(node));
        if (answer.taken !== 'answered') return untried(`this account may not delete issues: ${answer.why ?? ''}`);
        await settle();
        return (await get(`/issues/${issue}`)).taken;
      },
    },
    {
      id: 'write-to-deleted-issue',
      assumes: 'A comment on a deleted issue is refused as gone, not as "later".',
      usedIn: ['github/writing/write.ts'],
      needs: ['admin'],
      expects: 'deleted',
      fits: /^(?:deleted|missing)$/u,
      means: 'Comments for a deleted issue are repeated for two hours before they are parked.',
      async observe({ graphql, send, home, newIssue, settle, fresh }) {
        const { issue, node } = await newIssue();
        const answer = await graphql(deletion(node));
        if (answer.taken !== 'answered') return untried(`this account may not delete issues: ${answer.why ?? ''}`);
        await settle();
        const path = `${home.path}/issues/${issue}/comments`;
        return (await send({ method: 'POST', path, body: { body: fresh('comment') } }, true)).taken;
      },
    },
    {
      id: 'deleted-issue-unlisted',
      assumes: 'A deleted issue is in no list.',
      usedIn: ['github/reading/list.ts'],
      needs: ['admin'],
      expects: 'not listed',
      means: 'Deletions on GitHub are not noticed.',
      async observe({ graphql, get, newIssue, settle }) {
        const { issue, node } = await newIssue();
        const answer = await graphql(deletion(node));
        if (answer.taken !== 'answered') return untried(`this account may not delete issues: ${answer.why ?? ''}`);
        await settle();
        const { data } = await get('/issues?state=all&per_page=100');
        return Array.isArray(data) && rowsOf(data).every((row) => numberAt(row, 'number') !== issue)
          ? 'not listed'
          : 'listed';
      },
    },
    {
      id: 'issues-off',
      assumes: 'A repository that has issues disabled refuses a new one in words that say so.',
      usedIn: ['github/connection/classify-answer.ts', 'github/connection/refusals.ts'],
      needs: ['admin'],
      expects: 'off',
      means: 'bugferry does not say that issues are disabled: it sets each bug aside instead of stopping the route.',
      async observe({ send, post, home, title, fresh, settle }) {
        const turn = (isOn: boolean) => send({ method: 'PATCH', path: home.path, body: { has_issues: isOn } });
        const answer = await turn(false);
        if (answer.taken !== 'answered') return untried(`issues could not be disabled: ${outcomeOf(answer)}`);
        try {
          await settle();
          const made = await post('/issues', { title: title(fresh('issue')) });
          return made.taken === 'refused' ? outcomeOf(made) : made.taken;
        } finally {
          await turn(true);
          await settle();
        }
      },
    },
    {
      id: 'creation-restricted',
      assumes: 'GraphQL says that only collaborators may create issues, and an account with the role write still may.',
      usedIn: ['github/survey.ts', 'github/connection/refusals.ts'],
      needs: ['admin'],
      expects: 'COLLABORATORS_ONLY, and issues are accepted',
      means: 'check does not warn of that setting, or bugferry needs a higher role than write where it is on.',
      async observe({ graphql, post, home, title, fresh, settle }) {
        const place = `owner: ${JSON.stringify(home.owner)}, name: ${JSON.stringify(home.repo)}`;
        const read = () => graphql(`query { repository(${place}) { id issueCreationPolicy } }`);
        const { data } = await read();
        const before = textAt(data, 'data.repository.issueCreationPolicy');
        if (before === '') return untried('the server has no such setting');
        const turn = (policy: string) => graphql(restriction(textAt(data, 'data.repository.id'), policy));
        const answer = await turn('COLLABORATORS_ONLY');
        if (answer.taken !== 'answered') return untried(`creation could not be restricted: ${outcomeOf(answer)}`);
        try {
          await settle();
          const policy = textAt((await read()).data, 'data.repository.issueCreationPolicy') || 'nothing';
          const made = await post('/issues', { title: title(fresh('issue')) });
          return `${policy}, and issues are ${outcomeOf(made)}`;
        } finally {
          await turn(before);
          await settle();
        }
      },
    },
  ],
};
