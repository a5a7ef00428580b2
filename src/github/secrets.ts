/**
 * Takes secrets out of text that people or logs will see: by value, for those we hold, and by form, for those we do not know
 * (another tool's token in an error that a proxy wrote). GitHub's tokens have no fixed length, so the prefix decides.
 */
const secretForms = [
  /\bgh[pousr]_[A-Za-z0-9_.-]+/gu,
  /\bgithub_pat_[A-Za-z0-9_]+/gu,
  /\beyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+/gu,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/gu,
];

export function withoutSecrets(text: string, values: readonly string[]): string {
  let clean = text;
  for (const value of values) if (value.trim() !== '') clean = clean.replace(anyLayout(value), '[secret]');
  for (const form of secretForms) clean = clean.replace(form, '[secret]');
  return clean;
}

/** A message may have been folded into one line, and with it a key of many. */
function anyLayout(value: string): RegExp {
  const parts = value.trim().split(/\s+/u);
  return new RegExp(parts.map((part) => part.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&')).join('\\s+'), 'gu');
}
