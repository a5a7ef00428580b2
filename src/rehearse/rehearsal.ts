import type { CaseResult, Progress } from '../model/rehearsal.ts';
import type { Allowance } from '../rules/limits/brake-and-budget.ts';
import type { Case, Family, Need, Observation } from './case.ts';
import { cleanUp } from './clean-up.ts';
import { type Home, type Read, readHome, titleStart, UnsuitableRepository, whyNotOurs } from './home.ts';
import { judgeCase } from './judge.ts';
import type { RehearsalPort } from './port.ts';
import { NoScratch, openScratch, type Scratch } from './scratch.ts';
import { pacedSending, Unanswered } from './sending.ts';
import { valueAt } from './value.ts';

export interface RehearsalOptions {
  readonly port: RehearsalPort;
  readonly owner: string;
  readonly repo: string;
  /** The name of another repository of the owner, to transfer issues to; null for none. */
  readonly second: string | null;
  readonly families: readonly Family[];
  readonly allowances: readonly Allowance[];
  /** How long a write may take to be seen everywhere. */
  readonly settleMs: number;
  /** Where an earlier run has stopped, or the beginning. */
  readonly progress: Progress;
  /** Called after everything that must not be forgotten. */
  readonly save: (progress: Progress) => void;
  readonly tell: (event: RehearsalEvent) => void;
  /** Stops the rehearsal: a case that runs then has no result. */
  readonly signal: AbortSignal;
}

export type RehearsalEvent =
  | { readonly kind: 'case'; readonly result: CaseResult; readonly done: number; readonly total: number }
  | { readonly kind: 'running'; readonly id: string; readonly done: number; readonly total: number }
  | { readonly kind: 'waiting'; readonly until: number; readonly why: string }
  | { readonly kind: 'cleaning' };

export interface Rehearsal {
  readonly home: Home;
  /**
   * Runs all cases that have no result yet, or whose answer was lost, then cleans up. Throws `SideError` if GitHub
   * stops answering.
   */
  run(): Promise<Progress>;
}

/** Looks at the repository and writes nothing. Throws `UnsuitableRepository`, and `SideError` if it cannot be read. */
export async function openRehearsal(options: RehearsalOptions): Promise<Rehearsal> {
  const { port, owner, repo, second, save, tell, signal } = options;
  let progress: Progress = { ...options.progress, cases: options.progress.cases.filter((each) => !isLost(each)) };
  const keep = (change: Partial<Progress>): void => {
    progress = { ...progress, ...change };
    save(progress);
  };
  const send = pacedSending({
    port,
    signal,
    allowances: options.allowances,
    creations: () => progress.creations,
    count(isCreation) {
      const requests = progress.requests + 1;
      if (isCreation) keep({ requests, creations: [...progress.creations, port.now()] });
      else progress = { ...progress, requests };
    },
    waiting: (until, why) => tell({ kind: 'waiting', until, why }),
  });
  const read: Read = (path, about, query) =>
    send({ ...(query === undefined ? { method: 'GET' } : { method: 'POST', body: { query } }), path, about }, false);
  if (progress.serverVersion !== '') await issuesOn(send, `/repos/${owner}/${repo}`);
  const home = await readHome(read, { owner, repo, second, isApp: port.isApp });
  const foreign = await whyNotOurs(read, home, { isResumed: progress.serverVersion !== '' });
  if (foreign !== null) throw new UnsuitableRepository(foreign);
  const scratch = openScratch({ home, port, send, settleMs: options.settleMs, progress: () => progress, keep });
  return {
    home,
    async run() {
      keep({ serverVersion: home.serverVersion });
      await markOurs(scratch);
      const cases = options.families.flatMap((family) => family.cases.map((each) => ({ family: family.name, each })));
      const known = new Set(progress.cases.map(({ id }) => id));
      for (const { family, each } of cases.filter(({ each: { id } }) => !known.has(id))) {
        tell({ kind: 'running', id: each.id, done: progress.cases.length, total: cases.length });
        const result = judgeCase(each, family, lacking(each, home) ?? (await observed(each, scratch)));
        signal.throwIfAborted();
        keep({ cases: [...progress.cases, result] });
        tell({ kind: 'case', result, done: progress.cases.length, total: cases.length });
      }
      tell({ kind: 'cleaning' });
      keep({ left: await cleanUp(scratch, progress) });
      keep({ endedAt: new Date(port.now()).toISOString() });
      return progress;
    },
  };
}

/** A rehearsal that was killed while it had issues disabled enables them again. */
async function issuesOn(send: ReturnType<typeof pacedSending>, path: string): Promise<void> {
  const { taken, data } = await send({ method: 'GET', path, about: 'look at the repository' }, false);
  if (taken !== 'answered' || valueAt(data, 'has_issues') !== false) return;
  await send({ method: 'PATCH', path, body: { has_issues: true }, about: 'enable issues again' }, false);
}

/** The first issue says to people what the repository is for, and to a later rehearsal that it may be used. */
async function markOurs({ get, post, home }: Scratch): Promise<void> {
  const title = `${titleStart}bugferry tries here what it assumes of GitHub`;
  const { data } = await get('/issues?state=all&per_page=1&sort=created&direction=asc');
  if (Array.isArray(data) && data.length > 0) return;
  const body = `Everything in ${home.owner}/${home.repo} was made by bugferry rehearse, or may be deleted by it. Do not use the repository for anything else.`;
  const answer = await post('/issues', { title, body });
  if (answer.taken !== 'answered') throw new UnsuitableRepository(answer.why ?? 'no issue could be made there');
}

const lostStart = 'the answer was lost';

/** Says nothing of the server, so it is worth another try. */
const isLost = ({ verdict, why }: CaseResult): boolean => verdict === 'not-tried' && (why ?? '').startsWith(lostStart);

async function observed(each: Case, scratch: Scratch): Promise<Observation> {
  try {
    return await each.observe(scratch);
  } catch (error) {
    if (error instanceof Unanswered) return { untried: `${lostStart}: ${error.message}` };
    if (error instanceof NoScratch) return { untried: `something for it could not be made: ${error.message}` };
    // A value that is not there, or is no time or address.
    if (error instanceof TypeError || error instanceof RangeError)
      return { untried: `an answer could not be read: ${error.message}` };
    throw error;
  }
}

/** Why a case cannot be tried here; null if it can. */
function lacking({ needs = [] }: Case, home: Home): Observation | null {
  const missing = needs.find((need) => !has[need](home));
  return missing === undefined ? null : { untried: reasons[missing] };
}

const has: Readonly<Record<Need, (home: Home) => boolean>> = {
  admin: ({ rights }) => rights?.admin !== false,
  types: ({ types }) => types.length > 0,
  fields: ({ fields }) => fields.length > 0,
  commits: ({ hasCommits }) => hasCommits,
  second: ({ second }) => second !== null,
};

const reasons: Readonly<Record<Need, string>> = {
  admin: 'the account does not administer the repository',
  types: 'the owner has no issue types, or is not an organisation',
  fields: 'the owner has no issue fields, or this account does not see them',
  commits: 'the repository has no commit; create it with a README',
  second: 'it needs a second empty repository of the same owner: name it with --second',
};
