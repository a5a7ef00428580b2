import { isFault } from '../../kernel/set-aside.ts';
import type { AnonymousReader } from '../../model/anonymous-reader.ts';
import { Endless, whyUnmapped } from '../../model/answers/fault.ts';
import { aboutOf, type Link } from '../../model/link.ts';
import { type NotApplied, SideError } from '../../model/outcome.ts';
import type { AuditedPair } from '../../model/reports/audit.ts';
import type { Route } from '../../model/route.ts';
import type { Watch } from '../../model/runtime.ts';
import type { Store } from '../../model/store.ts';
import { type AnonymousView, auditOf, comparedWithView } from '../../rules/privacy/audit.ts';
import { type Looking, type Stray, strayFiles } from './stray-files.ts';

/** Pairs read together. */
const batchSize = 100;

interface Judging {
  readonly route: Route;
  readonly store: Store;
  readonly watch: Watch;
}

export interface AuditOptions extends Judging {
  /** Reads all published content again without credentials; null makes no request. */
  readonly against: AnonymousReader | null;
}

/**
 * Lists all tracker content published on GitHub, and all withdrawals, pair by pair in the order of the state. Holds one
 * batch at a time, and writes nothing. Throws `SideError` if the tracker cannot be read.
 */
export async function* audit(options: AuditOptions): AsyncGenerator<AuditedPair> {
  const { route, store, against } = options;
  if (against !== null && !(await against.isServed()))
    throw new SideError(
      'refused',
      'the tracker shows nothing without an account, so nothing of it can be shown to be public',
      {
        side: 'tracker',
      },
    );
  for (const links of store.links.batches(route.name, batchSize)) {
    const found = links.flatMap((link) => {
      const judge = () => {
        const commentLinks = store.commentLinks.ofLink(link.id);
        const input = { link, commentLinks, attachmentLinks: store.attachmentLinks.ofLink(link.id) };
        return auditOf(route, input, store.ledger.ofLink(link.id));
      };
      const pair = judging(options, link, judge, (unjudged) => pairUnjudged(link, unjudged));
      return pair === null ? [] : [{ link, pair }];
    });
    yield* against === null ? found.map(({ pair }) => pair) : await judged(options, against, found);
  }
}

/**
 * Lists the attachment store, and names the copies of files that the state does not know and the tracker does not show,
 * by pair. Throws `SideError`.
 */
export async function auditStore(looking: Looking & Judging): Promise<readonly AuditedPair[]> {
  const attachmentStore = looking.files?.attachmentStore ?? null;
  if (attachmentStore === null || looking.route.direction === 'to-tracker') return [];
  const failed: AuditedPair[] = [];
  const strays = await strayFiles(looking, attachmentStore, {
    judge: ({ bug, attachment }, run) =>
      judging(looking, { bug, issue: null }, run, (unjudged) => {
        failed.push({ ...noPair, bug, issue: `attachment ${attachment} in the attachment store`, unjudged });
        return null;
      }),
    ask: (_stray, run) => run(),
  });
  if (strays.kind === 'applied') return [...pairsOf(looking.route, strays.item), ...failed];
  throw new SideError('refused', `the attachment store cannot be listed: ${whyOf(strays)}`, { side: 'github' });
}

const pairsOf = (route: Route, strays: readonly Stray[]): readonly AuditedPair[] =>
  [...Map.groupBy(strays, ({ link }) => link)].map(([link, files]) => ({
    bug: link?.bug ?? null,
    issue: link === null ? `the attachment store of ${route.owner}/${route.repo}` : aboutOf(link, 'github'),
    origin: link?.origin ?? 'tracker',
    checkedAt: null,
    why: files[0]?.hidden ?? null,
    isWithdrawn: link?.isWithdrawn ?? false,
    published: files.map(({ attachment }) => ({
      what: 'file',
      name: `a copy of attachment ${attachment} that the state does not know`,
      source: attachment,
      ground: 'refuted',
    })),
    withdrawals: [],
  }));

const whyOf = (outcome: NotApplied): string => (outcome.kind === 'gone' ? outcome.gone.why : outcome.why);

interface Found {
  readonly link: Link;
  readonly pair: AuditedPair;
}

const noPair = {
  origin: 'tracker',
  checkedAt: null,
  why: null,
  isWithdrawn: false,
  published: [],
  withdrawals: [],
} as const;

const pairUnjudged = (link: Link, unjudged: string): AuditedPair => ({
  ...noPair,
  bug: link.bug,
  issue: aboutOf(link, 'github'),
  unjudged,
});

/**
 * What is said of a pair, or that we fail to say anything, or did not end before. The state is not written, so nothing
 * is set aside here.
 */
function judging<T, Failed>(
  { route, store, watch }: Judging,
  { bug, issue }: { readonly bug: number | null; readonly issue: number | null },
  run: () => T,
  instead: (unjudged: string) => Failed,
): T | Failed {
  const [side, ref] = bug === null ? (['github', issue ?? 0] as const) : (['tracker', bug] as const);
  try {
    const isEndless = store.setAside
      .ofRoute(route.name)
      .some((row) => row.cause === 'hang' && row.side === side && row.ref === ref);
    if (isEndless) throw new Endless();
    return watch.during({ route: route.name, side, ref, stage: 'plan', of: 'link' }, run);
  } catch (error) {
    if (!isFault({ store }, error)) throw error;
    return instead(whyUnmapped('it', error));
  }
}

async function judged(
  options: Judging,
  anonymousReader: AnonymousReader,
  found: readonly Found[],
): Promise<readonly AuditedPair[]> {
  const shown = await shownOf(
    anonymousReader,
    found.flatMap(({ pair }) => (pair.published.length === 0 ? [] : [pair])),
  );
  return found.map(({ link, pair }) => {
    const compare = () => comparedWithView(pair, link, shown.get(pair.bug ?? 0) ?? null);
    return judging(options, link, compare, (unjudged) => pairUnjudged(link, unjudged));
  });
}

async function shownOf(
  anonymousReader: AnonymousReader,
  pairs: readonly AuditedPair[],
): Promise<ReadonlyMap<number, AnonymousView>> {
  if (pairs.length === 0) return new Map();
  const bugs = await anonymousReader.bugs(pairs.flatMap(({ bug }) => bug ?? []));
  const visible = pairs.filter(({ bug }) => bugs.get(bug ?? 0));
  const having = (what: 'comment' | 'file') =>
    visible.filter(({ published }) => published.some((item) => item.what === what)).flatMap(({ bug }) => bug ?? []);
  const [spoken, filed] = [having('comment'), having('file')];
  const comments = spoken.length === 0 ? null : await anonymousReader.comments(spoken);
  const files = filed.length === 0 ? null : await anonymousReader.attachments(filed);
  const ids = (list: readonly { readonly id: number }[] = []): ReadonlySet<number> => new Set(list.map(({ id }) => id));
  return new Map(
    [...bugs].flatMap(([id, bug]) =>
      bug === null ? [] : [[id, { bug, comments: ids(comments?.get(id)), files: ids(files?.get(id)) }] as const],
    ),
  );
}
