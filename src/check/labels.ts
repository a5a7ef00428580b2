import type { LabelRule, Route, Vocabulary } from '../model/route.ts';
import type { IssueField } from '../model/survey.ts';
import { statusLabels } from '../rules/fields/status.ts';
import {
  choicesOf,
  fitsTemplate,
  isDay,
  isLabelRule,
  isNumber,
  isSeveral,
  labelMax,
  labelOf,
} from '../rules/labels/labels-and-fields.ts';
import { isCustom } from '../text/canonical.ts';
import type { Site, Topic } from './site.ts';
import { type Finding, failure, warning } from './verdict.ts';

/** Checks the label rules against the fields and values of the tracker. */
export const labels: Topic = { name: 'labels', fine: 'every label means exactly one value of one field', find };

function find({
  route: whole,
  vocabulary,
  types,
  fields,
  noLabel,
}: Pick<Site, 'route' | 'vocabulary' | 'types' | 'fields' | 'noLabel'>): readonly Finding[] {
  const route = { ...whole, labels: whole.labels.filter(isLabelRule) };
  return [
    ...(noLabel === null ? [] : [warning(noLabel)]),
    ...whole.labels.filter(({ isType }) => isType).flatMap((rule) => typeFindings(rule, vocabulary, types)),
    ...whole.labels.flatMap((rule) =>
      rule.field === undefined ? [] : fieldFindings(rule, rule.field, vocabulary, fields),
    ),
    ...route.labels.flatMap((rule) => wrongFields(rule, vocabulary)).map(failure),
    ...clashes(route, vocabulary).map(failure),
    ...route.labels.flatMap((rule) => unreportedValues(rule, vocabulary)).map(warning),
    ...route.labels.flatMap((rule) => longLabels(rule, vocabulary)).map(warning),
  ];
}

function wrongFields({ from, field }: LabelRule, { customs }: Vocabulary): readonly string[] {
  if (!isCustom(from) || customs === undefined) return [];
  if (customs[from] === undefined) {
    return [`the tracker has no custom field ${from}; it has ${Object.keys(customs).join(', ') || 'none'}`];
  }
  const held = heldBy(from, { customs });
  if (held !== null && field === undefined)
    return [`${from} holds a ${held}, which labels cannot show; choose an issue field (as: { field: ... })`];
  if (customs[from] !== 'other') return [];
  return [`${from} holds text, a time or a bug, which labels cannot show; move it from labels to table`];
}

/** An issue has one type, and only organisations have types. */
function typeFindings(rule: LabelRule, vocabulary: Vocabulary, types: readonly string[]): readonly Finding[] {
  const { from } = rule;
  const wrong = wrongFields(rule, vocabulary).map(failure);
  if (wrong.length > 0) return wrong;
  if (isCustom(from) && vocabulary.customs?.[from] === 'several')
    return [failure(`${from} may have several values, and an issue has one type; show it as labels`)];
  if (types.length === 0) {
    return [failure(`the repository has no issue types, as only organisations do; show ${from} as labels`)];
  }
  const known = new Set(types.map((type) => type.toLowerCase()));
  const missing = choicesOf(rule, vocabulary).filter((value) => !known.has(labelOf(rule, value).toLowerCase()));
  if (missing.length === 0) return [];
  return [
    warning(
      `no issue type matches ${from} ${missing.map((value) => `"${value}"`).join(', ')}; there are ${types.join(', ')}`,
    ),
  ];
}

/** What a field holds that only an issue field of that kind, or a text, can show. */
function heldBy(from: LabelRule['from'], vocabulary: Pick<Vocabulary, 'customs'>): 'date' | 'number' | null {
  if (!isCustom(from)) return null;
  return isDay(from, vocabulary) ? 'date' : isNumber(from, vocabulary) ? 'number' : null;
}

/** The field must exist, and accept what the rule writes. */
function fieldFindings(
  rule: LabelRule,
  name: string,
  vocabulary: Vocabulary,
  fields: readonly IssueField[],
): readonly Finding[] {
  const { from } = rule;
  const wrong = wrongFields(rule, vocabulary).map(failure);
  if (wrong.length > 0) return wrong;
  if (fields.length === 0) return [failure(`no issue fields are visible: ${noFields}; or show ${from} as labels`)];
  const field = fields.find((each) => each.name === name);
  if (field === undefined)
    return [
      failure(`the repository has no issue field "${name}"; it has ${fields.map((each) => each.name).join(', ')}`),
    ];
  const held = heldBy(from, vocabulary);
  const kinds = held === null ? ['text', 'single_select', 'multi_select', 'number', 'date'] : ['text', held];
  if (!kinds.includes(field.kind))
    return [
      failure(
        `the issue field "${name}" has the kind ${field.kind}, which cannot hold ${from}; choose one with ${held === null ? 'text or options' : `a ${held} or text`}`,
      ),
    ];
  const isList = isSeveral(rule, vocabulary, []);
  if (isList !== (field.kind === 'multi_select'))
    return [
      failure(
        isList
          ? `a bug may have several ${from === 'whiteboard' ? 'tags' : from}, and the issue field "${name}" holds one value; choose a multi-select field, or labels`
          : `the issue field "${name}" holds several options, and a bug has one ${from}; choose a field with one value`,
      ),
    ];
  return [...missingOptions(rule, field, vocabulary), ...(field.isForMembers ? [warning(forMembers(name))] : [])];
}

