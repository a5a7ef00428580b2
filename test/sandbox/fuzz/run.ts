import { random } from '../../support/random.ts';
import { type FuzzAnswer, readAnswer } from './answer.ts';
import { unseen, wrongMail } from './audience.ts';
import { wrongEffect } from './effect.ts';
import { type FuzzRequest, fuzzRequest } from './request.ts';
import { difference, freezeRows, snapshotOf } from './state.ts';
import { type FuzzWorld, fuzzWorld, maySeeSecret, type Secret, type Sources } from './world.ts';

export interface FuzzReport {
  /** What went wrong, one line each, with the seed and the number of the request. */
  readonly complaints: readonly string[];
  /** Answers that were no errors, and all, by method and route. */
  readonly reach: ReadonlyMap<string, { done: number; asked: number }>;
  /** How often each code was answered. */
  readonly codes: ReadonlyMap<number, number>;
}

/** More than any honest request needs: a pattern that runs away needs minutes. */
export const cpuMaxMs = 2000;

/** Time that the processor has worked, which a busy machine does not stretch. */
export function cpuMsSince(started: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000;
}

/** Plays generated requests to a tracker of its own and looks at each answer, and at what it did. */
export async function fuzz(sources: Sources, seed: number, count: number): Promise<FuzzReport> {
  const draws = random(seed);
  const stage = fuzzWorld(sources, seed);
  const server = sources.trackerServer(stage.world);
  const { state } = stage.world;
  const report = {
    complaints: [] as string[],
    reach: new Map<string, { done: number; asked: number }>(),
    codes: new Map<number, number>(),
  };
  freezeRows(state);
  for (let number = 1; number <= count; number += 1) {
    const request = fuzzRequest(draws, state);
    const before = snapshotOf(state);
    const hidden = hiddenWords(stage, request);
    const started = process.cpuUsage();
    const { method, headers, body } = request;
    const init = { method, headers, ...(body === null ? {} : { body }) };
    const answer = await readAnswer(await server.request(`http://tracker.example.test${request.path}`, init), request);
    const workMs = cpuMsSince(started);
    const changed = difference(before, snapshotOf(state));
    freezeRows(state);
    const leaked = leak(answer, hidden, hiddenWords(stage, request));
    const slow = workMs > cpuMaxMs ? `${workMs} ms of work` : null;
    const effect = wrongEffect({ request, answer, state, before, changed });
    const shown = unseen(answer, request, state) ?? wrongMail(state, changed.rows.events);
    for (const fault of [answer.fault, effect, shown, leaked, slow]) {
      if (fault !== null)
        report.complaints.push(
          `seed ${seed}, request ${number}: ${describe(request)}: ${answer.status} ${answer.code ?? ''}: ${fault}`,
        );
    }
    record(report, request, answer);
    stage.clock.now += draws.below(3) * 700;
  }
  return report;
}

/** Words that none of those whom the caller may be could read just now. */
const hiddenWords = ({ world, secrets }: FuzzWorld, { callers, route }: FuzzRequest): ReadonlySet<Secret> => {
  const isHistory = route.endsWith('/history') || route === '/jsonrpc.cgi';
  return new Set(
    secrets.filter((secret) => !callers.some((user) => maySeeSecret(world.state, user, secret, isHistory))),
  );
};

function leak({ text }: FuzzAnswer, before: ReadonlySet<Secret>, after: ReadonlySet<Secret>): string | null {
  const shown = [...before].filter((secret) => after.has(secret) && isIn(text, secret));
  return shown.length === 0 ? null : `shows ${shown.map(({ word }) => word).join(', ')}`;
}

const isIn = (text: string, { word }: Secret): boolean =>
  text.includes(word) || text.includes(Buffer.from(word).toString('base64'));

const describe = ({ method, path, callers, body, headers }: FuzzRequest): string => {
  const who = callers.map((user) => user?.login.split('@')[0] ?? 'nobody').join('/');
  const text = body === null ? '' : ` ${typeof body === 'string' ? body.slice(0, 500) : '(bytes)'}`;
  return `${who} ${method} ${path.slice(0, 500)}${text} ${JSON.stringify(headers)}`;
};

function record(
  { reach, codes }: { reach: Map<string, { done: number; asked: number }>; codes: Map<number, number> },
  request: FuzzRequest,
  answer: FuzzAnswer,
): void {
  const name = `${request.method} ${request.route}`;
  const row = reach.get(name) ?? { done: 0, asked: 0 };
  row.asked += 1;
  if (answer.code === null && answer.body !== undefined) row.done += 1;
  reach.set(name, row);
  if (answer.code !== null) codes.set(answer.code, (codes.get(answer.code) ?? 0) + 1);
}
