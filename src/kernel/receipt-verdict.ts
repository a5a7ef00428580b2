import type { LinkId } from '../model/ids.ts';
import type { FieldName, Fields, Value } from '../model/item.ts';
import type { Base } from '../model/link.ts';
import type { Receipt, Reported, ReportedField } from '../model/receipt.ts';
import { equalValues, isSet, namesIn, sorted } from '../text/canonical.ts';

export const noReceipt = (link: LinkId): Receipt => ({
  link,
  answeredAt: 0,
  isRead: false,
  fields: [],
  pointer: null,
  comments: [],
  files: [],
  vain: {},
});

/** Nothing is left of it that anybody waits for. */
export const isSettled = ({ fields, pointer, comments, files }: Receipt): boolean =>
  fields.length + comments.length + files.length === 0 && pointer === null;

/** One answer to a write. */
export interface Answered extends Reported {
  /** The fields that were asked for. */
  readonly asked: Fields;
  /** What the tracker showed before, and what it shows by its answer. */
  readonly shown: Fields;
  readonly answered: Fields;
  /** What both sides had agreed on before. */
  readonly base: Base | null;
}

/**
 * What an answer says was stored. Of a field that was told before and not shown since, the first base counts: from there both wishes
 * are planned again as one.
 */
export function reportedFields(
  known: readonly ReportedField[],
  { key, at, asked, shown, answered, base }: Answered,
): readonly ReportedField[] {
  const news = namesIn(asked).flatMap((field): readonly ReportedField[] => {
    const [was, is, earlier] = [shown[field], answered[field], known.find((told) => told.field === field)];
    if (asked[field] === undefined || equalValues(was, is)) return [];
    const before = earlier?.before ?? { ...valueAs('tracker', base?.tracker[field]), ...valueAs('github', base?.github[field]) };
    const replaced = [...(earlier?.replaced ?? []), ...(was === undefined ? [] : [was])];
    return [{ field, key, at, ...valueAs('expected', is), before, replaced }];
  });
  return [...known.filter(({ field }) => !news.some((told) => told.field === field)), ...news];
}

function valueAs<Name extends string>(name: Name, value: Value | undefined): { readonly [name in Name]?: Value };
function valueAs(name: string, value: Value | undefined): object {
  return value === undefined ? {} : { [name]: value };
}

/**
 * What a reading says of a field that was told to be stored.
 *
 *   reading                          | verdict
 *   ---------------------------------+---------------------------------------------------------------------
 *   shows it                         | shown
 *   is older than the write          | lost
 *   of the same second, what it was  | lost
 *   of the same second, a third value| shown: the tracker spells it its own way
 *   newer                            | unclear: lost, or changed by people since; the bug's history tells
 */
export type Verdict = 'shown' | 'lost' | 'unclear';

export function verdictOn(told: ReportedField, shown: Value | undefined, changedAt: number): Verdict {
  if (isShown(told, shown)) return 'shown';
  if (changedAt > told.at) return 'unclear';
  return changedAt === told.at && !isReplaced(told, shown) ? 'shown' : 'lost';
}

/** Of a set only the elements count that came or went. */
export function isShown(told: ReportedField, shown: Value | undefined): boolean {
  const moved = movedElements(told);
  if (moved === null || !isSet(shown)) return equalValues(told.expected, shown);
  return moved.every((element) => has(shown, element) === has(told.expected, element));
}

const isReplaced = ({ replaced, expected }: ReportedField, shown: Value | undefined): boolean =>
  isSet(expected) || replaced.some((value) => equalValues(value, shown));

/**
 * The base as it has to be for the same wish to be planned once more: what shows is what stood there before, and nobody's edit. A third
 * value is somebody's, and meets the wish as it would have met it without the write.
 */
export function baseWithout(base: Base, told: ReportedField, shown: Value | undefined): Base {
  const moved = movedElements(told);
  if (moved !== null) return baseWithoutElements(base, told, moved);
  const { field, before } = told;
  // Something else was agreed on meanwhile.
  if (!equalValues(base.tracker[field], told.expected)) return base;

  const hasTravelled = !equalValues(before.github, base.github[field]);
  const tracker = hasTravelled && isReplaced(told, shown) ? shown : before.tracker;
  return { tracker: withValue(base.tracker, field, tracker), github: withValue(base.github, field, before.github) };
}

function baseWithoutElements(base: Base, told: ReportedField, moved: readonly string[]): Base {
  const { field } = told;
  const back = moved.filter((element) => has(base.tracker[field], element) === has(told.expected, element));
  const [was] = told.replaced;
  const set = (value: Value | undefined, from: Value | undefined): readonly string[] => {
    const kept = (isSet(value) ? value : []).filter((element) => !back.includes(element));
    return sorted([...kept, ...back.filter((element) => has(from, element))]);
  };
  return {
    tracker: withValue(base.tracker, field, set(base.tracker[field], was)),
    github: withValue(base.github, field, set(base.github[field], told.before.github)),
  };
}

/** The elements of a set that came or went by the write; null for what is no set. */
function movedElements({ expected, replaced: [was] }: ReportedField): readonly string[] | null {
  if (!isSet(expected) || !isSet(was)) return null;
  return sorted([...expected, ...was]).filter((element) => has(expected, element) !== has(was, element));
}

const has = (value: Value | undefined, element: string): boolean => isSet(value) && value.includes(element);

function withValue(fields: Fields, field: FieldName, value: Value | undefined): Fields {
  const { [field]: _old, ...rest } = fields;
  return value === undefined ? rest : { ...rest, [field]: value };
}
