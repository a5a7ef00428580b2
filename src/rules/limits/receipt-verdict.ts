import type { FieldName, Fields, Value } from '../../model/item.ts';
import type { Base } from '../../model/link.ts';
import type { Reported, ReportedField } from '../../model/receipt.ts';
import { equalValues, isSet, namesIn, sorted } from '../../text/canonical.ts';

/** One answer to a write. */
export interface Answered extends Reported {
  /** The requested values. */
  readonly asked: Fields;
  /** The tracker's values before the write, and those in its answer. */
  readonly shown: Fields;
  readonly answered: Fields;
  /** The base before the write. */
  readonly base: Base | null;
}

/**
 * Adds the fields that an answer reports as stored. For a field that was reported before and not shown since, the first
 * base counts: from there, both changes are planned again as one.
 */
export function reportedFields(
  known: readonly ReportedField[],
  { key, at, asked, shown, answered, base }: Answered,
): readonly ReportedField[] {
  const news = namesIn(asked).flatMap((field): readonly ReportedField[] => {
    const [was, is, earlier] = [shown[field], answered[field], known.find((reported) => reported.field === field)];
    if (asked[field] === undefined || equalValues(was, is)) return [];
    const before = earlier?.before ?? {
      ...valueAs('tracker', base?.tracker[field]),
      ...valueAs('github', base?.github[field]),
    };
    const replaced = [...(earlier?.replaced ?? []), ...(was === undefined ? [] : [was])];
    return [{ field, key, at, ...valueAs('expected', is), before, replaced }];
  });
  return [...known.filter(({ field }) => !news.some((reported) => reported.field === field)), ...news];
}

function valueAs<Name extends string>(name: Name, value: Value | undefined): { readonly [name in Name]?: Value };
function valueAs(name: string, value: Value | undefined): object {
  return value === undefined ? {} : { [name]: value };
}

/**
 * What a read says about a field that was reported as stored.
 *
 *   reading                          | verdict
 *   ---------------------------------+---------------------------------------------------------------------
 *   shows it                         | shown
 *   is older than the write          | lost
 *   of the same second, what it was  | lost
 *   of the same second, a third value| shown: the tracker spells it its own way; a status, which nobody spells: unclear
 *   newer                            | unclear: lost, or changed by a person since; the bug's history says which
 */
export type Verdict = 'shown' | 'lost' | 'unclear';

export function verdictOn(reported: ReportedField, shown: Value | undefined, changedAt: number): Verdict {
  if (isShown(reported, shown)) return 'shown';
  if (changedAt > reported.at) return 'unclear';
  if (changedAt < reported.at || isReplaced(reported, shown)) return 'lost';
  return reported.field === 'status' ? 'unclear' : 'shown';
}

/** Whether the value shows. In a set, only the added and removed elements count. */
export function isShown(reported: ReportedField, shown: Value | undefined): boolean {
  const moved = movedElements(reported);
  if (moved === null || !isSet(shown)) return equalValues(reported.expected, shown);
  return moved.every((element) => has(shown, element) === has(reported.expected, element));
}

const isReplaced = ({ replaced, expected }: ReportedField, shown: Value | undefined): boolean =>
  isSet(expected) || replaced.some((value) => equalValues(value, shown));

/**
 * The base from which the same change is planned once more: the one before the first write, with which whatever the
 * tracker shows conflicts as it would have without us; or what we wrote before, if the tracker shows that.
 * @param shown what the tracker shows now
 */
export function baseWithout(base: Base, reported: ReportedField, shown: Value | undefined): Base {
  const moved = movedElements(reported);
  if (moved !== null) return baseWithoutElements(base, reported, moved);
  const { field, before } = reported;
  // The base has moved on meanwhile.
  if (!equalValues(base.tracker[field], reported.expected)) return base;
  const isOurs = isReplaced(reported, shown) && !equalValues(reported.replaced[0], shown);
  const { tracker, github } = isOurs ? { tracker: shown, github: shown } : before;
  return { tracker: withValue(base.tracker, field, tracker), github: withValue(base.github, field, github) };
}

function baseWithoutElements(base: Base, reported: ReportedField, moved: readonly string[]): Base {
  const { field } = reported;
  const back = moved.filter((element) => has(base.tracker[field], element) === has(reported.expected, element));
  const [was] = reported.replaced;
  const set = (value: Value | undefined, from: Value | undefined): readonly string[] => {
    const kept = (isSet(value) ? value : []).filter((element) => !back.includes(element));
    return sorted([...kept, ...back.filter((element) => has(from, element))]);
  };
  return {
    tracker: withValue(base.tracker, field, set(base.tracker[field], was)),
    github: withValue(base.github, field, set(base.github[field], reported.before.github)),
  };
}

/** The elements of a set that the write added or removed; null for other values. */
function movedElements({ expected, replaced: [was] }: ReportedField): readonly string[] | null {
  if (!isSet(expected) || !isSet(was)) return null;
  return sorted([...expected, ...was]).filter((element) => has(expected, element) !== has(was, element));
}

const has = (value: Value | undefined, element: string): boolean => isSet(value) && value.includes(element);

function withValue(fields: Fields, field: FieldName, value: Value | undefined): Fields {
  const { [field]: _old, ...rest } = fields;
  return value === undefined ? rest : { ...rest, [field]: value };
}
