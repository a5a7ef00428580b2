import { createHash } from 'node:crypto';

/** A short name for a text: equal texts have equal digests. */
export const digestOf = (text: string): string => createHash('sha256').update(text.toWellFormed()).digest('hex').slice(0, 16);
