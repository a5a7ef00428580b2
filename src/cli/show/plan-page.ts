import { html } from 'hono/html';
import { brakeInWords, type PlanTotals, totalsInWords } from '../../explain/plan-totals.ts';
import { setAsideInWords } from '../../explain/set-aside.ts';
import { operationInWords, routeInWords, timeInWords, writesInWords } from '../../explain/words.ts';
import type { Operation } from '../../model/plan/operation.ts';
import type { RouteStatus } from '../../model/route-status.ts';
import type { Store } from '../../model/store.ts';
import type { BridgePreview } from '../../wire/bridge.ts';
import { issuesOf, pageOf, type ShownIssue } from '../migrate/preview.ts';
import type { Markup } from '../page-frame.ts';

type Printed = BridgePreview['operations'][number];
type NewIssue = Extract<Printed, { readonly kind: 'create'; readonly on: 'github' }>;

interface PlannedRoute {
  readonly route: string;
  readonly preview: BridgePreview;
  readonly status: Pick<RouteStatus, 'route' | 'product' | 'repo' | 'direction' | 'rest' | 'setAside'>;
  readonly totals: PlanTotals;
}

/** A plan as one page: its totals, the issues that it opens, and a line for each other write. */
export const planPage = (plans: readonly PlannedRoute[], store: Pick<Store, 'links'>, now: number): string =>
  pageOf(
    `Plan of ${timeInWords(now)}`,
    plans.map((plan) => planned(plan, store)),
  );

function planned(
  { route, preview: { operations, waiting, unplanned, refusal }, status, totals }: PlannedRoute,
  store: Pick<Store, 'links'>,
): Markup {
  const all: readonly Printed[] = [...operations, ...waiting.map(({ operation }) => operation)];
  const created = all.filter(isNewIssue);
  const links = new Set(created.map(({ link }) => link));
  const issues = created.map((create) => shownOf(route, create, all));
  const totalsAndBrake = [...totalsInWords(totals, unplanned, status), ...brakeInWords(refusal)];
  const summary = totalsAndBrake.join(' ') || 'Nothing to write.';
  const others = all.filter((each) => !(links.has(each.link) && isShown(each)));
  const waits = new Map(waiting.map(({ operation, why }) => [operation.key, why ?? 'waits']));
  const groups = Map.groupBy(others, ({ link, on, kind, key }) => `${link} ${on} ${kind} ${waits.get(key)}`);
  const lines = [...groups.values()].flatMap(([first, ...more]) => {
    if (first === undefined) return [];
    const { from, to } = operationInWords(first, store.links.byId(first.link), 'planned');
    const what = writesInWords([first, ...more]);
    return html`<tr><td>${from}</td><td>${to}</td><td>${what}</td><td>${waits.get(first.key) ?? 'next cycle'}</td></tr>`;
  });
  const table =
    lines.length === 0
      ? ''
      : html`<h2>All other writes</h2><div class="scroll"><table><tr><th>from</th><th>to</th><th>what</th><th>when</th></tr>${lines}</table></div>`;
  return html`${issuesOf({ heading: `${route}: ${routeInWords(status, 'page')}`, summary, issues })}${table}${asideIn(status)}`;
}

/** What the plan says nothing of, as work on it failed. */
function asideIn({ setAside }: PlannedRoute['status']): Markup | '' {
  const lines = setAside.map(
    (item) => html`<tr><td>${item.about}</td><td>${setAsideInWords(item)}</td><td>${item.advice}</td></tr>`,
  );
  if (lines.length === 0) return '';
  return html`<h2>Set aside</h2><div class="scroll"><table><tr><th>what</th><th>why</th><th>what to do</th></tr>${lines}</table></div>`;
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
      html`<span class="state open">Open</span>`,
      ...assignees.map((login) => html`<span>assigned to ${login}</span>`),
      ...(milestone === undefined ? [] : [html`<span>milestone ${milestone}</span>`]),
      html`<span>${about}</span>`,
    ],
    posts: [body, ...comments.map(({ text = '' }) => text)].map((text) => ({ text, at: null })),
  };
}
