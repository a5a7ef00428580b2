import { type PlanTotals, totalsInWords } from '../../explain/plan-totals.ts';
import { operationInWords } from '../../explain/words.ts';
import type { Operation } from '../../model/plan/operation.ts';
import type { Store } from '../../model/store.ts';
import type { BridgePreview } from '../../wire/bridge.ts';
import { escaped, issuesOf, pageOf, type ShownIssue } from '../migrate/preview.ts';

type Printed = BridgePreview['operations'][number];
type NewIssue = Extract<Printed, { readonly kind: 'create'; readonly on: 'github' }>;

interface PlannedRoute {
  readonly route: string;
  readonly preview: BridgePreview;
  readonly status: { readonly repo: string };
  readonly totals: PlanTotals;
}

/** A plan as one page: its totals, the issues that it opens, and a line for each other write. */
export const planPage = (plans: readonly PlannedRoute[], store: Pick<Store, 'links'>): string =>
  pageOf('Plan', plans.map((plan) => planned(plan, store)).join('\n'));

function planned(
  { route, preview: { operations, waiting, unplanned }, status, totals }: PlannedRoute,
  store: Pick<Store, 'links'>,
): string {
  const all: readonly Printed[] = [...operations, ...waiting.map(({ operation }) => operation)];
  const created = all.filter(isNewIssue);
  const links = new Set(created.map(({ link }) => link));
  const issues = created.map((create) => shownOf(route, create, all));
  const summary = totalsInWords(totals, unplanned).join(' ') || 'Nothing to write.';
  const others = all.filter((each) => !(links.has(each.link) && isShown(each)));
  const lines = others.map((each) => {
    const { from, to, what } = operationInWords(each, store.links.byId(each.link), 'planned');
    return `<tr><td>${escaped(from)}</td><td>${escaped(to)}</td><td>${escaped(what)}</td></tr>`;
  });
  const table =
    lines.length === 0
      ? ''
      : `<h2>All other writes</h2><table><tr><th>from</th><th>to</th><th>what</th></tr>${lines.join('')}</table>`;
  return `${issuesOf({ heading: status.repo, summary, issues })}${table}`;
}

const isNewIssue = (operation: Printed): operation is NewIssue =>
  operation.kind === 'create' && operation.on === 'github';

/** Whether the preview of an issue contains it. */
const isShown = ({ on, kind }: Operation): boolean => on === 'github' && (kind === 'create' || kind === 'comment');

function shownOf(route: string, { link, about, draft }: NewIssue, all: readonly Printed[]): ShownIssue {
  const { title, body, labels, assignees = [], milestone } = draft;
  const comments = all.filter((each) => each.link === link && each.on === 'github' && each.kind === 'comment');
  return {
    id: `${route}-${link}`,
    name: about,
    title,
    labels,
    facts: [
      '<span class="state open">Open</span>',
      ...assignees.map((login) => `<span>assigned to ${escaped(login)}</span>`),
      ...(milestone === undefined ? [] : [`<span>milestone ${escaped(milestone)}</span>`]),
      `<span>${escaped(about)}</span>`,
    ],
    posts: [body, ...comments.map(({ text = '' }) => text)].map((text) => ({ text, at: null })),
  };
}
