import type { core } from 'zod/mini';
import { type Complaint, type Path, pathText } from './problem.ts';

type Issue = core.$ZodIssue;

/**
 * Words the issues that zod found in `data`, each with the allowed values. Never repeats a value: it may be a secret.
 */
export function complaintsOf(issues: readonly Issue[], data: unknown): Complaint[] {
  return issues.flatMap((issue) => worded(issue, [], data));
}

function worded(issue: Issue, prefix: Path, data: unknown): Complaint[] {
  const path = [...prefix, ...issue.path.map((part) => (typeof part === 'number' ? part : String(part)))];
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => unknownKey(path, key, issue.message.split(', ')));
  const value = valueAt(data, path);
  if (value === undefined) return [{ path, message: `${pathText(path)} is missing` }];
  if (issue.code === 'invalid_union') {
    const nearest = nearestBranch(issue.errors);
    if (nearest.length > 0) return nearest.flatMap((inner) => worded(inner, path, data));
  }
  return [{ path, message: `${pathText(path)} ${rule(issue, value)}` }];
}

function rule(issue: Issue, value: unknown): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${typeText(issue.expected)}${quotesHint(issue.expected, value)}`;
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.join(', ')}${didYouMean(value, issue.values.map(String))}`;
    case 'too_small':
      return issue.origin === 'string' || issue.origin === 'array'
        ? 'must not be empty'
        : `must be ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}`;
    case 'too_big':
      return `must be at most ${issue.maximum}`;
    default:
      return issue.message;
  }
}

function unknownKey(path: Path, key: string, known: readonly string[]): Complaint {
  const allowed = `known here: ${known.join(', ')}`;
  // A missing space after the colon can make a secret part of a key, so only text that looks like a key is repeated.
  if (!/^[A-Za-z_][A-Za-z_-]{0,23}$/.test(key)) {
    const hint = key.includes(':') ? '; a space is missing after the colon' : '';
    return { path: [...path, key], message: `${pathText(path)} has an unknown key${hint}; ${allowed}` };
  }
  return {
    path: [...path, key],
    message: `${pathText([...path, key])} is not a known key${didYouMean(key, known)}; ${allowed}`,
  };
}

function didYouMean(value: unknown, candidates: readonly string[]): string {
  const meant = typeof value === 'string' ? suggest(value, candidates) : null;
  return meant === null ? '' : `; did you mean ${meant}?`;
}

function quotesHint(expected: string, value: unknown): string {
  if (expected === 'string' && (typeof value === 'number' || typeof value === 'boolean')) return '; put it in quotes';
  const isQuotedNumber =
    ['number', 'int', 'boolean'].includes(expected) &&
    typeof value === 'string' &&
    /^(\d+(\.\d+)?|true|false)$/.test(value);
  return isQuotedNumber ? '; leave out the quotes' : '';
}

function typeText(expected: string): string {
  switch (expected) {
    case 'string':
      return 'a text';
    case 'int':
      return 'a whole number';
    case 'number':
      return 'a number';
    case 'boolean':
      return 'true or false';
    case 'array':
      return 'a list';
    default:
      return 'a mapping of keys to values';
  }
}

/**
 * The issues of the alternative that matched furthest, which is probably the intended one; none if all failed at once.
 */
function nearestBranch(branches: readonly (readonly Issue[])[]): readonly Issue[] {
  const depthOf = (issues: readonly Issue[]) => Math.min(...issues.map((issue) => issue.path.length));
  const depth = Math.max(...branches.map(depthOf));
  return depth === 0 ? [] : (branches.find((issues) => depthOf(issues) === depth) ?? []);
}

function valueAt(data: unknown, path: Path): unknown {
  let value = data;
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Object.getOwnPropertyDescriptor(value, part)?.value;
  }
  return value;
}

/** The candidate that `word` is most likely a typo of, ignoring case; null if none is close. */
function suggest(word: string, candidates: readonly string[]): string | null {
  const slipsMax = word.length < 4 ? 1 : word.length < 8 ? 2 : 3;
  let best: { readonly candidate: string; readonly slips: number } | null = null;
  for (const candidate of candidates) {
    const slips = slipsBetween(word.toLowerCase(), candidate.toLowerCase());
    if (slips <= slipsMax && slips < (best?.slips ?? Number.POSITIVE_INFINITY)) best = { candidate, slips };
  }
  return best?.candidate ?? null;
}

/** Insertions, deletions and replacements that turn one word into the other (Levenshtein distance). */
function slipsBetween(source: string, target: string): number {
  let row = Array.from({ length: target.length + 1 }, (_, index) => index);
  for (const [at, character] of [...source].entries()) {
    const next = [at + 1];
    for (const [index, other] of [...target].entries()) {
      const replaced = (row[index] ?? 0) + (character === other ? 0 : 1);
      next.push(Math.min(replaced, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1));
    }
    row = next;
  }
  return row[row.length - 1] ?? 0;
}
