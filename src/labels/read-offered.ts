import type { Context } from '../kernel/context.ts';
import type { LinkId } from '../model/ids.ts';
import type { Fields, Value } from '../model/item.ts';
import type { Base, Link } from '../model/link.ts';
import type { LabelRule, Route } from '../model/route.ts';
import type { IssueField } from '../model/survey.ts';
import { isSet } from '../text/canonical.ts';
import { shownIn } from './issue-fields.ts';
import { labelOf } from './labels.ts';

/** Whether an issue shows less in a field than both sides agreed on: people took it away, or the organisation did, from all at once. */
function lacksAgreed({ labels }: Route, { base, github }: Pick<Link, 'base' | 'github'>): boolean {
  if (base === null || github === null) return false;
  return labels.some((rule) => {
    const shown = rule.field === undefined ? undefined : shownIn(github, rule.field)?.map((each) => each.toLowerCase());
    return shown !== undefined && elements(base.github[rule.from]).some((value) => !shown.includes(labelOf(rule, value).toLowerCase()));
  });
}

/** Whether a field holds nothing of the value that it was to show, so that the organisation may offer it by now. */
const isLeftOut = ({ labels }: Route, { base, github }: Pick<Link, 'base' | 'github'>): boolean =>
  labels.some(({ field, from }) => {
    const isEmpty = field !== undefined && github !== null && shownIn(github, field)?.length === 0;
    return isEmpty && elements(base?.tracker[from]).length > 0 && elements(base?.github[from]).length === 0;
  });

/**
 * What both sides agreed on, without the options on GitHub that the organisation offers no more or renamed. Nobody took those off this issue, so the
 * tracker keeps its value.
 */
function stillOffered({ labels }: Route, base: Base, offered: readonly IssueField[]): Base {
  const github: Record<string, Value> = {};
  for (const rule of labels) {
    const value = base.github[rule.from];
    const field = offered.find(({ name }) => name === rule.field);
    if (value === undefined || field === undefined || !field.kind.endsWith('_select')) continue;
    const options = field.options.map((option) => option.toLowerCase());
    const kept = elements(value).filter((each) => options.includes(labelOf(rule, each).toLowerCase()));
    if (kept.length < elements(value).length) github[rule.from] = isSet(value) ? kept : null;
  }
  return Object.keys(github).length === 0 ? base : { ...base, github: { ...base.github, ...(github satisfies Fields) } };
}

const elements = (value: Value | undefined): readonly string[] => (isSet(value) ? value : typeof value === 'string' ? [value] : []);

/**
 * Asks which fields and options the organisation offers, where something is missing on an issue that will be planned, or where it is not
 * known yet. What the organisation took away, and from all issues at once, must not look as if people had. A quiet cycle asks nothing.
 * @returns the names of those fields of the route's rules that the organisation does not have. Throws `SideError`.
 */
export async function missingFields(context: Context, links: readonly Link[]): Promise<readonly string[]> {
  const { route, store, github } = context;
  const rules = route.labels.filter(({ field }) => field !== undefined);
  const places = store.places.ofRoute(route.name);
  const told = rules.length === 0 ? [] : links.flatMap(({ id }) => showingFields(context, id));
  const isUnsure =
    rules.some(({ from }) => (places[from]?.fieldId ?? 0) === 0) || told.some((link) => lacksAgreed(route, link) || isLeftOut(route, link));
  if (told.length === 0 || !isUnsure) return [];
  const offered = await github.fields();
  // Where the list is kept from us, nobody knows what became of what is missing.
  if (offered === null) return rules.flatMap(({ field }) => field ?? []);
  store.transaction(() => {
    meetAnew(context, rules, offered);
    for (const { id } of told) keepOffered(context, id, offered);
  });
  return rules.flatMap(({ field = '' }) => (offered.some(({ name }) => name === field) ? [] : [field]));
}

function showingFields({ store }: Context, id: LinkId): readonly Link[] {
  const link = store.links.byId(id);
  return link?.state === 'live' && link.github?.fields !== undefined ? [link] : [];
}

/** A field that is gone, or was made anew, has no values that anybody agreed on. */
function meetAnew({ store, route }: Pick<Context, 'store' | 'route'>, rules: readonly LabelRule[], offered: readonly IssueField[]): void {
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

/** No list of changes tells that issues lost their values by it: what was seen before would be agreed on once more. */
function unsee({ store, route }: Pick<Context, 'store' | 'route'>, field: string): void {
  let links = store.links.after(route.name, null, batch);
  while (links.length > 0) {
    for (const link of links) {
      const { github } = link;
      if (github?.fields === undefined || !Object.hasOwn(github.fields, field)) continue;
      const { [field]: _gone, ...fields } = github.fields;
      store.links.save({ ...link, github: { ...github, fields } });
    }
    links = store.links.after(route.name, links.at(-1)?.id ?? null, batch);
  }
}

/** How many links are fetched from the database at once. */
const batch = 500;

function keepOffered({ store, route }: Context, id: LinkId, offered: readonly IssueField[]): void {
  const link = store.links.byId(id);
  const base = link?.base ?? null;
  if (link === null || base === null || !lacksAgreed(route, link)) return;
  const kept = stillOffered(route, base, offered);
  if (kept !== base) store.links.save({ ...link, base: kept });
}
