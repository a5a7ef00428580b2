/** Who gave both ends of a conflict their values, for the person who decides it. Never written to either side. */

import { isAskedToWait, keepBackoff } from '../kernel/backoff.ts';
import type { Context } from '../kernel/context.ts';
import { spareAsync, workOn } from '../kernel/set-aside.ts';
import type { Side } from '../model/ids.ts';
import { type Bug, type Issue, shortName } from '../model/item.ts';
import type { IssueEvent } from '../model/label-event.ts';
import type { Link } from '../model/link.ts';
import { SideError } from '../model/outcome.ts';
import type { ChangedBy, Conflict } from '../model/plan/operation.ts';
import type { CyclePlan } from '../model/plan/plan-input.ts';
import type { Route } from '../model/route.ts';
import { hasMade } from '../rules/fields/set-on-tracker.ts';
import { isLabelRule, labelsFor } from '../rules/labels/labels-and-fields.ts';
import { equalValues } from '../text/canonical.ts';

/**
 * How many conflicts of a plan are asked about: each costs a request to either side. The first plan after `adopt` may
 * have thousands.
 */
const [asksMax, asksMs] = [5, 45_000];

/** Adds the names to new conflicts that a person has to decide; an old one keeps what was told of it. */
export async function withChangedBy(context: Context, wanted: CyclePlan): Promise<CyclePlan> {
  const conflicts: Conflict[] = [];
  let asks = 0;
  const untilAt = context.clock.now() + asksMs;
  for (const conflict of wanted.plan.conflicts) {
    const link = context.store.links.byId(conflict.link);
    const changed = link && (await spareAsync(context, workOn(context, link, 'plan'), () => changedOf(conflict, link)));
    conflicts.push(changed ? { ...conflict, changed } : conflict);
  }
  return { ...wanted, plan: { ...wanted.plan, conflicts } };

  async function changedOf(conflict: Conflict, link: Link): Promise<Conflict['changed']> {
    const known = context.store.findings.ofLink(link.id).conflicts.find((each) => isSame(each, conflict))?.changed;
    const isAsked = known === undefined && conflict.kept === null && asks < asksMax && context.clock.now() < untilAt;
    if (isAsked) asks += 1;
    return isAsked ? changedBy(context, conflict, link) : known;
  }
}

const isSame = (one: Conflict, other: Conflict): boolean =>
  one.field === other.field && equalValues(one.tracker, other.tracker) && equalValues(one.github, other.github);

/** A side that does not answer keeps nobody waiting: the next plan of this conflict asks again. */
async function changedBy(
  context: Context,
  conflict: Conflict,
  { tracker: bug, github: issue }: Link,
): Promise<Conflict['changed']> {
  if (bug === null || issue === null) return undefined;
  const tracker = await told(context, 'tracker', () => onTracker(context, conflict, bug));
  const github = await told(context, 'github', () => onGithub(context, conflict, issue));
  if (tracker === 'later' || github === 'later') return undefined;
  return { ...(tracker && { tracker }), ...(github && { github }) };
}

async function told(
  context: Context,
  side: Side,
  ask: () => Promise<ChangedBy | null>,
): Promise<ChangedBy | 'later' | null> {
  if (isAskedToWait(context, side)) return 'later';
  try {
    return await ask();
  } catch (failure) {
    if (!(failure instanceof SideError)) throw failure;
    keepBackoff({ ...context, name: context.route.name }, failure);
    return failure.kind === 'later' ? 'later' : null;
  }
}

async function onTracker({ tracker }: Context, conflict: Conflict, bug: Bug): Promise<ChangedBy | null> {
  const { changes } = await tracker.history([bug.id], 0);
  const last = changes.findLast(({ ref, what }) => ref === bug.id && what[conflict.field] !== undefined);
  return last === undefined || !hasMade(last, conflict, bug) ? null : { by: shortName(last), at: last.at };
}

async function onGithub({ route, github }: Context, conflict: Conflict, issue: Issue): Promise<ChangedBy | null> {
  const event = eventOf(route, conflict, issue);
  const actor = event === null ? null : await github.whoDid(issue.number, event);
  return actor === null || actor.at === null ? null : { by: actor.login, at: actor.at };
}

/** The event that gave the issue what it shows now; null for a value that no event tells. */
function eventOf(route: Route, { field, github }: Conflict, issue: Issue): IssueEvent | null {
  const name = typeof github === 'string' ? github : '';
  switch (field) {
    case 'title':
      return { event: 'renamed', name: issue.title };
    case 'status':
      return { event: issue.state === 'open' ? 'reopened' : 'closed', name: '' };
    case 'assignee':
      return github === null ? null : { event: 'assigned', name };
    case 'milestone':
      return issue.milestone === null ? null : { event: 'milestoned', name: issue.milestone };
    default: {
      const rule = route.labels.find(({ from }) => from === field);
      const [label] = rule === undefined ? [] : labelsFor(rule, github);
      if (rule === undefined || label === undefined) return null;
      if (isLabelRule(rule)) return { event: 'labeled', label };
      return rule.field === undefined ? { event: 'typed', label } : { event: 'filled', label, field: rule.field };
    }
  }
}
