import type { Random } from '../support/random.ts';

/** The daemon's HTTP server and its secrets. */
export interface Server {
  readonly port: number;
  readonly token: string;
  readonly githubSecret: string;
  readonly trackerSecret: string;
}

export const serverOn = (port: number): Server => ({
  port,
  token: 'token-of-the-operator',
  githubSecret: 'secret-of-the-hooks',
  trackerSecret: 'secret-of-the-tracker',
});

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** GitHub gives up a webhook after so long; nobody waits longer for a page. */
const answerMaxMs = 10_000;

/**
 * Null when nobody is at home, as between two lives of the daemon and in its last moment. Somebody who is silent is
 * complained about.
 */
export async function send(
  server: Server,
  path: string,
  init: RequestInit,
  complain: (words: string) => void,
): Promise<Answer | null> {
  try {
    const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
      redirect: 'manual',
      ...init,
      signal: AbortSignal.timeout(answerMaxMs),
    });
    return { status: answer.status, text: await answer.text() };
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError')
      complain(`${path} was not answered within ${answerMaxMs / 1000} s`);
    return null;
  }
}

export interface Visitor {
  /** Looks at one thing after the other, and never at two at once. */
  check(): void;
  /** How many pages were answered as they should be. */
  count(): number;
  /** Listens for news as an open page does, until it is told to leave or the daemon ends. */
  listen(): { leave(): Promise<void> };
  done(): Promise<void>;
}

/** Somebody with the token, who looks at the pages and at the metrics while the daemon works. */
export function openVisitor(server: Server, draw: Random, complain: (words: string) => void): Visitor {
  const headers = { authorization: `Bearer ${server.token}` };
  let count = 0;
  let running: Promise<void> | null = null;
  const probe = async ({ path, wanted, says }: Probe) => {
    const answer = await send(server, path, { headers }, complain);
    if (answer === null) return;
    const isRight = wanted.includes(answer.status) && (answer.status !== 200 || says.test(answer.text));
    if (isRight) count += 1;
    else complain(`${path} answered ${answer.status}: ${answer.text.slice(0, 200)}`);
  };
  return {
    check() {
      running ??= probe(draw.pick(probes(1 + draw.below(40)))).finally(() => {
        running = null;
      });
    },
    count: () => count,
    listen() {
      const stop = new AbortController();
      const heard = hear(server, headers, stop.signal);
      return {
        leave() {
          stop.abort();
          return heard;
        },
      };
    },
    done: async () => void (await running),
  };
}

interface Probe {
  readonly path: string;
  readonly wanted: readonly number[];
  readonly says: RegExp;
}

const probes = (id: number): readonly Probe[] => [
  { path: '/metrics', wanted: [200], says: /^bugferry_in_step\{route="widget"\} [01]$/mu },
  { path: '/', wanted: [200], says: /<\/html>/u },
  { path: `/links/${id}`, wanted: [200, 404], says: /<\/html>/u },
  { path: `/find?q=bug+${id}`, wanted: [302, 404], says: /./u },
  { path: '/history.json', wanted: [200], says: /^\{/u },
  { path: '/healthz', wanted: [200], says: /"alive":true/u },
  { path: '/readyz', wanted: [200, 503], says: /"ready":true/u },
];

/** Begins again as a browser does, as the daemon may not be up yet or be gone. */
async function hear(server: Server, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const answer = await fetch(`http://127.0.0.1:${server.port}/live`, { headers, signal });
      for await (const _news of answer.body ?? []) if (signal.aborted) return;
    } catch {
      await new Promise((done) => setTimeout(done, 250));
    }
  }
}

/**
 * The defects that the HTTP server reports when everything should be in step. Where people did something that cannot
 * cross, that waits for a person, and only that may: nothing else may wait.
 */
export async function notInStep(server: Server): Promise<readonly string[]> {
  const complaints: string[] = [];
  const ask = (path: string) =>
    send(server, path, { headers: { authorization: `Bearer ${server.token}` } }, (words) => complaints.push(words));
  const [ready, metrics, board] = [await ask('/readyz'), await ask('/metrics'), await ask('/')];
  if (ready?.status !== 200) complaints.push(`/readyz answers ${ready?.status} at the end: ${ready?.text}`);
  const { isForPerson, wrong } = judged(metrics?.text ?? '');
  complaints.push(...wrong.map((line) => `/metrics at the end: ${line}`));
  const says = isForPerson ? 'need you|needs you' : 'Everything is in step';
  if (board === null || !new RegExp(says, 'u').test(board.text))
    complaints.push(`the dashboard does not say at the end: ${says}`);
  return complaints;
}

/** What the gauges of a route at rest say against it. */
export function judged(metrics: string): { readonly isForPerson: boolean; readonly wrong: readonly string[] } {
  const lines = metrics
    .split('\n')
    .filter((line) => /^bugferry_(?:in_step|outbox|waiting_links|conflicts|attention)\{/u.test(line));
  const isForPerson = lines.some(
    (line) => /^bugferry_(?:conflicts|attention|outbox\{.*"parked")/u.test(line) && !line.endsWith(' 0'),
  );
  const inStep = lines.find((line) => line.startsWith('bugferry_in_step'));
  if (inStep === undefined) return { isForPerson, wrong: ['nothing of the route'] };
  const waits = lines.filter(
    (line) => /^bugferry_(?:outbox\{.*"(?:planned|sent)"|waiting_links)/u.test(line) && !line.endsWith(' 0'),
  );
  const isRight = inStep.endsWith(isForPerson ? ' 0' : ' 1');
  return { isForPerson, wrong: [...(isRight ? [] : [inStep]), ...waits] };
}
