import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Whether two secrets are equal, in a time that tells nothing about either. */
export function isSameSecret(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

/** What proves that somebody knew the secret, without being it. */
export const sealOf = (secret: string, purpose: string): string => createHmac('sha256', secret).update(purpose).digest('base64url');

/** A secret for as long as this process lives. */
export const freshSecret = (): string => randomBytes(32).toString('base64url');
