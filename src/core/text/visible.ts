import { directionsEnded } from './directions.ts';
import { mark } from './escape.ts';

/**
 * GitHub would drop or refuse what cannot be shown; a reader should see that something stood there. And nothing that people write may
 * pass for a marker of ours, not even in a code block.
 */
export function visible(text: string): string {
  return directionsEnded(text.toWellFormed())
    .replace(/(?![\t\n\r])\p{Cc}/gu, '\ufffd')
    .replaceAll('<!-- bugferry:', `<!--${mark} bugferry:`);
}

/** The sign that some programs begin a file with. Parsers leave it out, and would then count places in a text from the next. */
export const withoutByteOrder = (text: string): string => text.replace(/^\ufeff+/u, '');

/**
 * E-mail addresses stay on the tracker: what is left of one is the part before the sign, by which people know each other, and which
 * may stand between quotes (`"john doe"@host.test`). The name of an account on a server (`git@host:path`) is no address of a person.
 */
export function withoutAddresses(text: string): string {
  if (!/@|%/u.test(text)) return text;
  return text.replace(address, (whole: string, name: string) => (name === 'git' ? whole : `${withoutAddresses(name)}@…`));
}

const address =
  /("(?!\s)(?:[^"\\\n]|\\.){1,64}(?<!\s)"|[\p{L}\p{M}\p{N}_.+-]{1,64})(?:@|%(?:25)?40)(?:[\p{L}\p{M}\p{N}_-]{1,63}\.)+\p{L}[\p{L}\p{M}\p{N}-]{1,62}/gu;
