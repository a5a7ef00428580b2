import { backOffIfAsked, heldFor, marginMs } from '../kernel/backoff.ts';
import type { Context, RouteState } from '../kernel/context.ts';
import { type IssueNumber, issueNumber } from '../model/ids.ts';
import type { Issue } from '../model/item.ts';
import { isBy } from '../model/people.ts';
import { isWithin } from '../rules/limits/brake-and-budget.ts';
import { digestOf } from '../text/canonical.ts';
import { dashboardMarker } from '../text/marker.ts';

/** The time between two requests that write it, whatever became of the first. */
const intervalMs = 3_600_000;

/**
 * Keeps an issue that shows this text: opens it once, and rewrites it when the text has changed. People who close or
 * delete it are done with it: it is written again only when they open it again. Throws `SideError`.
 */
export async function keepDashboard(
  context: Context,
  { title, text }: { readonly title: string; readonly text: string },
): Promise<void> {
  const { store, route, clock } = context;
  const kept = store.dashboards.of(route.name);
  const digest = digestOf(text);
  if (kept !== null && (isWithin(kept.sentAt, intervalMs, clock.now()) || kept.digest === digest)) return;
  if (heldFor(context, 'github', kept?.issue == null ? 'create' : 'edit') !== null) return;
  const issue = kept?.issue ?? (kept === null ? await listed(context) : await madeSince(context, kept.sentAt));
  if (issue === 'unknown') return;
  const body = `${text}\n\n${dashboardMarker(route.instance, route.name)}`;
  if (issue === null) await open(context, { title, body, digest });
  else await rewrite(context, issue, { body, digest });
}

/** Before the first request, the state knows of none: it may be lost, and the issue there. */
async function listed(context: Context): Promise<IssueNumber | null> {
  for (let page: string | null = null; ; ) {
    const { items, comments, next } = await context.github.list(page);
    const found = items.find((issue) => isOurs(context, issue));
    // Comments come after all issues, and there may be many times as many.
    if (found !== undefined || comments.length > 0 || next === null) return found?.number ?? null;
    page = next;
  }
}

/** A request whose answer is lost may have opened it. */
async function madeSince(context: Context, sentAt: number): Promise<IssueNumber | 'unknown' | null> {
  const { store, route, github, session } = context;
  const isKnown = (number: number) => store.links.byIssue(`${route.owner}/${route.repo}`, issueNumber(number)) !== null;
  const { issues, isWhole, unread } = await github.madeSince(sentAt - marginMs, isKnown, session.own.github);
  const found = issues.find((issue) => isOurs(context, issue));
  return found?.number ?? (isWhole && unread.length === 0 ? null : 'unknown');
}

/** Our own account opened it, and nobody has taken its marker away. */
function isOurs({ route, session }: RouteState, { body, author }: Issue): boolean {
  const own = session.own.github;
  return body.trimEnd().endsWith(dashboardMarker(route.instance, route.name)) && (own === null || isBy(author, own));
}

interface Sent {
  readonly body: string;
  readonly digest: string;
}

async function open(context: Context, { title, body, digest }: Sent & { readonly title: string }): Promise<void> {
  const { route, github } = context;
  markSent(context, null, 'create');
  // A route that takes issues with a label lists no others.
  const outcome = await github.create({ title, body, labels: route.label === null ? [] : [route.label] });
  if (outcome.kind === 'applied') saveDashboard(context, outcome.item.number, digest);
  else backOffIfAsked({ ...context, name: route.name }, 'github', outcome);
}

async function rewrite(context: Context, number: IssueNumber, { body, digest }: Sent): Promise<void> {
  const { route, github } = context;
  const found = await github.probe(number);
  markSent(context, number, 'edit');
  if (found.kind === 'gone' || found.item.state === 'closed' || !isOurs(context, found.item)) return;
  const outcome = await github.update(found.item, { body });
  if (outcome.kind === 'applied') saveDashboard(context, number, digest);
  else backOffIfAsked({ ...context, name: route.name }, 'github', outcome);
}

/** Stores that a request is about to leave: what it did is looked for after a crash. */
function markSent({ store, route, clock }: RouteState, issue: IssueNumber | null, cost: 'create' | 'edit'): void {
  const at = clock.now();
  store.transaction(() => {
    store.dashboards.save(route.name, { issue, digest: '', sentAt: at });
    store.budgets.spend('github', cost, { at, points: 1 });
  });
}

const saveDashboard = ({ store, route, clock }: RouteState, issue: IssueNumber, digest: string): void =>
  store.dashboards.save(route.name, { issue, digest, sentAt: clock.now() });
