import type { Family } from '../case.ts';
import { outcomeOf } from '../scratch.ts';
import { numberAt, rowsOf, textAt, valueAt } from '../value.ts';
import { minimizing, unminimizing } from './made.ts';
import { newerCases } from './newer.ts';

const batchMeans =
  'After a migration, closing and minimizing take one request each, or stop: use bugferry migrate again, and report this.';
const minimizeMeans = 'Comments tagged as spam or obsolete are not minimized; the copies stay readable.';
const namesMax = 100;
const batchMax = 25;

function repositoryQuery({ owner, repo }: { readonly owner: string; readonly repo: string }, fields: string): string {
  return `query { repository(owner: ${JSON.stringify(owner)}, name: ${JSON.stringify(repo)}) { ${fields} } }`;
}

/** GraphQL: what REST cannot do, and many things in one request. */
export const graphql: Family = {
  name: 'GraphQL',
  cases: [
    {
      id: 'node-ids',
      assumes: 'An issue has the same id in GraphQL as its node_id in REST.',
      usedIn: ['github/imports/close-all.ts'],
      expects: 'the same id',
      means: batchMeans,
      async observe({ graphql: ask, home, issue }) {
        const { issue: number, node } = await issue('subject');
        const answer = await ask(repositoryQuery(home, `i: issue(number: ${number}) { id }`));
        if (answer.taken !== 'answered') return outcomeOf(answer);
        return textAt(answer.data, 'data.repository.i.id') === node
          ? 'the same id'
          : textAt(answer.data, 'data.repository.i.id');
      },
    },
    {
      id: 'query-of-100',
      assumes: 'A query may ask for a hundred issues.',
      usedIn: ['github/imports/close-all.ts'],
      expects: '100 found',
      means: batchMeans,
      async observe({ graphql: ask, home, issue }) {
        const { issue: number } = await issue('subject');
        const fields = Array.from({ length: namesMax }, (_, index) => `i${index}: issue(number: ${number}) { id }`);
        const answer = await ask(repositoryQuery(home, fields.join(' ')));
        if (answer.taken !== 'answered') return outcomeOf(answer);
        const found = valueAt(answer.data, 'data.repository');
        const ids =
          typeof found === 'object' && found !== null
            ? Object.values(found).filter((each) => textAt(each, 'id') !== '')
            : [];
        return `${ids.length} found`;
      },
    },
    {
      id: 'same-values',
      assumes: 'GraphQL shows the values of an issue as REST does.',
      usedIn: ['github/reading/shared-look.ts'],
      expects: 'the same values',
      means: 'Each write costs a read that counts; nothing else changes.',
      async observe({ graphql: ask, get, home, post, patch, newIssue, fresh }) {
        const { issue: number } = await newIssue();
        const label = fresh('label');
        await post('/labels', { name: label, color: 'ededed' });
        await patch(`/issues/${number}`, {
          labels: [label],
          body: 'One\r\ntwo',
          state: 'closed',
          state_reason: 'not_planned',
        });
        const values = 'title body state stateReason updatedAt labels(first: 100) { nodes { name } }';
        const answer = await ask(repositoryQuery(home, `i: issue(number: ${number}) { ${values} }`));
        if (answer.taken !== 'answered') return outcomeOf(answer);
        const [{ data: rest }, shown] = [await get(`/issues/${number}`), valueAt(answer.data, 'data.repository.i')];
        const pairs = [
          ...['title', 'body'].map((name) => [name, textAt(rest, name), textAt(shown, name)]),
          ['state', textAt(rest, 'state'), textAt(shown, 'state').toLowerCase()],
          ['reason', textAt(rest, 'state_reason'), textAt(shown, 'stateReason').toLowerCase()],
          ['label', textAt(rest, 'labels.0.name'), textAt(shown, 'labels.nodes.0.name')],
          ['time', textAt(rest, 'updated_at'), textAt(shown, 'updatedAt')],
        ];
        const other = pairs.filter(([, one, another]) => one !== another).map(([name]) => name);
        return other.length === 0 ? 'the same values' : `another ${other.join(', ')}`;
      },
    },
    {
      id: 'partial-answer',
      assumes: 'Of several fields, those that fail are null beside the others, with status 200.',
      usedIn: ['github/connection/graphql.ts'],
      expects: 'one found, one null, status 200',
      means: batchMeans,
      async observe({ graphql: ask, home, issue }) {
        const { issue: number } = await issue('subject');
        const answer = await ask(
          repositoryQuery(home, `here: issue(number: ${number}) { id } gone: issue(number: 999999) { id }`),
        );
        const here = textAt(answer.data, 'data.repository.here.id') === '' ? 'none' : 'one';
        const gone = valueAt(answer.data, 'data.repository.gone') === null ? 'one null' : 'none null';
        return `${here} found, ${gone}, status ${answer.status}`;
      },
    },
    {
      id: 'unknown-node',
      assumes: 'An id that a replica does not know yet is refused in words that mean "later".',
      usedIn: ['github/connection/classify-answer.ts'],
      expects: 'not yet',
      means: 'A comment that is minimized just after its creation is parked: run bugferry retry, and report the words.',
      async observe({ send, comment }) {
        const { node } = await comment('first');
        const query = minimizing(`${node.slice(0, 4)}${node.slice(4).split('').reverse().join('')}`);
        const answer = await send({ method: 'POST', path: '/graphql', body: { query } }, true);
        return answer.taken === 'not yet' ? 'not yet' : `${answer.taken}: ${answer.why ?? ''}`;
      },
    },
    {
      id: 'comment-addresses',
      assumes: 'GraphQL shows the number of a comment in its address.',
      usedIn: ['github/imports/minimize-all.ts'],
      expects: 'the id of REST',
      means: batchMeans,
      async observe({ graphql: ask, home, comment }) {
        const { issue, id, node } = await comment('first');
        const answer = await ask(
          repositoryQuery(home, `i: issue(number: ${issue}) { comments(first: 100) { nodes { id url isMinimized } } }`),
        );
        if (answer.taken !== 'answered') return outcomeOf(answer);
        const found = rowsOf(valueAt(answer.data, 'data.repository.i.comments.nodes')).find(
          (each) => textAt(each, 'id') === node,
        );
        const number = /#issuecomment-(\d+)$/u.exec(textAt(found, 'url'))?.[1];
        return number === String(id)
          ? 'the id of REST'
          : `${number ?? 'no number'} in ${textAt(found, 'url') || 'no address'}`;
      },
    },
    {
      id: 'minimize',
      assumes: 'A comment can be minimized, and REST shows why.',
      usedIn: ['github/writing/comments.ts', 'github/map.ts'],
      expects: 'outdated',
      means: minimizeMeans,
      async observe({ graphql: ask, get, comment, settle }) {
        const { id, node } = await comment('minimized');
        const answer = await ask(minimizing(node));
        if (answer.taken !== 'answered') return outcomeOf(answer);
        if (valueAt(answer.data, 'data.minimizeComment.minimizedComment.isMinimized') !== true)
          return 'the answer does not show it';
        await settle();
        const shown = valueAt((await get(`/issues/comments/${id}`)).data, 'minimized.reason');
        return typeof shown === 'string' ? shown.toLowerCase() : 'not shown by REST';
      },
    },
    {
      id: 'minimize-twice',
      assumes: 'Minimizing a minimized comment is no failure.',
      usedIn: ['github/imports/minimize-all.ts'],
      expects: 'accepted',
      means: 'After a lost answer, the operation is parked; bugferry retry helps, as it reads first.',
      async observe({ graphql: ask, comment }) {
        const { node } = await comment('minimized');
        await ask(minimizing(node));
        return outcomeOf(await ask(minimizing(node)));
      },
    },
    {
      id: 'unminimize',
      assumes: 'A minimized comment can be shown again.',
      usedIn: ['github/writing/comments.ts'],
      expects: 'shown again',
      means: 'Copies stay minimized after the tag is removed on the tracker.',
      async observe({ graphql: ask, get, comment, settle }) {
        const { id, node } = await comment('minimized');
        await ask(minimizing(node));
        const answer = await ask(unminimizing(node));
        if (answer.taken !== 'answered') return outcomeOf(answer);
        await settle();
        const { data, taken } = await get(`/issues/comments/${id}`);
        return taken === 'answered' && !valueAt(data, 'minimized') ? 'shown again' : 'still minimized';
      },
    },
    {
      id: 'batch-of-25',
      assumes: 'One mutation may change 25 comments.',
      usedIn: ['github/imports/close-all.ts', 'migrate/finish-imported.ts'],
      expects: '25 changed',
      means: batchMeans,
      async observe({ graphql: ask, comment }) {
        const { node } = await comment('first');
        const one = unminimizing(node).replace(/^mutation \{ | \}$/gu, '');
        const answer = await ask(
          `mutation { ${Array.from({ length: batchMax }, (_, index) => `c${index}: ${one}`).join(' ')} }`,
        );
        const data = valueAt(answer.data, 'data');
        const done =
          typeof data === 'object' && data !== null ? Object.values(data).filter((each) => each !== null) : [];
        return answer.taken === 'answered' ? `${done.length} changed` : outcomeOf(answer);
      },
    },
    {
      id: 'close-by-graphql',
      assumes: 'GraphQL closes an issue as the duplicate of another.',
      usedIn: ['github/imports/close-all.ts'],
      expects: 'closed, duplicate',
      means: batchMeans,
      async observe({ graphql: ask, get, newIssue, issue, settle }) {
        const [{ issue: number, node }, original] = [await newIssue(), await issue('subject')];
        const input = `issueId: ${JSON.stringify(node)}, stateReason: DUPLICATE, duplicateIssueId: ${JSON.stringify(original.node)}`;
        const answer = await ask(`mutation { closeIssue(input: { ${input} }) { issue { number state } } }`);
        if (answer.taken !== 'answered') return outcomeOf(answer);
        if (numberAt(answer.data, 'data.closeIssue.issue.number') !== number) return 'the answer names another issue';
        await settle();
        const { data } = await get(`/issues/${number}`);
        return `${textAt(data, 'state')}, ${textAt(data, 'state_reason')}`;
      },
    },
    ...newerCases,
  ],
};
