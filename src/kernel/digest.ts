import { createHash } from 'node:crypto';

/** A short name for a text: equal texts have equal digests. */
export const digestOf = (text: string): string => createHash('sha256').update(text.toWellFormed()).digest('hex').slice(0, 16);

/** SHA-256 of a content, in hexadecimal. */
export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
