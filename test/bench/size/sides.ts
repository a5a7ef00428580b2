import { githubServer } from '../../../src/sandbox/github/server/server.ts';
import { createGithubWorld, type GithubWorld } from '../../../src/sandbox/github/world/world.ts';
import { trackerServer } from '../../../src/sandbox/tracker/server/server.ts';
import { createTrackerWorld, type TrackerWorld } from '../../../src/sandbox/tracker/world/world.ts';
import { type CountedServer, isQuery, serveCounted } from '../support/counted-server.ts';
import { clockHeader } from './agreed.ts';
import { MadeBlobs } from './files.ts';
import { generate, type Size } from './generate.ts';

export const repo = 'acme/widget';
export const bot = 'bugferry-bot';

/** Both sides, served over HTTP on a clock that goes by what the program says. */
export interface Sides {
  readonly tracker: TrackerWorld;
  readonly github: GithubWorld;
  readonly servers: { readonly tracker: CountedServer; readonly github: CountedServer };
  /** The requests that count to GitHub, in order. */
  readonly asked: readonly Asked[];
  now(): number;
  /** Lets time pass without the program. */
  wait(ms: number): void;
  /** Called before each request is answered, when the clock stands where the request left. */
  onTime(look: () => void): void;
  /** Called before and after a write to GitHub takes effect. */
  onWrite(look: (when: 'before' | 'after') => void): void;
  close(): Promise<void>;
}

export interface Asked {
  readonly at: number;
  readonly isWrite: boolean;
  /** Not counted: an answer that nothing has changed. */
  readonly isFree: boolean;
}

/**
 * How long GitHub takes over an import, for one after the other: the published ones took from one second to a minute.
 */
const importDelaysMs = [3_000, 1_000, 8_000, 2_000, 30_000];

export async function openSides(size: Size): Promise<Sides> {
  let now = Date.parse('2026-11-21T10:00:00Z');
  let [timely, writing]: [() => void, (when: 'before' | 'after') => void] = [() => undefined, () => undefined];
  const asked: Asked[] = [];
  const clock = () => now;
  const reach = (request: Request): void => {
    const at = Number(request.headers.get(clockHeader) ?? now);
    if (at > now) now = at;
    timely();
  };
  const tracker = createTrackerWorld({ now: clock, url: 'http://tracker.invalid' });
  generate(tracker, size);
  const github = createGithubWorld({ now: clock, url: '', webUrl: 'https://github.com' });
  for (const login of [bot, 'mona', 'hubot']) github.addUser(login);
  github.addRepo(repo, { permissions: { [bot]: 'admin', mona: 'admin', hubot: 'write' } });
  Object.assign(github.limits, { importDelaysMs, creationsPerMinute: 80, creationsPerHour: 500 });
  const home = github.state.repos.get(repo);
  if (home !== undefined) Object.assign(home.git, { blobs: new MadeBlobs(home.git.blobs) });
  const [trackerApp, githubApp] = [trackerServer(tracker), githubServer(github)];
  const servers = {
    tracker: await serveCounted((request, env) => {
      reach(request);
      return trackerApp.fetch(request, env);
    }),
    github: await serveCounted(async (request, env) => {
      reach(request);
      const isWrite = request.method !== 'GET' && !(await isQuery(request));
      if (isWrite) writing('before');
      const answer = await githubApp.fetch(request, env);
      asked.push({ at: now, isWrite, isFree: answer.status === 304 });
      if (isWrite) writing('after');
      return answer;
    }),
  };
  github.state.url = servers.github.url;
  return {
    tracker,
    github,
    servers,
    asked,
    now: clock,
    wait: (ms) => {
      now += ms;
    },
    onTime: (look) => {
      timely = look;
    },
    onWrite: (look) => {
      writing = look;
    },
    async close() {
      await servers.tracker.close();
      await servers.github.close();
    },
  };
}
