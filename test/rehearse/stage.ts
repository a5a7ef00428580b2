import type { Config } from '../../src/config/config.ts';
import { limitsSchema } from '../../src/config/schema/schema.ts';
import type { CaseResult, Progress } from '../../src/model/rehearsal.ts';
import type { Family } from '../../src/rehearse/case.ts';
import { begunProgress } from '../../src/rehearse/progress.ts';
import type { Exchange } from '../../src/rehearse/recording.ts';
import { openRehearsal, type RehearsalEvent } from '../../src/rehearse/rehearsal.ts';
import { families } from '../../src/rehearse/table.ts';
import { githubServer } from '../../src/sandbox/github/server/server.ts';
import { bucket } from '../../src/sandbox/github/world/uploads.ts';
import { createGithubWorld, type GithubWorld } from '../../src/sandbox/github/world/world.ts';
import { rehearsalPort } from '../../src/wire/rehearse.ts';
import { allowancesOf } from '../../src/wire/view.ts';

export interface Passing {
  readonly method: string;
  readonly path: string;
  /** The body of the request. */
  readonly body: string;
  /** The case that runs; empty before the first. */
  readonly id: string;
}

/** Changes an answer on its way; null drops the connection. */
export type Plant = (passing: Passing, response: Response) => Response | null | Promise<Response | null>;

/** A scratch repository in the sandbox, with a clock that moves on with every request. */
export interface Stage {
  readonly world: GithubWorld;
  readonly clock: { at: number };
  /** `METHOD path status` of each request. */
  readonly log: string[];
  readonly events: RehearsalEvent[];
  readonly exchanges: Exchange[];
  /** How long the rehearsal has slept, each time. */
  readonly sleeps: number[];
  /** The last saved state; null before. */
  saved: () => Progress | null;
  plant: Plant;
  /** Asks the next run to stop. */
  stop: AbortController;
  run(options?: { readonly only?: readonly string[]; readonly progress?: Progress }): Promise<Progress>;
  /** Runs cases without cleaning up, and answers their results. */
  try(...ids: readonly string[]): Promise<readonly CaseResult[]>;
}

export const settleMs = 10_000;
export const repository = 'acme/scratch';
export const token = 'ghp_token0of0the0rehearsal';

export interface StageOptions {
  readonly isOrganisation?: boolean;
  readonly permission?: 'admin' | 'write' | 'read';
  readonly isEmpty?: boolean;
  /** Whether a person has dropped files into an issue there, which no rehearsal can. */
  readonly hasFiles?: boolean;
  /** How long a request takes. */
  readonly tickMs?: number;
  /**
   * Requests keep their distances, on the timers of the test; by default only creations do, on the clock of the stage.
   */
  readonly pace?: Partial<Config['limits']['github']>;
}

export function openStage(options: StageOptions = {}): Stage {
  const {
    isOrganisation = true,
    permission = 'admin',
    isEmpty = false,
    hasFiles = false,
    tickMs = 3_000,
    pace = null,
  } = options;
  const clock = pace === null ? handClock() : timerClock();
  const world = createGithubWorld({ now: () => clock.at, url: 'https://github.test' });
  world.addUser('bridge', { token });
  world.setToken('bridge', token, { tokenScopes: ['repo'] });
  world.addRepo(repository, { permissions: { bridge: permission }, isEmpty });
  world.addRepo('acme/scratch-2', { permissions: { bridge: permission } });
  if (isOrganisation) {
    world.setTypes(repository, ['Bug', 'Task']);
    world.setFields(repository, [
      { name: 'Severity', kind: 'single_select', options: ['high', 'low'] },
      { name: 'Words', kind: 'text' },
      { name: 'Hours', kind: 'number' },
      { name: 'Due', kind: 'date' },
    ]);
  }
  if (hasFiles) {
    const bytes = new TextEncoder().encode('bugferry');
    const [picture, file] = ['image/png', 'text/plain'].map((type, at) =>
      world.as('bridge').upload({ name: `${at}.txt`, type, bytes }),
    );
    world.as('bridge').open(repository, { title: 'Rehearsal: files', body: `![picture](${picture}) and ${file}` });
  }
  const app = githubServer(world);
  let saved: Progress | null = null;
  let id = '';
  const stage: Stage = {
    world,
    clock,
    log: [],
    events: [],
    exchanges: [],
    sleeps: [],
    saved: () => saved,
    stop: new AbortController(),
    plant: (_passing, response) => response,
    async run({ only, progress } = {}) {
      return (await open(progress, only)).run();
    },
    async try(...ids) {
      const { cases } = await (await open(undefined, ids)).run();
      return cases;
    },
  };
  const send: typeof fetch = async (address, init) => {
    await clock.pass(tickMs);
    const request = new Request(String(address).replace(`${bucket}/`, 'https://github.com/bucket/'), init);
    const { pathname, search } = new URL(request.url);
    const body = await request.clone().text();
    const answer = await app.fetch(request);
    const response = await stage.plant({ method: request.method, path: pathname + search, body, id }, answer);
    // A query reads, whatever its method says.
    const method = pathname === '/graphql' && body.startsWith('{"query":"query') ? 'GET' : request.method;
    stage.log.push(`${method} ${pathname}${search} ${response?.status ?? 0}`);
    if (response === null) throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
    return response;
  };
  const open = (progress: Progress | undefined, only: readonly string[] | undefined) => {
    const limits = limitsSchema.parse({ github: pace ?? { pointsPerMinute: 500_000, pauseBetweenWritesMs: 0 } });
    const port = rehearsalPort(
      { github: { url: world.state.url, credential: { kind: 'token', token } }, limits },
      {
        now: () => clock.at,
        sleep: async (delayMs) => {
          stage.sleeps.push(delayMs);
          await clock.pass(delayMs);
        },
        fetch: send,
        fetchLinked: send,
        record: (exchange) => stage.exchanges.push(exchange),
        resolve: async () => ['140.82.121.4'],
      },
    );
    return openRehearsal({
      port,
      owner: 'acme',
      repo: 'scratch',
      second: 'scratch-2',
      families: only === undefined ? families : chosen(only),
      allowances: allowancesOf({ limits }).github,
      settleMs,
      signal: stage.stop.signal,
      progress: progress ?? begunProgress({ bugferry: '0.0.0', server: world.state.url, repository }, clock.at),
      save(next) {
        saved = next;
      },
      tell(event) {
        stage.events.push(event);
        if (event.kind === 'running') id = event.id;
        if (event.kind === 'cleaning') id = '';
      },
    });
  };
  return stage;
}

const handClock = (startedAt = Date.UTC(2026, 10, 20, 9)) => ({
  at: startedAt,
  async pass(ms: number) {
    this.at += ms;
  },
});

/** For tests with timers of their own. */
const timerClock = () => ({
  get at(): number {
    return Date.now();
  },
  pass: (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms)),
});

const chosen = (ids: readonly string[]): readonly Family[] =>
  families.map((family) => ({ ...family, cases: family.cases.filter((each) => ids.includes(each.id)) }));

/** Every case with its family. */
export const allCases = families.flatMap((family) => family.cases.map((each) => ({ family: family.name, each })));
