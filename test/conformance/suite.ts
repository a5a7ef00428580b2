import type { Case } from './case.ts';
import { attachments } from './cases/attachments.ts';
import { bugFields } from './cases/bug-fields.ts';
import { comments } from './cases/comments.ts';
import { create } from './cases/create.ts';
import { flags } from './cases/flags.ts';
import { manners } from './cases/manners.ts';
import { objects } from './cases/objects.ts';
import { reading } from './cases/reading.ts';
import { search } from './cases/search.ts';
import { update } from './cases/update.ts';
import { workflow } from './cases/workflow.ts';
import { Differs, NotOffered } from './judge.ts';
import { whatLacks } from './needs.ts';
import { closing } from './samples.ts';
import type { Tracker } from './tracker.ts';
import { type Line, type Way, wayOf } from './ways.ts';

/** All cases, in the order of the interface's sections. */
export const cases: readonly Case[] = [
  ...bugFields,
  ...objects,
  ...workflow,
  ...reading,
  ...search,
  ...create,
  ...update,
  ...flags,
  ...attachments,
  ...comments,
  ...manners,
].sort((one, other) => one.section.localeCompare(other.section, 'en', { numeric: true }));

export type Verdict =
  /** `note`: which way the tracker went where it has a choice. */
  | { readonly kind: 'passed'; readonly remark: string | null }
  | { readonly kind: 'differs'; readonly what: string; readonly expected: string; readonly got: string }
  /** It differs, as its version is known to. */
  | { readonly kind: 'known'; readonly way: Way }
  | { readonly kind: 'not offered'; readonly reason: string };

export interface Result {
  readonly section: string;
  readonly name: string;
  readonly rules: readonly string[];
  readonly verdict: Verdict;
}

/** Runs cases one after the other, and closes what they left open. */
export async function runSuite(
  tracker: Tracker,
  chosen: readonly Case[] = cases,
  onResult: (result: Result) => void = () => {},
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const line = await tracker.line();
  for (const { section, name, rules, run, needs = [] } of chosen) {
    const result = {
      section,
      name,
      rules,
      verdict: explained(line, `${section} ${name}`, await judge(tracker, run, needs)),
    };
    results.push(result);
    onResult(result);
  }
  await tidy(tracker);
  return results;
}

function explained(line: Line | null, of: string, verdict: Verdict): Verdict {
  const way = verdict.kind === 'differs' ? wayOf(line, of, verdict) : null;
  return way === null ? verdict : { kind: 'known', way };
}

async function judge(tracker: Tracker, run: Case['run'], needs: NonNullable<Case['needs']>): Promise<Verdict> {
  try {
    const reason = await whatLacks(tracker, needs);
    return reason === null ? { kind: 'passed', remark: (await run(tracker)) ?? null } : { kind: 'not offered', reason };
  } catch (error) {
    if (error instanceof NotOffered) return { kind: 'not offered', reason: error.message };
    if (error instanceof Differs)
      return { kind: 'differs', what: error.what, expected: error.expected, got: error.got };
    const got = error instanceof Error ? error.message : String(error);
    return { kind: 'differs', what: 'the tracker', expected: 'an answer', got };
  }
}

/** Bugs cannot be deleted, so what was made for the run is closed; what cannot be closed is left as it is. */
async function tidy(tracker: Tracker): Promise<void> {
  for (const bug of tracker.made) {
    try {
      if ((await tracker.read(bug))['is_open'] === true) await tracker.update(bug, await closing(tracker, bug));
    } catch {
      // Some bugs were hidden from the key on purpose.
    }
  }
}
