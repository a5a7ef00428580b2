import { check, isRecord } from './judge.ts';

/** What a field of an object of section 2 looks like. */
export interface Kind {
  readonly name: string;
  readonly holds: (value: unknown) => boolean;
}

export const isTime = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/u.test(value);

const isText = (value: unknown): boolean => typeof value === 'string';

export const whole: Kind = { name: 'a whole number', holds: (value) => Number.isInteger(value) };
export const number: Kind = { name: 'a number', holds: (value) => typeof value === 'number' };
export const text: Kind = { name: 'a text', holds: isText };
export const filled: Kind = { name: 'a text that is not empty', holds: (value) => isText(value) && value !== '' };
export const truth: Kind = { name: 'true or false', holds: (value) => typeof value === 'boolean' };
export const time: Kind = { name: 'a time such as 2026-01-31T12:00:00Z', holds: isTime };
export const texts: Kind = { name: 'a list of texts', holds: (value) => Array.isArray(value) && value.every(isText) };
export const wholes: Kind = {
  name: 'a list of whole numbers',
  holds: (value) => Array.isArray(value) && value.every(Number.isInteger),
};
export const records: Kind = {
  name: 'a list of objects',
  holds: (value) => Array.isArray(value) && value.every(isRecord),
};
export const record: Kind = { name: 'an object', holds: isRecord };
/** A truth that 5.2 gives as 0 or 1 on attachments. */
export const bit: Kind = {
  name: 'true or false, or 1 or 0',
  holds: (value) => [true, false, 1, 0].some((one) => one === value),
};

export const orNull = (kind: Kind): Kind => ({
  name: `${kind.name} or null`,
  holds: (value) => value === null || kind.holds(value),
});

export function isKind(value: unknown, kind: Kind, what: string): void {
  check(kind.holds(value), what, kind.name, value);
}
