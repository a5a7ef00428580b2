import type { Measured } from '../../model/rehearsal.ts';
import { type Finding, fine, type Verdict, warning } from './verdict.ts';

/** A server changes; after this time, a rehearsal says little about it. */
const staleMs = 180 * 86_400_000;

/** Where the server differs from what the bridge assumes, by a rehearsal. */
export function judgeMeasured(measured: Measured, { url, file, now }: { url: string; file: string; now: number }): readonly Verdict[] {
  const { server, cases, startedAt, endedAt } = measured;
  const day = startedAt.slice(0, 10);
  const count = (verdict: string): number => cases.filter((each) => each.verdict === verdict).length;
  const sum = `${count('as-assumed')} of ${cases.length} assumptions held on ${day}, ${count('not-tried')} were not tried`;
  const differing = cases.filter(({ verdict }) => verdict === 'differs');
  const findings: readonly Finding[] = [
    ...(server === url ? [] : [warning(`it is about ${server}, and the configuration uses ${url}; rehearse there`)]),
    ...(endedAt === null ? [warning('the rehearsal did not end; run the same bugferry rehearse again')] : []),
    ...(now - Date.parse(startedAt) > staleMs ? [warning(`it is of ${day}; rehearse again, as servers change`)] : []),
    ...differing.map(({ id, assumes, seen, means }) => warning(`${id}: ${assumes} Here: ${seen ?? ''}. ${means ?? ''}`)),
    ...(differing.length === 0 ? [fine(sum)] : []),
  ];
  return findings.map((each) => ({ ...each, about: `rehearsal ${file}` }));
}
