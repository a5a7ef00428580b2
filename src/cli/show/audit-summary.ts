import { counted, outOfReach, routeInWords, timeInWords } from '../../explain/words.ts';
import type { AuditedPair, AuditedWithdrawal, Ground } from '../../model/reports/audit.ts';
import type { Route } from '../../model/route.ts';
import { type Style, type Terminal, visible } from '../terminal.ts';

interface AuditPrinter {
  /** Prints one pair, and keeps only sums. */
  show(pair: AuditedPair): void;
  /** @param whyUnlisted why the attachment store was not listed; null if it was, or if the route has none */
  end(whyUnlisted: string | null): void;
}

interface Options {
  readonly isJson: boolean;
  readonly isCheckingVisibility: boolean;
  /** When the route was last compared in full and its visibility checked; null before the first time. */
  readonly sweptAt: number | null;
}

/** Prints the published content of one route as it is found. */
export function auditPrinter(
  terminal: Terminal,
  route: Route,
  { isJson, isCheckingVisibility, sweptAt }: Options,
): AuditPrinter {
  const { out, json, paint } = terminal;
  const sums = { pairs: 0, withdrawn: 0, unjudged: 0, ...noGrounds };
  if (!isJson) {
    out(
      `${paint('bold', visible(route.name))}  ${visible(routeInWords({ ...route, product: route.selection.product, repo: `${route.owner}/${route.repo}` }))}`,
    );
    out(paint('dim', `  ${rule(route, sweptAt)}`));
  }
  return {
    show(pair) {
      sums.pairs += 1;
      if (pair.isWithdrawn) sums.withdrawn += 1;
      if (pair.unjudged !== undefined) sums.unjudged += 1;
      for (const { ground } of pair.published) sums[ground] += 1;
      if (isJson) json(asDocument(route, pair));
      else printPair(terminal, pair);
    },
    end(whyUnlisted) {
      if (isJson) {
        const { name, visibilityCheck } = route;
        json({ route: name, visibilityCheck, sweptAt, isCheckingVisibility, whyUnlisted, sums });
      } else printSums(terminal, sums, { isCheckingVisibility, whyUnlisted });
    },
  };
}

/** The key `standing` is part of the interface. */
const asDocument = (route: Route, { published, ...pair }: AuditedPair) => ({
  route: route.name,
  ...pair,
  standing: published,
});

type Sums = Record<Ground | 'pairs' | 'withdrawn' | 'unjudged', number>;

const noGrounds: Readonly<Record<Ground, number>> = {
  shown: 0,
  unproved: 0,
  trusted: 0,
  'given-up': 0,
  'to-go': 0,
  refuted: 0,
};

function rule({ direction, visibilityCheck }: Route, sweptAt: number | null): string {
  if (direction === 'to-tracker') return 'this route publishes nothing from the tracker';
  if (visibilityCheck === 'none')
    return 'publishes everything that the tracker does not mark private (visibilityCheck: none)';
  const swept = sweptAt === null ? 'not checked again in full yet' : `last checked in full at ${timeInWords(sweptAt)}`;
  return `publishes what a reader without an account can see (visibilityCheck: anonymous); ${swept}`;
}

function printPair(
  { out, paint }: Terminal,
  { bug, issue, origin, checkedAt, why, published, withdrawals, unjudged }: AuditedPair,
): void {
  const began = origin === 'github' ? ', started on GitHub: texts written there are not listed' : '';
  out(
    `  ${paint('bold', visible(bug === null ? issue : `bug ${bug} = ${issue}`))}${began}${why === null ? '' : `: ${visible(why)}`}`,
  );
  if (unjudged !== undefined) out(`    ${paint('red', visible(unjudged))}`);
  for (const [ground, items] of Map.groupBy(published, (item) => item.ground)) {
    const checked = ground === 'shown' && checkedAt !== null ? `, the bug at ${timeInWords(checkedAt)}` : '';
    out(`    ${paint(styles[ground], `${grounds[ground]}${checked}`)}`);
    out(`      ${visible(items.map(({ name }) => name).join('; '))}`);
  }
  for (const each of withdrawals)
    out(`    ${paint('dim', visible(`${timeInWords(each.at)}  ${withdrawalInWords(each)}`))}`);
}

const grounds: Readonly<Record<Ground, string>> = {
  shown: 'visible to readers without an account',
  unproved:
    'not yet checked on its own without an account; the next full comparison does that, or --against anonymous now',
  trusted: 'not marked private by the tracker',
  'given-up': 'no longer updated, because the pair was given up; check by hand what is still there',
  'to-go': 'NOT PUBLIC; the next cycle withdraws it: is bugferry running?',
  refuted: 'NOT VISIBLE to a reader without an account; bugferry once --sweep withdraws it',
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
  if (kind === 'restore') return 'public again: the issue was restored from the tracker';
  const gone = [
    ...(isIssue ? ['the issue, except for a neutral line and the bug number'] : []),
    ...(comments > 0 ? [counted(comments, 'comment')] : []),
    ...(files > 0 ? [counted(files, 'file')] : []),
  ];
  const because = why === null ? '' : `, because ${why}`;
  return `withdrawn: ${gone.join(', ') || 'everything published'}${because}${left === null ? '' : `; left: ${left}`}`;
}

function printSums(
  { out, paint }: Terminal,
  sums: Sums,
  {
    isCheckingVisibility,
    whyUnlisted,
  }: { readonly isCheckingVisibility: boolean; readonly whyUnlisted: string | null },
): void {
  const met = (Object.keys(noGrounds) as readonly Ground[]).filter((ground) => sums[ground] > 0);
  out(
    `  ${counted(sums.pairs, 'pair')}, ${sums.withdrawn} of them withdrawn${isCheckingVisibility ? '; everything published was checked again without an account' : ''}`,
  );
  for (const ground of met)
    out(`  ${paint(styles[ground], `${String(sums[ground]).padStart(6)}  ${grounds[ground]}`)}`);
  if (whyUnlisted !== null)
    out(paint('yellow', `  The attachment store was not listed: ${visible(whyUnlisted)}. It may contain more files.`));
  const exposed = sums['to-go'] + sums.refuted;
  const [failed, verb] = [counted(sums.unjudged, 'pair'), sums.unjudged === 1 ? 'was' : 'were'];
  if (sums.unjudged > 0) out(paint('red', `  ${failed} ${verb} not judged, because bugferry itself failed.`));
  out(
    exposed === 0
      ? paint(
          'green',
          `  Everything ${whyUnlisted === null && sums.unjudged === 0 ? '' : 'else '}published is allowed to be.`,
        )
      : paint('red', `  ${counted(exposed, 'item is', 'items are')} published and must not be.`),
  );
  if (sums.withdrawn > 0) out(paint('dim', `  About the withdrawn content: ${outOfReach}.`));
}
