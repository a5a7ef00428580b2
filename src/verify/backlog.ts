import type { RouteState } from '../kernel/context.ts';
import type { FieldName } from '../model/item.ts';
import { bodyId, type CommentLink, type Link } from '../model/link.ts';
import type { Operation, OperationKind } from '../model/plan/operation.ts';
import type { OutboxRow } from '../model/plan/outbox.ts';
import type { Aspect, Difference, PairReport } from '../model/reports/verification.ts';

/**
 * Takes the differences that writes of the queue will end out of the others: they need no person. A difference that
 * shows what must not be shown never waits.
 * @param isImported whether a migration made the issue, with texts of which the state may not know yet
 */
export function withBacklog(state: RouteState, link: Link | null, report: PairReport, isImported: boolean): PairReport {
  if (link === null || link.state !== 'live' || report.differences.length === 0) return report;
  const rows = state.store.outbox.ofLink(link.id);
  const queued = rows.filter(({ state: stands }) => stands !== 'parked');
  // A large backlog is planned part by part: what is due has no write in the queue yet.
  const isDue = link.urgency !== 'none';
  const lacksEnd = link.bug === null || link.issue === null;
  const ends = [
    ...queued.map(({ operation }) => endedBy(state, operation)),
    ...(isDue && lacksEnd ? [isOf(['counterpart'])] : []),
    ...(isDue && !isImported ? unplannedOf(state, link, rows).map((comment) => isOfText(comment, copied)) : []),
  ];
  const waits = (difference: Difference): boolean => ends.some((end) => end(difference));
  return {
    ...report,
    differences: report.differences.filter((difference) => !waits(difference)),
    waiting: report.differences.filter(waits),
  };
}

/** Texts of the tracker that were read, and have no copy yet. */
export const pendingOf = ({ store }: RouteState, { id }: Link): readonly CommentLink[] =>
  store.commentLinks
    .ofLink(id)
    .filter(({ origin, state, copy }) => origin === 'tracker' && state === 'pending' && copy === null);

const unplannedOf = (state: RouteState, link: Link, rows: readonly OutboxRow[]): readonly CommentLink[] =>
  pendingOf(state, link).filter(({ id }) =>
    rows.every(({ operation }) => !('commentLink' in operation) || operation.commentLink !== id),
  );

type Ends = (difference: Difference) => boolean;

const endsNothing = (): Ends => () => false;

const endedByKind: {
  readonly [Kind in OperationKind]: (state: RouteState, operation: Operation<Kind>) => Ends;
} = {
  create: () => isOf(['counterpart']),
  update: (_state, { target, isPointing }) =>
    isOf([...Object.keys(target).flatMap(aspectsOf), ...(isPointing ? (['pointer'] as const) : []), ...tidied(target)]),
  comment: ({ store }, { commentLink }) => isOfText(store.commentLinks.byId(commentLink), copied),
  rewrite: ({ store }, { commentLink, hides }) =>
    hides !== undefined
      ? endsNothing()
      : isOfText(store.commentLinks.byId(commentLink), ['comment', 'description', 'author', 'reference']),
  minimize: ({ store }, { commentLink }) => isOfText(store.commentLinks.byId(commentLink), ['minimize']),
  point: () => (difference) =>
    ['bug', 'issue'].includes(difference.about) && isOf(['pointer', 'reference'])(difference),
  file: ({ store }, { attachmentLink, act }) => {
    const file = store.attachmentLinks.byId(attachmentLink);
    if (file === null || act === 'withdraw') return endsNothing();
    const { origin, name, source } = file;
    const about =
      origin === 'tracker' ? `attachment ${source}` : `the file ${name === '' ? source : name} in the issue`;
    return (difference) => difference.about === about && isOf(['file', 'reference'])(difference);
  },
  erase: endsNothing,
  remark: endsNothing,
  pull: endsNothing,
  push: endsNothing,
  lock: (_state, { act }) => (act === 'lock' ? isOf(['lock']) : endsNothing()),
};

const endedBy = <Kind extends OperationKind>(state: RouteState, operation: Operation<Kind>): Ends =>
  (endedByKind[operation.kind] as (state: RouteState, operation: Operation<Kind>) => Ends)(state, operation);

const isOf =
  (aspects: readonly Aspect[]): Ends =>
  ({ aspect }) =>
    aspects.includes(aspect);

const copied: readonly Aspect[] = ['comment', 'description', 'reference'];

/** The comparison names texts so. */
function isOfText(comment: CommentLink | null, aspects: readonly Aspect[]): Ends {
  if (comment === null) return endsNothing();
  const { origin, source, count } = comment;
  const tracker = count === 0 ? 'description' : `comment ${count ?? source}`;
  const github = source === bodyId ? 'body of the issue' : `comment ${source} on GitHub`;
  const about = origin === 'tracker' ? tracker : github;
  return (difference) => difference.about === about && isOf(aspects)(difference);
}

const aspectOf: Readonly<Partial<Record<FieldName | string, readonly Aspect[]>>> = {
  title: ['title'],
  // A status may have a label.
  status: ['state', 'label'],
  assignee: ['assignee'],
  milestone: ['milestone'],
  dependsOn: ['dependency'],
  table: ['table'],
};
const aspectsOf = (field: string): readonly Aspect[] => aspectOf[field] ?? ['label', 'type', 'field'];

/** An update that sets no field removes labels that do not match the fields. */
const tidied = (target: object): readonly Aspect[] => (Object.keys(target).length === 0 ? ['label'] : []);
