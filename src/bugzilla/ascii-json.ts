/**
 * A value as JSON in ASCII: every other character is written as `\uXXXX`, beyond the first plane as two of them. The 5.1 and 5.3 line reads the
 * bytes of a body as Latin-1, with or without a charset in its type, and stores "ü" as "Ã¼"; escapes are read rightly by every version.
 * Measured on 5.0.6, 5.2, 5.3.3 and harmony.
 */
export const asciiJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
