import * as z from 'zod';
import { repo, type Stage } from '../stage.ts';
import type { Actions } from './people.ts';
import type { RenewalActions } from './renewals.ts';

type Kept = Pick<Actions, 'issueTitles' | 'unseenTitles' | 'unseenIssues' | 'renewals'>;

/**
 * Keeps the titles that people gave an issue between our read and our write, or that a replica which is behind did not
 * show, and the issues that it did not show; and what people wrote over a copy, if no read at all showed it before our
 * write. Looks at the requests from outside: what a read said, and what a write left.
 */
export function keepUnseen(
  { servers, github }: Stage,
  { issueTitles, unseenTitles, unseenIssues, renewals }: Kept,
): void {
  const lookAtCopies = keepUnseenWords(github, renewals);
  const send = servers.github;
  const shown = new Map<number, string>();
  const watched: typeof fetch = async (input, init) => {
    const answer = await send(input, init);
    await lookAtCopies(String(input), init?.method ?? 'GET', answer);
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

/** An edit that a read has shown once must not be forgotten, whatever the next read shows. */
function keepUnseenWords(github: Stage['github'], { defaced, unseen }: RenewalActions) {
  const shown = new Set<string>();
  return async (url: string, method: string, answer: Response): Promise<void> => {
    const [, path, id] = /\/issues\/(?:\d+\/)?(comments)(?:\/(\d+))?(?:\?|$)/u.exec(url) ?? [];
    if (path === undefined || !answer.ok || defaced.size === 0) return;
    const words = defaced.get(Number(id));
    if (method === 'PATCH' && words !== undefined && !shown.has(words) && !standsThere(github, Number(id), words))
      unseen.add(words);
    if (method !== 'GET') return;
    const text = await answer.clone().text();
    for (const each of defaced.values()) if (text.includes(each)) shown.add(each);
  };
}

const standsThere = (github: Stage['github'], id: number, words: string): boolean =>
  github
    .issues(repo)
    .some(({ number }) =>
      github.commentsOf(repo, number).some((comment) => comment.id === id && comment.body === words),
    );

const titleSchema = z.object({ title: z.string() });
