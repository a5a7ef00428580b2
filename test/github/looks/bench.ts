import { expect } from 'vitest';
import { createGithubClient } from '../../../src/github/connection/client.ts';
import { githubReplica } from '../../../src/github/replica.ts';
import type { Issue } from '../../../src/model/item.ts';
import type { GithubReplica } from '../../../src/model/replica.ts';
import { githubServer } from '../../../src/sandbox/github/server/server.ts';
import type { GithubPerson } from '../../../src/sandbox/github/world/people.ts';
import type { GithubWorld } from '../../../src/sandbox/github/world/world.ts';
import { handClock, repo, smallGithubWorld } from '../../contract/github/bench.ts';
import { openLane } from '../open-lane.ts';

/** What stands between the adapter and the sandbox: null lets a query through, otherwise it is the answer. */
type Answering = (query: string) => Response | null;

export interface Bench {
  readonly world: GithubWorld;
  readonly clock: ReturnType<typeof handClock>;
  readonly mona: GithubPerson;
  readonly replica: GithubReplica;
  graphql: Answering;
  /** Called before each request. */
  before: (method: string, path: string) => void;
  /** `METHOD path status` of the requests since the last call. */
  lines(): readonly string[];
}

export const json = (body: unknown, status = 200): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json; charset=utf-8' } });

export function benchOf(): Bench {
  const clock = handClock();
  const world = smallGithubWorld({ now: clock.now });
  const hooks = { graphql: (() => null) as Answering, before: (_method: string, _path: string): void => undefined };
  const server = githubServer(world);
  const send: typeof fetch = async (url, init) => {
    const request = new Request(url, init);
    const { pathname } = new URL(request.url);
    hooks.before(request.method, pathname);
    const odd = pathname === '/graphql' ? hooks.graphql(await request.clone().text()) : null;
    return odd ?? server.fetch(request);
  };
  const client = createGithubClient({
    url: 'http://github.invalid',
    token: 'token-of-bugferry',
    lane: openLane(),
    timeoutMs: 5_000,
    now: clock.now,
    fetch: send,
  });
  let read = 0;
  return Object.assign(hooks, {
    world,
    clock,
    mona: world.as('mona'),
    replica: githubReplica({ client, owner: 'acme', repo: 'widget' }),
    lines() {
      const fresh = world.requests
        .slice(read)
        .map(({ method, path, status }) => `${method} ${path.replace('/repos/acme/widget', '')} ${status}`);
      read = world.requests.length;
      return fresh;
    },
  });
}

/** So many issues, read a minute after they were opened, and announced. */
export async function announced(on: Bench, count: number): Promise<readonly Issue[]> {
  const numbers = Array.from({ length: count }, (_, index) =>
    on.mona.open(repo, { title: `Issue ${index}`, labels: ['old'] }),
  );
  on.clock.advance(60_000);
  const issues: Issue[] = [];
  for (const number of numbers) issues.push(await seenOf(on, number));
  on.replica.announce(numbers);
  on.lines();
  return issues;
}

export async function seenOf(on: Bench, number: number): Promise<Issue> {
  const probe = await on.replica.probe(number);
  return probe.kind === 'there' ? probe.item : expect.unreachable(probe.gone.why);
}

/** Each a second after the one before, as GitHub asks. */
export async function renameAll(on: Bench, issues: readonly Issue[]): Promise<readonly string[]> {
  const kinds: string[] = [];
  for (const issue of issues) {
    kinds.push((await on.replica.update(issue, { title: `Better ${issue.number}` })).kind);
    on.clock.advance(1_000);
  }
  return kinds;
}

export const times = (lines: readonly string[], pattern: RegExp): number =>
  lines.filter((line) => pattern.test(line)).length;
export const counted = (lines: readonly string[]): number => times(lines, /^GET .* 200$/u) + times(lines, /graphql/u);
