import { linkId } from '../model/ids.ts';
import { fieldNames, type Value } from '../model/item.ts';
import type { AdminAction } from './admin-port.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** More would not be read in a status. */
const whyMax = 200;

/** The action that a form requests; null if the form is invalid. */
export function actionOf(kind: string, fields: Fields): AdminAction | null {
  const number = (name: string): number | null => (/^\d{1,15}$/u.test(text(name)) ? Number(text(name)) : null);
  const text = (name: string): string => {
    const value = fields[name];
    return typeof value === 'string' ? value : '';
  };
  const route = text('route');
  if (kind === 'run') return { kind };
  if (kind === 'resume') return { kind, route };
  if (kind === 'pause') return { kind, route, why: text('why').trim().slice(0, whyMax) || null };
  if (kind === 'force') {
    const of = (['plan', 'tracker', 'github'] as const).find((each) => each === text('of'));
    return of === undefined ? null : { kind, route, of, why: text('why') };
  }
  if (kind === 'retry') {
    const numbers = text('numbers');
    return /^\d{1,15}(?:,\d{1,15})*$/u.test(numbers) ? { kind, route, numbers: numbers.split(',').map(Number) } : null;
  }
  const link = number('link');
  if (link === null) return null;
  if (kind === 'resync') return { kind, link: linkId(link) };
  const field = fieldNames.find((name) => name === text('field'));
  const [tracker, github] = [valueIn(text('tracker')), valueIn(text('github'))];
  const keep = text('keep');
  if (kind !== 'decide' || field === undefined || tracker === undefined || github === undefined) return null;
  if (keep !== 'tracker' && keep !== 'github') return null;
  return { kind, conflict: { link: linkId(link), field, tracker, github }, keep };
}

function valueIn(json: string): Value | undefined {
  try {
    const value: unknown = JSON.parse(json);
    if (value === null || typeof value === 'string') return value;
    return Array.isArray(value) && value.every((each): each is string => typeof each === 'string') ? value : undefined;
  } catch {
    return undefined;
  }
}