const noFields =
  'the owner of the repository must have defined some, and the token must see them (fine-grained: "Issue Fields" of the organisation; classic: repo or read:org)';

const forMembers = (name: string): string =>
  `only members of the organisation see the issue field "${name}"; our account must be a member, and other readers do not see the values`;

function missingOptions(
  rule: LabelRule,
  { name, kind, options }: IssueField,
  vocabulary: Vocabulary,
): readonly Finding[] {
  const known = new Set(options.map((option) => option.toLowerCase()));
  const holds: Readonly<Record<string, (value: string) => boolean>> = {
    text: () => true,
    number: (value) => String(Number(value)) === value,
    date: (value) => /^\d{4}-\d\d-\d\d$/u.test(value),
  };
  const isHeld = holds[kind] ?? ((value) => known.has(value.toLowerCase()));
  const missing = choicesOf(rule, vocabulary).filter((value) => !isHeld(labelOf(rule, value)));
  if (missing.length === 0) return [];
  const listed = `${missing
    .slice(0, namedMax)
    .map((value) => `"${value}"`)
    .join(', ')}${missing.length > namedMax ? ` and ${missing.length - namedMax} more` : ''}`;
  return [
    warning(
      kind.endsWith('_select')
        ? `the issue field "${name}" has no option for ${rule.from} ${listed}, and stays empty for them; it has ${options.join(', ') || 'none'}`
        : `the issue field "${name}" has the kind ${kind}, which cannot hold ${rule.from} ${listed}, and stays empty for them`,
    ),
  ];
}

/** A longer list does not help. */
const namedMax = 20;

function unreportedValues({ from, as, both }: LabelRule, { values, customs }: Vocabulary): readonly string[] {
  if (isCustom(from) && customs === undefined)
    return [`the tracker does not report its custom fields, so ${from} was not checked; check its spelling`];
  if (from === 'whiteboard' || !both || values[from] !== undefined) return [];
  if (isCustom(from)) return [];
  return [`the tracker does not report its values of ${from}, so labels such as "${as}" are accepted unchecked`];
}

function longLabels(rule: LabelRule, vocabulary: Vocabulary): readonly string[] {
  return choicesOf(rule, vocabulary).flatMap((value) => {
    const { length } = [...rule.as.replace('{value}', () => value)];
    if (length <= labelMax) return [];
    const shown = labelOf(rule, value);
    return [
      `the label for ${rule.from} "${value}" would have ${length} characters, and GitHub allows ${labelMax}: it is cut to "${shown}"; a shorter template avoids that`,
    ];
  });
}

interface Claim {
  readonly label: string;
  /** What the label means, in words. */
  readonly what: string;
  readonly rule: LabelRule | null;
}

/** GitHub ignores case in labels, and a label with two meanings cannot be read back. */
function clashes(route: Route, vocabulary: Vocabulary): readonly string[] {
  const claims: readonly Claim[] = [
    ...statusLabels(route.status).map((label) => ({ label, what: `a status (status.toGithub)`, rule: null })),
    ...(route.label === null ? [] : [{ label: route.label, what: 'issues to mirror (github.label)', rule: null }]),
    ...route.labels.flatMap((rule) =>
      choicesOf(rule, vocabulary).map((value) => ({
        label: labelOf(rule, value),
        what: `${rule.from} "${value}"`,
        rule,
      })),
    ),
  ];
  const shared = [...Map.groupBy(claims, ({ label }) => label.toLowerCase()).values()].filter(
    (group) => group.length > 1,
  );
  const unreported = route.labels.filter(({ from }) => vocabulary.values[from] === undefined);
  return [
    ...shared.map(
      (group) => `the label "${group[0]?.label}" would mean ${group.map(({ what }) => what).join(' and ')}; ${advice}`,
    ),
    ...unreported.flatMap((rule) =>
      claims
        .filter((claim) => claim.rule !== rule && fitsTemplate(rule, claim.label))
        .map(
          ({ label, what }) =>
            `the label "${label}" means ${what}, and would be read as ${rule.from} ("${rule.as}"); ${advice}`,
        ),
    ),
  ];
}

const advice = 'change the template of one of them';
