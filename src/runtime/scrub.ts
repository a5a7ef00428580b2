import type { Clean, Scrub } from '../model/runtime.ts';

/** Replaces a secret. */
const cover = '[secret]';

/** Removing shorter values would damage ordinary words, and no credential is that short. */
const secretLengthMin = 4;

/**
 * The forms of secrets, for those that are not configured. Each pattern keeps its first group, and stops at quotes and
 * backslashes, so that JSON stays valid. GitHub's tokens: authentication docs, "GitHub's token formats" (installation
 * tokens may be long and have dots).
 */
const forms: readonly RegExp[] = [
  /()\bgh[pousr]_[A-Za-z0-9_.-]+/g,
  /()\bgithub_pat_[A-Za-z0-9_]+/g,
  /((?:api_key|Bugzilla_api_key|access_token|client_secret|password|token)=)[^&\s"'\\]+/gi,
  /(\bBearer\s+)[A-Za-z0-9._~+/=-]+/gi,
  /(\bauthorization["']?\s*[:=]\s*["']?(?:basic|token)\s+)[^\s"'\\]+/gi,
  /(\bX-BUGZILLA-API-KEY["']?\s*[:=]\s*["']?)[^\s"',}\\]+/gi,
  /("(?:authorization|api_?key|Bugzilla_api_key|token|private_?key|password|secret)"\s*:\s*")(?:[^"\\]|\\.)+/gi,
  /(:\/\/)[^\s/"'\\@:]*:[^\s/"'\\@]+(?=@)/g,
  /()-----BEGIN [A-Z ]*PRIVATE KEY-----(?:[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----|[^"]*)/g,
];

/**
 * Returns a function that removes the given secrets, and everything that looks like one, from messages, stacks and
 * lines of JSON.
 */
export function scrubber(secrets: readonly string[]): (text: string) => string {
  return scrubOf(secrets).words;
}

/**
 * The same for records: messages lose both, values only the given secrets. Secrets that join the list later count.
 */
export function scrubOf(secrets: readonly string[]): Scrub {
  let known: readonly string[] = [];
  let count = 0;
  const current = (): readonly string[] => {
    if (count !== secrets.length) {
      count = secrets.length;
      known = [...new Set(secrets.flatMap(guises))]
        .filter((value) => value.length >= secretLengthMin)
        // Longest first: a secret may contain another.
        .sort((a, b) => b.length - a.length);
    }
    return known;
  };
  const values = (text: string) => current().reduce((clean, value) => clean.replaceAll(value, cover), text) as Clean;
  const words = (text: string) =>
    forms.reduce<string>((clean, form) => clean.replace(form, `$1${cover}`), values(text)) as Clean;
  return { words, values };
}

/** A secret as it is, as encoded in JSON, URLs and HTML, and line by line. */
function guises(secret: string): string[] {
  const trimmed = secret.trim();
  const lines = trimmed.split(/\r?\n/).filter((line) => !line.startsWith('-----'));
  return [trimmed, JSON.stringify(trimmed).slice(1, -1), encodeURIComponent(trimmed), onPage(trimmed), ...lines];
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const onPage = (text: string): string => text.replace(/[&<>"']/gu, (character) => entities[character] ?? character);
