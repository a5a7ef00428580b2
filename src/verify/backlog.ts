import type { RouteState } from '../kernel/context.ts';
import type { FieldName } from '../model/item.ts';
import { bodyId, type CommentLink, type Link } from '../model/link.ts';
import type { Operation, OperationKind } from '../model/plan/operation.ts';
import type { Aspect, Difference, PairReport } from '../model/reports/verification.ts';

/**
 * Takes the differences that writes of the queue will end out of the others: they need no person. A difference that
 * shows what must not be shown never waits.
 */
export function withBacklog(state: RouteState, link: Link | null, report: PairReport): PairReport {
  if (link === null || link.state !== 'live' || report.differences.length === 0) return report;
  const queued = state.store.outbox.ofLink(link.id).filter(({ state: stands }) => stands !== 'parked');
  const ends = queued.map(({ operation }) => endedBy(state, operation));
  // A large backlog is planned part by part: a bug or an issue that is due has no write in the queue yet.
  const isDue = link.urgency !== 'none' && (link.bug === null || link.issue === null);
  const waits = (difference: Difference): boolean =>
    (isDue && difference.aspect === 'counterpart') || ends.some((end) => end(difference));
  return {
    ...report,
    differences: report.differences.filter((difference) => !waits(difference)),
    waiting: report.differences.filter(waits),
  };
}

type Ends = (difference: Difference) => boolean;

const endsNothing = (): Ends => () => false;

const endedByKind: {
  readonly [Kind in OperationKind]: (state: RouteState, operation: Operation<Kind>) => Ends;
} = {
  create: () => isOf(['counterpart']),
  update: (_state, { target, isPointing }) =>
    isOf([...Object.keys(target).flatMap(aspectsOf), ...(isPointing ? (['pointer'] as const) : []), ...tidied(target)]),
  comment: ({ store }, { commentLink }) =>
    isOfText(store.commentLinks.byId(commentLink), ['comment', 'description', 'reference']),
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
