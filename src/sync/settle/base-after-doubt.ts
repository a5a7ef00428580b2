import type { RouteState } from '../../kernel/context.ts';
import type { Side } from '../../model/ids.ts';
import type { FieldName, Fields, Item, Value } from '../../model/item.ts';
import type { Link } from '../../model/link.ts';
import type { CreateOperation } from '../../model/plan/operation.ts';
import type { OutboxRow } from '../../model/plan/outbox.ts';
import { withoutLeftOut } from '../../rules/fields/left-out.ts';
import { baseOfCreated, settleFields } from '../../rules/fields/move-base.ts';
import { canonicalTitle, equalFields, equalValues, namesIn, titleMax, titleWithin } from '../../text/canonical.ts';
import { fieldsOn } from '../observe/fields-on.ts';

/**
 * The link with its base after the outcome is known. A counterpart whose creation got no answer starts from the values
 * that were sent, since the current ones may already contain an edit.
 */
export function withBaseAfter(context: RouteState, link: Link, { operation }: OutboxRow): Link {
  if (operation.kind !== 'update' && operation.kind !== 'create') return link;
  const shown = fieldsOn(context, link, operation.on, operation.target);
  if (operation.kind === 'update')
    return { ...link, base: settleFields(link.base, operation.on, operation, operation.via, shown) };
  if (link.base !== null || link.bug === null || link.issue === null) return link;
  const { on } = operation;
  const sent = asMade(operation, shown, on === 'tracker' ? link.tracker : link.github);
  if (on === 'tracker')
    return { ...link, base: baseOfCreated(on, sent, { ...asFiled(shown, link.tracker), ...sent.target }) };
  const expressed = withoutLeftOut(context.route, sent, shown);
  return { ...link, base: baseOfCreated(on, expressed, { ...shown, status: 'open', ...expressed.target }) };
}

/** A bug is filed open. Any other status of a bug that was touched since is somebody's edit, and travels. */
const asFiled = (shown: Fields, bug: Item | null): Fields =>
  shown.status === undefined || isUntouched(bug) ? shown : { ...shown, status: 'open' };

/**
 * The creation, which has not arrived so far, with what it sent: its next try may send other values, and either may
 * arrive.
 */
export function withTried(operation: CreateOperation): CreateOperation {
  const { tried = [], target } = operation;
  return tried.some((each) => equalFields(each, target)) ? operation : { ...operation, tried: [...tried, target] };
}

const isUntouched = (item: Item | null): boolean => item !== null && item.changedAt === item.createdAt;

/**
 * A creation with the values that the new item shows, where nobody gave it those: an earlier try made it, or the server
 * chose them. What the original says now is then an edit, and travels. A title is never chosen by a server. Stamps have
 * whole seconds, so that one that nobody sent is somebody's edit, also on an item that seems untouched.
 */
function asMade(operation: CreateOperation, shown: Fields, item: Item | null): CreateOperation {
  const { on, source, target, tried = [] } = operation;
  const isMade = (field: FieldName): boolean =>
    typeof shown[field] === 'string' &&
    source[field] !== undefined &&
    !equalValues(shown[field], asSent(on, target, field)) &&
    (tried.some((each) => equalValues(shown[field], asSent(on, each, field))) ||
      (field !== 'title' && isUntouched(item)));
  const made = Object.fromEntries(
    namesIn(target)
      .filter(isMade)
      .map((field) => [field, shown[field]]),
  );
  return { ...operation, target: { ...target, ...made }, source: { ...source, ...made } };
}

function asSent(on: Side, target: Fields, field: FieldName): Value | undefined {
  const value = target[field];
  return field === 'title' && typeof value === 'string' ? canonicalTitle(titleWithin(value, titleMax[on])) : value;
}
