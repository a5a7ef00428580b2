import { type Bug, openTracker } from '../../../src/bugzilla/api/tracker.ts';
import { type Bridged, repo } from '../support/bridge.ts';

/**
 * What a script for one evening does, as many were written for such a move: everything that its key may read, one
 * request for each issue, each comment and each closing; later everything is read again to see what is new. It keeps in
 * memory what it made.
 */
export function naiveImporter({ tracker, servers }: Bridged): () => Promise<void> {
  const reader = openTracker({ url: servers.tracker.url, apiKey: tracker.user('bridge').apiKey });
  /** By bug: its issue, and how many of its comments were carried over. */
  const made = new Map<number, { readonly issue: number; readonly comments: number }>();

  return async () => {
    for (let page = 1; page <= Math.ceil(made.size / 100); page += 1)
      await ask('GET', `/issues?state=all&per_page=100&page=${page}`);
    const bugs: Bug[] = [];
    for await (const bug of reader.readBugs({ product: 'Widget' })) bugs.push(bug);
    const { found } = await reader.readComments(bugs.map(({ id }) => id));
    for (const bug of bugs) {
      const [description = '', ...comments] = (found.get(bug.id) ?? []).map(({ text = '' }) => text);
      const { issue, comments: known } = made.get(bug.id) ?? {
        issue: await createIssue(bug, description),
        comments: 0,
      };
      for (const body of comments.slice(known)) await ask('POST', `/issues/${issue}/comments`, { body });
      made.set(bug.id, { issue, comments: comments.length });
    }
  };

  async function createIssue({ id, summary = '', is_open: isOpen }: Bug, body: string): Promise<number> {
    const { number } = await ask('POST', '/issues', { title: `[${id}] ${summary}`, body });
    if (isOpen === false) await ask('PATCH', `/issues/${number}`, { state: 'closed' });
    return number;
  }

  async function ask(method: string, path: string, body?: object): Promise<{ readonly number: number }> {
    const headers = { authorization: 'token token-of-bugferry-bot' };
    const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
    const answer = await fetch(`${servers.github.url}/repos/${repo}${path}`, init);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text);
  }
}
