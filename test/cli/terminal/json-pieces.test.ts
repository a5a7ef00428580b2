import { PassThrough, Writable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonPieces } from '../../../src/cli/json-pieces.ts';
import { type Case, testCases } from '../../support/faults/scenarios.ts';

type Pieces = typeof import('../../../src/cli/json-pieces.ts');
type Terminals = typeof import('../../../src/cli/terminal.ts');

const pair = { name: 'Ärger: "quoted"', times: [1, 2], missing: undefined };
/** Short and long lists, a list within a list, and what has no JSON, at each place. */
const samples: readonly unknown[] = [
  {
    kind: 'verified',
    routes: [{ pairs: Array.from({ length: 250 }, (_, id) => ({ id, ...pair })), none: [], undefined }],
  },
  {
    lists: [Array.from({ length: 101 }, (_, at) => (at % 2 === 0 ? undefined : [at])), [undefined]],
    last: Array.from({ length: 101 }, () => 'another'),
  },
  Array.from({ length: 100 }, (_, at) => at),
  Array.from({ length: 201 }, () => Array.from({ length: 120 }, (_, at) => at)),
  'a text',
  { text: 'list 0', 'list 1': ['"list 2"', 'list 2'], long: Array.from({ length: 101 }, (_, at) => `list ${at}`) },
];

describe('JSON in pieces', () => {
  it('is what it is as a whole', () => {
    const values = fc.oneof(fc.jsonValue(), fc.array(fc.jsonValue({ maxDepth: 1 }), { minLength: 90, maxLength: 320 }));
    fc.assert(
      fc.property(
        fc.record({ one: values, two: values }),
        (value) => [...jsonPieces(value)].join('') === JSON.stringify(value),
      ),
      { numRuns: 100 },
    );
  });

  it('is the same value where it is indented, with an element of a long list on a line', () => {
    const list = { pairs: Array.from({ length: 250 }, (_, at) => at) };
    const text = [...jsonPieces(list, 1)].join('');
    expect(JSON.parse(text)).toEqual(list);
    expect(text.split('\n')).toHaveLength(252);
  });
});

const joined = async (src: string): Promise<unknown> => {
  const { jsonPieces: pieces } = (await import(`${src}/cli/json-pieces.ts`)) as Pieces;
  return samples.map((value) => [...pieces(value)].join(''));
};

/**
 * How much of a long document a terminal holds at most, how often a short one is written, and whether either shows a
 * secret.
 */
async function written(src: string): Promise<unknown> {
  const { openTerminal } = (await import(`${src}/cli/terminal.ts`)) as Terminals;
  const of = (value: unknown) => {
    const writes: string[] = [];
    const stdout = Object.assign(new PassThrough(), { write: (text: string) => writes.push(text) > 0 });
    const terminal = openTerminal({ stdout, stderr: new PassThrough(), signal: new AbortController().signal } as never);
    terminal.hide((text) => text.replaceAll('a secret', '...'));
    terminal.json(value);
    return writes;
  };
  const long = of({
    pairs: Array.from({ length: 20_000 }, (_, id) => ({ id, words: `a secret, as in ${'many words '.repeat(5)}` })),
  });
  return {
    isWhole: JSON.parse(long.join('')).pairs.length === 20_000,
    isLine: long.join('').indexOf('\n') === long.join('').length - 1,
    isShort: Math.max(...long.map(({ length }) => length)) < 100_000,
    isHidden: !long.join('').includes('secret'),
    ofShort: of({ pairs: ['a secret'] }),
  };
}

/**
 * How many texts of a long document wait for a reader who takes one at a time, and what he has in the end; and whether
 * a stop ends the wait.
 */
async function waiting(src: string): Promise<unknown> {
  const { openTerminal } = (await import(`${src}/cli/terminal.ts`)) as Terminals;
  const pairs = Array.from({ length: 20_000 }, (_, id) => ({ id, words: 'many words '.repeat(5) }));
  let [most, text] = [0, ''];
  const stdout = new Writable({
    decodeStrings: false,
    write(part: string, _encoding, taken) {
      text += part;
      most = Math.max(most, stdout.writableLength);
      setImmediate(taken);
    },
  });
  const of = (output: Writable, signal: AbortSignal) =>
    openTerminal({ stdout: output, stderr: new PassThrough(), signal });
  await of(stdout, new AbortController().signal).longJson({ pairs });
  const stuck = new Writable({ write: () => {} });
  const stop = new AbortController();
  const stopped = of(stuck, stop.signal)
    .longJson({ pairs })
    .then(
      () => 'written',
      () => 'stopped',
    );
  stop.abort();
  return { isWhole: text === `${JSON.stringify({ pairs })}\n`, isShort: most < 100_000, stopped: await stopped };
}

const file = 'cli/json-pieces.ts';
const whole = { scenario: joined, right: samples.map((value) => JSON.stringify(value)) };
const held = {
  scenario: written,
  right: { isWhole: true, isLine: true, isShort: true, isHidden: true, ofShort: ['{"pairs":["..."]}\n'] },
};
const patient = { scenario: waiting, right: { isWhole: true, isShort: true, stopped: 'stopped' } };
const cases: readonly Case[] = [
  { name: 'what has no JSON leaves a gap', file, from: " ?? 'null'", to: " ?? ''", ...whole },
  { name: 'groups are not divided', file, from: "at === 0 ? '[' : between", to: "at === 0 ? '[' : ''", ...whole },
  { name: 'lists are mixed up', file, from: 'long.push(each);', to: 'long.unshift(each);', ...whole },
  {
    name: 'a text of the value counts as a list',
    file,
    from: 'parts.length === long.length + 1',
    to: 'parts.length > 0',
    ...whole,
  },
  { name: 'a long list is one text', file, from: 'each.length <= together', to: 'each.length > 0', ...held },
  {
    name: 'all is held before it is written',
    file: 'cli/terminal.ts',
    from: 'held.length > heldMax',
    to: 'held.length < 0',
    ...held,
  },
  {
    name: 'nobody waits for the reader',
    ...{
      file: 'cli/terminal.ts',
      from: 'stdout.write(text, () => done())), asked',
      to: 'done(void stdout.write(text))), asked',
      ...patient,
    },
  },
  {
    name: 'a stop is not heard while it goes on',
    file: 'cli/terminal.ts',
    from: 'signal.throwIfAborted();',
    to: '',
    ...patient,
  },
  {
    name: 'a secret is printed',
    file: 'cli/terminal.ts',
    from: 'held += escaped(scrub(piece));',
    to: 'held += piece;',
    ...held,
  },
];

testCases(cases);
