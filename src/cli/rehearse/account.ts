import { counted } from '../../explain/words.ts';
import { durationInWords } from '../../model/duration.ts';
import type { CaseVerdict, Measured, Progress } from '../../model/rehearsal.ts';
import { caseCount, usualWork } from '../../wire/rehearse.ts';
import type { Terminal } from '../terminal.ts';
import { linesOf } from './meter.ts';

/** Describes a rehearsal before it begins. */
export function introduction(
  { owner, repo, serverVersion }: { readonly owner: string; readonly repo: string; readonly serverVersion: string },
  { cases }: Progress,
  { leastMs, server }: { readonly leastMs: number; readonly server: string },
): readonly string[] {
  const { reads, writes, creations } = usualWork;
  const done = cases.length === 0 ? '' : ` ${cases.length} of them are done, and are not repeated.`;
  return [
    `Rehearsal in ${owner}/${repo} at ${server} (${serverVersion})`,
    `  ${counted(caseCount, 'case')}, some ${counted(reads + writes + creations, 'request')}, ${durationInWords(leastMs)} or more.${done}`,
    `  It writes issues, comments, labels, milestones, branches, a pull request, releases and a webhook to ${owner}/${repo}, and deletes what it may.`,
  ];
}

const count = ({ cases }: Measured, verdict: CaseVerdict): number =>
  cases.filter((each) => each.verdict === verdict).length;

/** The result of a rehearsal, as lines. */
export function resultOf(measured: Progress, terminal: Terminal, file: string): readonly string[] {
  const { paint } = terminal;
  const differing = measured.cases.filter(({ verdict }) => verdict === 'differs');
  const untried = count(measured, 'not-tried');
  const spent = durationInWords(Date.parse(measured.endedAt ?? measured.startedAt) - Date.parse(measured.startedAt));
  const words = differing.length === 0 ? paint('green', 'nothing differs') : paint('red', `${differing.length} differ`);
  return [
    '',
    ...(differing.length === 0
      ? []
      : [paint('bold', 'What differs'), ...differing.flatMap((each) => linesOf(each, terminal)), '']),
    `${measured.repository}: ${count(measured, 'as-assumed')} of ${measured.cases.length} as assumed, ${words}, ${untried} not tried; ${counted(measured.requests, 'request')} in ${spent}.`,
    ...(measured.left ?? []).map((left) => `left there: ${left}`),
    `The result is in ${file}: bugferry check --measured ${file} warns of what differs.`,
  ];
}
