import { type Context, createContext, Script } from 'node:vm';
import { TrackerError } from '../server/errors.ts';
import { guesses } from '../server/guesses.ts';

/** How long the search for a pattern in one text may take. */
const effortMs = 250;

/**
 * Tests texts against a pattern. Like the database, it gives up on a pattern that takes too long: from then on the
 * pattern matches nothing, so that no search can stop the server. Throws 32000 for a pattern that cannot be understood.
 */
export function patternTest(text: string): (value: string) => boolean {
  const found = expression(text);
  // Without repetition the work is bounded by the length of the text.
  if (!/[*+{]/.test(text)) return (value) => found.test(value);
  const asked = { found, value: '' };
  const context = createContext(asked);
  let isGivenUp = false;
  return (value) => {
    asked.value = value;
    const matches = isGivenUp ? false : patientTest(context);
    isGivenUp ||= matches === null;
    return matches === true;
  };
}

const test = new Script('found.test(value)');

/** Null if it takes too long. */
function patientTest(context: Context): boolean | null {
  try {
    return test.runInContext(context, { timeout: effortMs }) === true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return null;
    throw error;
  }
}

/** An expression of the database; the syntax is close enough to JavaScript's. */
function expression(text: string): RegExp {
  const plain = text
    .replaceAll('[[:<:]]', '\\b')
    .replaceAll('[[:>:]]', '\\b')
    .replace(/\[:(\w+):\]/g, (all, name: string) => classes.get(name) ?? all);
  try {
    return new RegExp(plain, 'is');
  } catch {
    const why = `The error was: Regex error '${guesses.badExpression(text)}'.`;
    throw new TrackerError(32000, 400, `The regular expression you provided '${text}' is not valid. ${why}`);
  }
}

const classes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    alnum: 'a-zA-Z0-9',
    alpha: 'a-zA-Z',
    digit: '0-9',
    lower: 'a-z',
    upper: 'A-Z',
    space: '\\s',
    punct: '!-\\/:-@\\[-`{-~',
    xdigit: '0-9a-fA-F',
    blank: ' \\t',
  }),
);
