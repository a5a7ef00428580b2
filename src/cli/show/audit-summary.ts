import { cannotBeTakenBack, timeInWords } from '../../explain/words.ts';
import type { Route } from '../../model/route.ts';
import type { AuditedPair, AuditedWithdrawal, Ground } from '../../privacy/audit.ts';
import { type Style, type Terminal, visible } from '../terminal.ts';

export interface AuditPrinter {
  /** Prints one pair; nothing of it is kept but sums. */
  show(pair: AuditedPair): void;
  end(): void;
}

interface Options {
  readonly isJson: boolean;
  readonly isCheckingVisibility: boolean;
  /** When all of the route was last compared in full, and proved again; null before the first time. */
  readonly sweptAt: number | null;
}

/** Prints what stands on GitHub of one route, as it is found. */
export function auditPrinter(terminal: Terminal, route: Route, { isJson, isCheckingVisibility, sweptAt }: Options): AuditPrinter {
  const { out, json, paint } = terminal;
  const sums = { pairs: 0, withdrawn: 0, ...noGrounds };
  if (!isJson) {
    out(`${paint('bold', visible(route.name))}  ${visible(route.selection.product)} <-> ${visible(`${route.owner}/${route.repo}`)}`);
    out(paint('dim', `  ${rule(route, sweptAt)}`));
  }
  return {
    show(pair) {
      sums.pairs += 1;
      if (pair.isWithdrawn) sums.withdrawn += 1;
      for (const { ground } of pair.published) sums[ground] += 1;
      if (isJson) json({ route: route.name, ...pair });
      else printPair(terminal, pair);
    },
    end() {
      if (isJson) json({ route: route.name, visibilityCheck: route.visibilityCheck, sweptAt, isCheckingVisibility, sums });
      else printSums(terminal, sums, isCheckingVisibility);
    },
  };
}

type Sums = Record<Ground, number> & { readonly pairs: number; readonly withdrawn: number };

const noGrounds: Readonly<Record<Ground, number>> = { shown: 0, unproved: 0, trusted: 0, 'given-up': 0, 'to-go': 0, refuted: 0 };

function rule({ direction, visibilityCheck }: Route, sweptAt: number | null): string {
  if (direction === 'to-tracker') return 'nothing of the tracker is published on this route';
  if (visibilityCheck === 'none') return 'published is what the tracker does not call private (visibilityCheck: none)';
  const swept = sweptAt === null ? 'all of it was not read again yet' : `all of it was read again at ${timeInWords(sweptAt)}`;
  return `published is what a reader without an account was shown (visibilityCheck: anonymous); ${swept}`;
}

function printPair({ out, paint }: Terminal, { bug, issue, origin, checkedAt, why, published, withdrawals }: AuditedPair): void {
  const began = origin === 'github' ? ', began on GitHub: the words of people there are theirs' : '';
  out(`  ${paint('bold', visible(`bug ${bug} = ${issue}`))}${began}${why === null ? '' : `: ${visible(why)}`}`);
  for (const [ground, items] of Map.groupBy(published, (item) => item.ground)) {
    const visibilityChecked = ground === 'shown' && checkedAt !== null ? `, the bug at ${timeInWords(checkedAt)}` : '';
    out(`    ${paint(styles[ground], `${grounds[ground]}${visibilityChecked}`)}`);
    out(`      ${visible(items.map(({ name }) => name).join('; '))}`);
  }
  for (const each of withdrawals) out(`    ${paint('dim', visible(`${timeInWords(each.at)}  ${withdrawalInWords(each)}`))}`);
}

const grounds: Readonly<Record<Ground, string>> = {
  shown: 'shown to readers without an account',
  unproved: 'not read without an account by itself yet; the next full comparison does it, or --against anonymous now',
  trusted: 'not called private by the tracker',
  'given-up': 'not touched any more, because the pair was given up; look by hand what still stands',
  'to-go': 'NOT PUBLIC, and withdrawn by the next cycle: is bugferry running?',
  refuted: 'NOT SHOWN to a reader without an account; bugferry once --sweep withdraws it',
};

const styles: Readonly<Record<Ground, Style>> = {
  shown: 'green',
  unproved: 'yellow',
  trusted: 'green',
  'given-up': 'yellow',
  'to-go': 'red',
  refuted: 'red',
};

function withdrawalInWords({ kind, why, isIssue, comments, files, left }: AuditedWithdrawal): string {
  if (kind === 'restore') return 'public again: the issue was opened and filled from the tracker';
  const gone = [
    ...(isIssue ? ['the issue, which kept a neutral line and the number of the bug'] : []),
    ...(comments > 0 ? [`${comments} ${comments === 1 ? 'comment' : 'comments'}`] : []),
    ...(files > 0 ? [`${files} ${files === 1 ? 'file' : 'files'}`] : []),
  ];
  const because = why === null ? '' : `, because ${why}`;
  return `withdrawn: ${gone.join(', ') || 'what stood of it'}${because}${left === null ? '' : `; left: ${left}`}`;
}

function printSums({ out, paint }: Terminal, sums: Sums, isCheckingVisibility: boolean): void {
  const counted = (Object.keys(noGrounds) as readonly Ground[]).filter((ground) => sums[ground] > 0);
  out(
    `  ${sums.pairs} pairs, ${sums.withdrawn} of them withdrawn${isCheckingVisibility ? '; all that stands was read again without an account' : ''}`,
  );
  for (const ground of counted) out(`  ${paint(styles[ground], `${String(sums[ground]).padStart(6)}  ${grounds[ground]}`)}`);
  const exposed = sums['to-go'] + sums.refuted;
  out(
    exposed === 0 ? paint('green', '  Everything that stands there may.') : paint('red', `  ${exposed} things stand there and should not.`),
  );
  if (sums.withdrawn > 0) out(paint('dim', `  Of what was withdrawn: ${cannotBeTakenBack}.`));
}
