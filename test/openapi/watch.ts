/**
 * Holds to GitHub's own descriptions what every sandbox GitHub of this process is asked, whoever starts it, what it
 * answers, and what every client of this process sends, whoever answers. What is wrong is kept until the file ends,
 * because a program that is refused in the middle may hide it.
 */

import { hash } from 'node:crypto';
import { Octokit } from '@octokit/rest';
import { exchanges, type GithubExchange } from '../../src/sandbox/github/server/exchanges.ts';
import type { Asked, Shown } from './described.ts';

/** Each problem, and whether the sandbox refused every request that has it. */
const found = new Map<string, boolean>();
const seen = new Set<string>();
let checks: Promise<void>[] = [];

exchanges.subscribe((message) => exchanged(message as GithubExchange));
Octokit.plugins.push((octokit) => {
  octokit.hook.before('request', (sent) => {
    const { method, url, body } = octokit.request.endpoint(sent);
    const { pathname, searchParams } = new URL(url);
    const root = new URL(sent.baseUrl).pathname.replace(/\/$/u, '');
    const path = pathname.startsWith(root) ? pathname.slice(root.length) : pathname;
    check({ method, path, query: searchParams, text: textOf(body) }, null);
  });
  return {};
});

/** What GitHub does not describe since the last call. */
export async function takeUndescribed(mayBeRefused = false): Promise<readonly string[]> {
  await Promise.all(checks);
  const problems = undescribed(mayBeRefused);
  checks = [];
  found.clear();
  return problems;
}

/** @param mayBeRefused whether a request may be wrong if the sandbox refused it */
export const undescribed = (mayBeRefused = false): readonly string[] =>
  [...found].flatMap(([problem, isRefused]) => (isRefused && mayBeRefused ? [] : [problem]));

/** Empty for a file. */
const textOf = (body: unknown): string =>
  body === undefined || body instanceof Uint8Array ? '' : typeof body === 'string' ? body : JSON.stringify(body);

/** Pages for people, which no description has. */
const pages =
  /^\/$|^\/(?:user-attachments|bucket)\/|^\/(?!repos\/)[\w.-]+\/[\w.-]+\/(?:raw|releases\/download|issues|pull|commit)(?:\/|$)/u;

function exchanged({ method, url: { pathname, searchParams }, text, answer }: GithubExchange): void {
  if (method === 'GET' && pages.test(pathname)) return;
  const type = answer?.headers.get('content-type') ?? null;
  const shown = answer && {
    status: answer.status,
    version: answer.headers.get('x-github-api-version-selected') ?? undefined,
    text: type?.startsWith('application/json') || answer.status === 204 ? answer.text : null,
  };
  check({ method, path: pathname, query: searchParams, text }, shown);
}

function check(asked: Asked, shown: Shown | null): void {
  const { method, path, query, text } = asked;
  // Undocumented.
  if (/\/import\/issues(?:\/|$)/u.test(path)) return;
  // Numbers apart, the same was checked before: the descriptions have no limits of numbers.
  const key = hash('sha1', JSON.stringify([method, path, String(query), text, shown]).replace(/\d/gu, '0'));
  if (seen.has(key)) return;
  seen.add(key);
  checks.push(judge(asked, shown));
}

async function judge(asked: Asked, shown: Shown | null): Promise<void> {
  const { problemsIn } = await import('./described.ts');
  const problems = problemsIn(asked, shown);
  const isRefused = shown !== null && shown.status >= 400;
  for (const problem of problems.asked) found.set(problem, isRefused && (found.get(problem) ?? true));
  for (const problem of problems.answered) found.set(problem, false);
}
