import {
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type Scalar,
  visit,
} from 'yaml';
import type { Path, Problem } from './problem.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A parsed configuration file: its values, the problems of its text, and the position of each value. */
export interface Source {
  readonly data: unknown;
  readonly problems: readonly Problem[];
  /** Problems of secrets, which do not matter to commands that only read the state. */
  readonly secretProblems: readonly Problem[];
  /** A problem at a path, or at its nearest ancestor in the file. Secrets are removed from the message. */
  problemAt(path: Path, message: string): Problem;
}

/** Keys whose values must not appear in messages. */
const secretKeys: readonly string[] = ['apiKey', 'token', 'privateKey', 'githubSecret', 'trackerSecret', 'address'];

/**
 * Parses YAML and replaces `${NAME}` in strings with environment variables. This happens after parsing, so that the
 * content of a variable can never become YAML.
 */
export function readSource(text: string, file: string, env: Environment): Source {
  const lines = new LineCounter();
  // Pretty errors quote the line, which may contain a secret.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const hidden = new Set<string>();
  const problemIn = (offset: number, message: string): Problem => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1), message: hide(message, hidden) };
  };

  const isYaml = document.errors.length === 0;
  const loose = isYaml ? looseAliases(document) : [];
  const isReadable = isYaml && loose.length === 0;
  const missing = isReadable ? substitute(document, env, hidden) : [];
  const problemsOf = (list: readonly Misplaced[]) => list.map(({ offset, message }) => problemIn(offset, message));
  const ofYaml = [...document.errors, ...document.warnings].map((error) =>
    problemIn(error.pos[0], wordedYaml(error.message)),
  );
  return {
    data: isReadable ? document.toJS() : null,
    problems: [...ofYaml, ...problemsOf([...loose, ...missing.filter(({ isOfSecret }) => !isOfSecret)])],
    secretProblems: problemsOf(missing.filter(({ isOfSecret }) => isOfSecret)),
    problemAt: (path, message) => problemIn(offsetOf(document, path), message),
  };
}

interface Misplaced {
  readonly offset: number;
  readonly message: string;
}

interface Missing extends Misplaced {
  readonly isOfSecret: boolean;
}

function looseAliases(document: Document): Misplaced[] {
  const loose: Misplaced[] = [];
  const message =
    'a word that begins with * refers to an &anchor earlier in the file, and there is none; if it is a text, put it in quotes';
  visit(document, {
    Alias(_, alias) {
      if (alias.resolve(document) === undefined) loose.push({ offset: alias.range?.[0] ?? 0, message });
    },
  });
  return loose;
}

function substitute(document: Document, env: Environment, hidden: Set<string>): Missing[] {
  const missing: Missing[] = [];
  visit(document, {
    Pair(_, pair) {
      if (isSecret(pair)) hidden.add(pair.value.value);
    },
    Scalar(key, scalar, ancestors) {
      if (key === 'key' || typeof scalar.value !== 'string') return;
      scalar.value = scalar.value.replace(/\$\{([^}]*)\}/g, (whole, name: string) => {
        const value = env[name];
        if (value !== undefined && value !== '') {
          hidden.add(value);
          return value;
        }
        const parent = ancestors.at(-1);
        const secret = isPair(parent) && isSecret(parent) ? parent.key.value : null;
        missing.push({
          offset: entryOffset(scalar, parent),
          message: missingText(name, value, secret),
          isOfSecret: secret !== null,
        });
        return whole;
      });
    },
  });
  return missing;
}

/** The position of the entry with this value: its key, as for all other problems. */
function entryOffset(value: Scalar, parent: unknown): number {
  const key = isPair(parent) && isScalar(parent.key) ? parent.key : value;
  return key.range?.[0] ?? 0;
}

/** @param secret the key of a secret that a file may hold instead; null for another value */
function missingText(name: string, value: string | undefined, secret: string | null): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
    return 'a dollar sign with braces needs the name of an environment variable between the braces';
  const state = value === undefined ? 'is not set' : 'is empty';
  const file = secret === null ? '' : `, or write ${secret}File with the name of a file`;
  return `the environment variable ${name} ${state}; set it, or replace it by the value${file}`;
}

function isSecret(pair: Pair): pair is Pair & { key: { value: string }; value: { value: string } } {
  const isNamed = isScalar(pair.key) && typeof pair.key.value === 'string' && secretKeys.includes(pair.key.value);
  return isNamed && isScalar(pair.value) && typeof pair.value.value === 'string';
}

/** Hiding very short values would damage ordinary words, and no credential is that short. */
const hiddenLengthMin = 4;

function hide(message: string, hidden: ReadonlySet<string>): string {
  let shown = message;
  for (const value of hidden) {
    if (value.length >= hiddenLengthMin) shown = shown.replaceAll(value, '[hidden]');
  }
  return shown;
}

function wordedYaml(message: string): string {
  if (/^Alias (cannot be an empty string|ending in)/.test(message)) return 'a * needs quotes: "*"';
  // Some messages end with the offending token, which may be part of a secret.
  const quote = /^Missing closing (["'])quote$/.exec(message)?.[1];
  if (quote !== undefined) return `is not valid YAML here: a closing ${quote} is missing`;
  return `is not valid YAML here: ${message.replace(/:\s.*$|["'`].*$/s, '').trim()}`;
}

/** The offset of the value at `path`; for an entry of a mapping the offset of its key. */
function offsetOf(document: Document, path: Path): number {
  let node: Node | null = document.contents;
  let offset = node?.range?.[0] ?? 0;
  for (const part of path) {
    if (isAlias(node)) node = node.resolve(document) ?? null;
    const step = stepInto(node, part);
    if (step === null) return offset;
    offset = step.offset ?? offset;
    node = step.node;
  }
  return offset;
}

function stepInto(
  node: Node | null,
  part: string | number,
): { readonly node: Node | null; readonly offset: number | null } | null {
  if (isSeq<Node>(node)) {
    const item = typeof part === 'number' ? node.items[part] : undefined;
    return item === undefined ? null : { node: item, offset: item.range?.[0] ?? null };
  }
  if (!isMap<Node, Node | null>(node)) return null;
  const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part));
  return pair === undefined ? null : { node: pair.value, offset: pair.key.range?.[0] ?? null };
}
