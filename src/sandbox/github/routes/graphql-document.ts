/**
 * The part of GraphQL that the bridge uses: one operation whose fields have literal arguments and selections. There are
 * no variables or directives, and of fragments only inline ones, and only the types that `graphql.ts` resolves.
 */
export interface Selection {
  /** The field's name in the answer; without an alias, its own. */
  readonly alias: string;
  readonly name: string;
  readonly args: Readonly<Record<string, Literal>>;
  readonly selections: readonly Selection[];
  /** The type of the inline fragment that it stands in; null outside of fragments. */
  readonly on: string | null;
}

export type Literal = string | number | boolean | null | { readonly [name: string]: Literal } | readonly Literal[];

export interface Document {
  readonly kind: 'query' | 'mutation';
  readonly selections: readonly Selection[];
}

export class BadDocument extends Error {
  override readonly name = 'BadDocument';
}

/** Throws `BadDocument`. */
export function parseDocument(text: string): Document {
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|\.\.\.|[A-Za-z_]\w*|-?\d+(?:\.\d+)?|[{}()[\]:]/gu) ?? [];
  const reader = new Reader(tokens);
  const kind = reader.isNext('query') || reader.isNext('mutation') ? reader.take() : 'query';
  const selections = selectionsOf(reader);
  return { kind: kind === 'mutation' ? 'mutation' : 'query', selections };
}

class Reader {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  isNext(token: string): boolean {
    return this.#tokens[this.#at] === token;
  }

  take(): string {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw new BadDocument('the document ends too early');
    this.#at += 1;
    return token;
  }

  expect(token: string): void {
    const found = this.take();
    if (found !== token) throw new BadDocument(`expected ${token}, found ${found}`);
  }

  /** Consumes `token` if it is next. */
  skip(token: string): boolean {
    const isThere = this.isNext(token);
    if (isThere) this.#at += 1;
    return isThere;
  }
}

function selectionsOf(reader: Reader): readonly Selection[] {
  const selections: Selection[] = [];
  reader.expect('{');
  while (!reader.skip('}')) {
    if (reader.skip('...')) {
      reader.expect('on');
      const on = reader.take();
      selections.push(...selectionsOf(reader).map((selection) => ({ ...selection, on: selection.on ?? on })));
      continue;
    }
    const first = reader.take();
    const name = reader.skip(':') ? reader.take() : first;
    const args = reader.skip('(') ? fieldsUntil(reader, ')') : {};
    selections.push({ alias: first, name, args, selections: reader.isNext('{') ? selectionsOf(reader) : [], on: null });
  }
  return selections;
}

function fieldsUntil(reader: Reader, end: string): Readonly<Record<string, Literal>> {
  const fields: Record<string, Literal> = {};
  while (!reader.skip(end)) {
    const name = reader.take();
    reader.expect(':');
    fields[name] = literalOf(reader);
  }
  return fields;
}

/** An enumeration value is represented by its text. */
function literalOf(reader: Reader): Literal {
  const token = reader.take();
  if (token === '{') return fieldsUntil(reader, '}');
  if (token === '[') {
    const list: Literal[] = [];
    while (!reader.skip(']')) list.push(literalOf(reader));
    return list;
  }
  if (token.startsWith('"')) return String(JSON.parse(token));
  if (/^-?\d/u.test(token)) return Number(token);
  if (token === 'true' || token === 'false') return token === 'true';
  return token === 'null' ? null : token;
}
