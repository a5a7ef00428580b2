import { localTime } from '../installation/times.ts';
import type { Scope } from '../search/scope.ts';
import type { CustomField, TrackerBug, TrackerState } from '../world/state.ts';
import { bit, type ChartField, type ChartFields, field, single } from './field.ts';

/** Replaces the date of a bug without one. */
const noDate = '1970-01-01 00:00:00';
const choice = { isChoice: true } as const;
const number = { measure: 'number', empty: 0 } as const;
const person = { isPerson: true } as const;

const nameOf = ({ state }: Scope, login: string): string =>
  state.users.find((user) => user.login === login)?.realName ?? '';

/** The standard fields of a bug, under their internal names. */
export const bugFields: ChartFields = {
  bug_id: single(({ id }) => id, number),
  short_desc: single(({ summary }) => summary, { historyName: 'summary' }),
  classification: single(() => 'Unclassified', choice),
  product: single(({ product }) => product, choice),
  version: single(({ version }) => version, choice),
  rep_platform: single(({ platform }) => platform, { ...choice, historyName: 'platform' }),
  bug_file_loc: single(({ url }) => url, { historyName: 'url' }),
  op_sys: single(({ op_sys }) => op_sys, choice),
  bug_status: single(({ status }) => status, { ...choice, historyName: 'status' }),
  status_whiteboard: single(({ whiteboard }) => whiteboard, { historyName: 'whiteboard' }),
  keywords: field('several', ({ keywords }) => keywords),
  resolution: single(({ resolution }) => resolution, choice),
  bug_severity: single(({ severity }) => severity, { ...choice, historyName: 'severity' }),
  priority: single(({ priority }) => priority, choice),
  component: single(({ component }) => component, choice),
  assigned_to: single(({ assigned_to }) => assigned_to, person),
  reporter: single(({ creator }) => creator, person),
  qa_contact: single(({ qa_contact }) => qa_contact, person),
  assigned_to_realname: single(({ assigned_to }, scope) => nameOf(scope, assigned_to)),
  reporter_realname: single(({ creator }, scope) => nameOf(scope, creator)),
  qa_contact_realname: single(({ qa_contact }, scope) => nameOf(scope, qa_contact)),
  cc: field('people', ({ cc }) => cc, person),
  dependson: field('several', ({ depends_on }) => depends_on, { ...number, historyName: 'depends_on' }),
  blocked: field('several', ({ blocks }) => blocks, { ...number, historyName: 'blocks' }),
  target_milestone: single(({ target_milestone }) => target_milestone, choice),
  creation_ts: single(({ createdAt }, { state }) => localTime(createdAt, state.timeZone), {
    measure: 'time',
    relative: 'time',
  }),
  delta_ts: single(({ changedAt }, { state }) => localTime(changedAt, state.timeZone), {
    measure: 'time',
    relative: 'time',
  }),
  alias: field('each', ({ alias }) => alias),
  everconfirmed: single(({ is_confirmed }) => bit(is_confirmed), { ...number, historyName: 'is_confirmed' }),
  reporter_accessible: single((bug) => bit(bug.is_creator_accessible), {
    ...number,
    historyName: 'is_creator_accessible',
  }),
  cclist_accessible: single((bug) => bit(bug.is_cc_accessible), { ...number, historyName: 'is_cc_accessible' }),
  bug_group: field('several', ({ groups }) => groups, { historyName: 'groups' }),
  estimated_time: single(({ hours }) => hours.estimated, number),
  remaining_time: single(({ hours }) => hours.remaining, number),
  work_time: single(({ hours }) => hours.actual, number),
  percentage_complete: single(percentageComplete, number),
  deadline: single(({ deadline }) => deadline ?? noDate, { empty: noDate, relative: 'day' }),
  see_also: field('several', ({ see_also }) => see_also),
  days_elapsed: single(({ changedAt }, { state }) => dayOf(state.now(), state) - dayOf(changedAt, state), {
    ...number,
    measure: 'number',
  }),
  owner_idle_time: field('idle', () => []),
  last_visit_ts: single(() => null, { relative: 'time' }),
};

/** The custom fields of the installation. */
export const customFields = ({ customFields: added }: TrackerState): ChartFields =>
  Object.fromEntries(added.map((custom) => [custom.name, customField(custom)]));

function customField({ name, kind }: CustomField): ChartField {
  const held = (bug: TrackerBug): unknown => bug.custom[name] ?? null;
  const text = (bug: TrackerBug): string => String(held(bug) ?? '');
  const local = (bug: TrackerBug, { state }: Scope): string =>
    text(bug) === '' ? noDate : localTime(Date.parse(text(bug)), state.timeZone);
  switch (kind) {
    case 'multi':
      return field('several', (bug) => [held(bug) ?? []].flat().map(String), choice);
    case 'select':
      return single(text, choice);
    case 'datetime':
      return single(local, { empty: noDate, relative: 'time' });
    case 'date':
      return single((bug, scope) => local(bug, scope).slice(0, 10), { empty: noDate.slice(0, 10), relative: 'day' });
    case 'bug':
      return single((bug) => Number(held(bug) ?? 0), number);
    default:
      return single(text);
  }
}

function percentageComplete({ hours }: TrackerBug): number {
  const total = hours.actual + hours.remaining;
  return total === 0 ? 0 : Math.floor((100 * hours.actual) / total);
}

const dayOf = (at: number, { timeZone }: TrackerState): number =>
  Date.parse(localTime(at, timeZone).slice(0, 10)) / 86_400_000;
