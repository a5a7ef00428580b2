import type { CaseResult, Measured } from '../model/rehearsal.ts';
import { type Finding, fine, type Verdict, warning } from './verdict.ts';

/** If a larger share is untried, a rehearsal says little about the server. */
const untriedShareMax = 0.25;

/** A server changes; after this time, a rehearsal says little about it. */
const staleMs = 180 * 86_400_000;

interface Compared {
  /** The address of the API in the configuration. */
  readonly url: string;
  /** The file that holds the result. */
  readonly file: string;
  readonly now: number;
  /** The number of assumptions that a whole rehearsal tries. */
  readonly caseCount: number;
}

/** The assumptions of the bridge that a rehearsal found wrong. */
export function judgeMeasured(measured: Measured, { url, file, now, caseCount }: Compared): readonly Verdict[] {
  const { server, cases, startedAt, endedAt } = measured;
  const day = startedAt.slice(0, 10);
  const count = (verdict: string): number => cases.filter((each) => each.verdict === verdict).length;
  const [total, when] = endedAt === null ? [caseCount, `so far, since ${day}`] : [cases.length, `on ${day}`];
  const sum = `${count('as-assumed')} of ${total} assumptions held ${when}, ${count('not-tried')} were not tried`;
  const differing = cases.filter(({ verdict }) => verdict === 'differs');
  const findings: readonly Finding[] = [
    ...(server === url ? [] : [warning(`it is about ${server}, and the configuration uses ${url}; rehearse there`)]),
    ...(endedAt === null ? [warning('the rehearsal did not end; run the same bugferry rehearse again')] : []),
    ...(now - Date.parse(startedAt) > staleMs ? [warning(`it is of ${day}; rehearse again, as servers change`)] : []),
    ...differing.map(({ id, assumes, seen, means }) =>
      warning(`${id}: ${assumes} Here: ${seen ?? ''}. ${means ?? ''}`),
    ),
    ...untriedIn(cases),
    ...(differing.length === 0 ? [fine(sum)] : []),
  ];
  return findings.map((each) => ({ ...each, about: `rehearsal ${file}` }));
}

/** Each reason, the most frequent first. */
function untriedIn(cases: readonly CaseResult[]): readonly Finding[] {
  const untried = cases.filter(({ verdict }) => verdict === 'not-tried');
  if (untried.length <= untriedShareMax * cases.length) return [];
  const counts = new Map<string, number>();
  for (const { why } of untried) counts.set(why ?? '', (counts.get(why ?? '') ?? 0) + 1);
  const reasons = [...counts].sort(([, a], [, b]) => b - a).map(([why, count]) => `${count}: ${why}`);
  return [
    warning(
      `${untried.length} of ${cases.length} assumptions were not tried (${reasons.join('; ')}); rehearse with more rights`,
    ),
  ];
}
