import type { Fields, Value } from '../model/fields.ts';
import type { Base, Link } from '../model/link.ts';
import type { Route } from '../model/route.ts';
import type { IssueField } from '../model/survey.ts';
import { isSet } from './canonical.ts';
import { shownIn } from './issue-fields.ts';
import { labelOf } from './labels.ts';

/** Whether an issue shows less in a field than both sides agreed on: people took it away, or the organisation did, from all at once. */
export function lacksAgreed({ labels }: Route, { base, github }: Pick<Link, 'base' | 'github'>): boolean {
  if (base === null || github === null) return false;
  return labels.some((rule) => {
    const shown = rule.field === undefined ? undefined : shownIn(github, rule.field)?.map((each) => each.toLowerCase());
    return shown !== undefined && elements(base.github[rule.from]).some((value) => !shown.includes(labelOf(rule, value).toLowerCase()));
  });
}

/**
 * What both sides agreed on, without the options on GitHub that the organisation offers no more or renamed. Nobody took those off this issue, so the
 * tracker keeps its value.
 */
export function stillOffered({ labels }: Route, base: Base, offered: readonly IssueField[]): Base {
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
