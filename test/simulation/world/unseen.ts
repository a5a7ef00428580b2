import * as z from 'zod';
import { repo, type Stage } from '../stage.ts';
import type { Actions } from './people.ts';

/**
 * Keeps the titles that people gave an issue between our read and our write, or that a replica which is behind did not show, and the issues
 * that it did not show. Looks at the requests from outside: what a read of the issue said last, and what a write left.
 */
export function keepUnseen({ servers, github }: Stage, actions: Pick<Actions, 'issueTitles' | 'unseenTitles' | 'unseenIssues'>): void {
  const { issueTitles, unseenTitles, unseenIssues } = actions;
  const send = servers.github;
  const shown = new Map<number, string>();
  const watched: typeof fetch = async (input, init) => {
    const answer = await send(input, init);
    const [, path] = /\/issues\/(\d+)$/u.exec(String(input)) ?? [];
    const number = Number(path);
    if (path !== undefined && answer.status === 404 && github.issue(repo, number) !== null) unseenIssues.add(number);
    if (path === undefined || !answer.ok) return answer;
    const { method = 'GET' } = init ?? {};
    if (method === 'GET') shown.set(number, titleSchema.parse(await answer.clone().json()).title);
    const given = issueTitles.get(number);
    const isThere = github.issue(repo, number)?.title === given;
    if (method === 'PATCH' && given !== undefined && !isThere && given !== shown.get(number)) unseenTitles.add(given);
    return answer;
  };
  Object.assign(servers, { github: watched });
}

const titleSchema = z.object({ title: z.string() });
