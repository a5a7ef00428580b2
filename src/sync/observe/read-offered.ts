/**
 * The places of the rules on GitHub: rules that show their field elsewhere than before, and fields that the
 * organisation has or lacks. Also values that the tracker has only since it was last asked.
 */

import type { Context, RouteState } from '../../kernel/context.ts';
import { spare, spareOf, workOn } from '../../kernel/set-aside.ts';
import type { LinkId } from '../../model/ids.ts';
import type { Fields, Value } from '../../model/item.ts';
import type { Base, Link } from '../../model/link.ts';
import { SideError } from '../../model/outcome.ts';
import type { LabelRule, Route } from '../../model/route.ts';
import type { IssueField } from '../../model/survey.ts';
import { bugFields, issueFields } from '../../rules/fields/comparable.ts';
import { labelOf, shownIn } from '../../rules/labels/labels-and-fields.ts';
import { elementsOrText, isSet } from '../../text/canonical.ts';

/** The place on GitHub where a route shows each field of its rules; only compared, never displayed. */
const placesOf = ({ labels }: Pick<Route, 'labels'>): Readonly<Record<string, string>> =>
  Object.fromEntries(labels.map((rule) => [rule.from, placeOf(rule)]));

const placeOf = ({ as, field, isType }: LabelRule): string =>
  field !== undefined ? `field ${field}` : `${isType ? 'type' : 'label'} ${as.toLowerCase()}`;

/**
 * Detects rules that show their field in another place than before. The base was read in the old place: compared with
 * the new one, which is empty at first, it would look as if people had removed everything. So the base is dropped, both
 * sides start from first contact, and every pair is planned again.
 */
export function moveRules({ store, route }: Pick<Context, 'store' | 'route'>): void {
  const places = placesOf(route);
  const known = store.places.ofRoute(route.name);
  const moved = Object.keys({ ...known, ...places }).filter((field) => known[field]?.name !== places[field]);
  if (moved.length === 0) return;
  const now = Object.entries(places).map(([field, name]) => {
    const before = known[field];
    return [field, before?.name === name ? before : { name, fieldId: null }] as const;
  });
  store.transaction(() => {
    store.places.save(route.name, Object.fromEntries(now));
    // A route without known places has nothing to forget.
    if (Object.keys(known).length === 0) return;
    store.links.forget(route.name, moved);
    if (moved.some((field) => Object.hasOwn(places, field))) store.links.markDirty(route.name);
  });
}

/**
 * Whether an issue shows fewer values in a field than the base: people removed them, or the organisation did, from all
 * issues at once.
 */
function lacksAgreed({ labels }: Route, { base, github }: Pick<Link, 'base' | 'github'>): boolean {
  if (base === null || github === null) return false;
  return labels.some((rule) => {
    const shown = rule.field === undefined ? undefined : shownIn(github, rule.field)?.map((each) => each.toLowerCase());
    return (
      shown !== undefined &&
      elementsOrText(base.github[rule.from]).some((value) => !shown.includes(labelOf(rule, value).toLowerCase()))
    );
  });
}

const isLacking = (route: Route, link: Link): boolean => lacksAgreed(route, link) || isLeftOut(route, link);

/** Whether a field lacks all values that it should show: the organisation may offer them by now. */
const isLeftOut = ({ labels }: Route, { base, github }: Pick<Link, 'base' | 'github'>): boolean =>
  labels.some(({ field, from }) => {
    const isEmpty = field !== undefined && github !== null && shownIn(github, field)?.length === 0;
    return isEmpty && elementsOrText(base?.tracker[from]).length > 0 && elementsOrText(base?.github[from]).length === 0;
  });

/**
 * The base without options that the organisation removed or renamed. Nobody took those off this issue, so the tracker
 * keeps its value.
 */
function stillOffered({ labels }: Route, base: Base, offered: readonly IssueField[]): Base {
  const github: Record<string, Value> = {};
  for (const rule of labels) {
    const value = base.github[rule.from];
    const field = offered.find(({ name }) => name === rule.field);
    if (value === undefined || field === undefined || !field.kind.endsWith('_select')) continue;
    const options = field.options.map((option) => option.toLowerCase());
    const kept = elementsOrText(value).filter((each) => options.includes(labelOf(rule, each).toLowerCase()));
    if (kept.length < elementsOrText(value).length) github[rule.from] = isSet(value) ? kept : null;
  }
  return Object.keys(github).length === 0
    ? base
    : { ...base, github: { ...base.github, ...(github satisfies Fields) } };
}

/**
 * Reads which fields and options the organisation offers, if a value is missing on an issue that will be planned, or if
 * the offer is not known yet. A removal by the organisation, which affects all issues at once, must not look like an
 * edit by people. A quiet cycle makes no request.
 * @returns the names of those fields of the route's rules that the organisation does not have. Throws `SideError`.
 */
export async function missingFields(context: Context, links: readonly Link[]): Promise<readonly string[]> {
  const { route, store, github } = context;
  const rules = route.labels.filter(({ field }) => field !== undefined);
  const places = store.places.ofRoute(route.name);
  const showing = rules.length === 0 ? [] : links.flatMap(({ id }) => showingFields(context, id));
  const isUnsure =
    rules.some(({ from }) => (places[from]?.fieldId ?? 0) === 0) ||
    showing.some((link) => spare(context, workOn(context, link, 'plan'), () => isLacking(route, link)) === true);
  if (showing.length === 0 || !isUnsure) return [];
  const offered = await github.fields();
  // Without access to the list, the reason for a missing value is unknown.
  if (offered === null) return rules.flatMap(({ field }) => field ?? []);
  store.transaction(() => {
    resetPlaces(context, rules, offered);
    for (const { id } of showing) spareOf(context, id, 'plan', (link) => keepOffered(context, link, offered));
  });
  return rules.flatMap(({ field = '' }) => (offered.some(({ name }) => name === field) ? [] : [field]));
}

function showingFields({ store }: RouteState, id: LinkId): readonly Link[] {
  const link = store.links.byId(id);
  return link?.state === 'live' && link.github?.fields !== undefined ? [link] : [];
}

/** A field that was removed or recreated has no agreed values. */
function resetPlaces(
  { store, route }: Pick<Context, 'store' | 'route'>,
  rules: readonly LabelRule[],
  offered: readonly IssueField[],
): void {
  const places = { ...store.places.ofRoute(route.name) };
  for (const { from, field } of rules) {
    const place = places[from];
    const fieldId = offered.find(({ name }) => name === field)?.id ?? 0;
    if (place === undefined || place.fieldId === fieldId) continue;
    places[from] = { ...place, fieldId };
    if (place.fieldId === null && fieldId !== 0) continue;
    store.links.forget(route.name, [from]);
    unsee({ store, route }, field ?? '');
    if (fieldId !== 0) store.links.markDirty(route.name);
  }
  store.places.save(route.name, places);
}

/** No list of changes shows that issues lost their values this way: the values seen before would be agreed on again. */
function unsee({ store, route }: Pick<Context, 'store' | 'route'>, field: string): void {
  for (const links of store.links.batches(route.name)) {
    for (const link of links) {
      const { github } = link;
      if (github?.fields === undefined || !Object.hasOwn(github.fields, field)) continue;
      const { [field]: _gone, ...fields } = github.fields;
      store.links.save({ ...link, github: { ...github, fields } });
    }
  }
}

function keepOffered({ store, route }: RouteState, link: Link, offered: readonly IssueField[]): void {
  const { base } = link;
  if (base === null || !lacksAgreed(route, link)) return;
  const kept = stillOffered(route, base, offered);
  if (kept !== base) store.links.save({ ...link, base: kept });
}

/** How long the last answer to that question holds. */
const againMs = 300_000;

/**
 * The tracker is asked for its values once a day. Before a plan says that it has no such value, and undoes what people
 * set, it is asked once more. If it does not answer, its last answer holds.
 */
export async function askForNewValues(context: Context, links: readonly Link[]): Promise<void> {
  const { route, session, tracker, clock, lookTurns } = context;
  const askedAt = lookTurns.valuesAskedAt.get(route.name);
  if (askedAt !== undefined && Math.abs(clock.now() - askedAt) < againMs) return;
  const isUnknown = (link: Link) => spare(context, workOn(context, link, 'plan'), () => showsUnknown(context, link));
  if (route.direction === 'to-github' || !links.some((link) => isUnknown(link) === true)) return;
  lookTurns.valuesAskedAt.set(route.name, clock.now());
  try {
    session.vocabulary = await tracker.vocabulary(true);
  } catch (failure) {
    if (!(failure instanceof SideError)) throw failure;
  }
}

function showsUnknown({ route, session: { vocabulary } }: Context, { tracker, github, base }: Link): boolean {
  if (github === null) return false;
  const bug = tracker === null ? {} : bugFields(route, tracker);
  const { fields, unknown, foreign } = issueFields(route, vocabulary, github, base?.github ?? {}, bug);
  const isMilestoneUnknown = route.milestones && github.milestone !== null && fields.milestone === undefined;
  return unknown.length > 0 || foreign.length > 0 || isMilestoneUnknown;
}
