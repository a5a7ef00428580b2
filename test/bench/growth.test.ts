import { expect, test } from 'vitest';
import { exponentOf } from './growth.ts';
import { type Bridged, bridged, repo } from './support/bridge.ts';

/**
 * How the work grows, counted in rows that the state gives out: processor time says the same at the sizes of `npm run
 * bench -- growth`, and less on a busy machine.
 */

const words = 'It stops after some minutes, without a word in the log.';

/** Counts the rows that tables of the state return. */
function counting({ context }: Bridged): () => number {
  const { store } = context;
  let rows = 0;
  for (const table of [
    store.commentLinks,
    store.attachmentLinks,
    store.outbox,
    store.ledger,
    store.links,
    store.budgets,
  ])
    for (const [name, method] of Object.entries(table)) {
      if (typeof method !== 'function') continue;
      Object.assign(table, {
        [name]: (...args: readonly unknown[]) => {
          const answer: unknown = Reflect.apply(method, table, args);
          rows += Array.isArray(answer) ? answer.length : 1;
          return answer;
        },
      });
    }
  return () => rows;
}

async function threadOf(comments: number, text: (nth: number) => string): Promise<Bridged> {
  const bridge = await bridged();
  const bug = Number(bridge.tracker.as('alice').file({ summary: 'A long thread', description: words }));
  for (let nth = 1; nth <= comments; nth += 1) bridge.tracker.as('bob').comment(bug, text(nth));
  return bridge;
}

async function rowsForEach(comments: number, text: (nth: number) => string): Promise<number> {
  const bridge = await threadOf(comments, text);
  try {
    const rows = counting(bridge);
    await bridge.settle();
    expect(bridge.github.commentsOf(repo, 1)).toHaveLength(comments);
    return rows() / comments;
  } finally {
    await bridge.close();
  }
}

test.each([
  ['plain', () => words],
  ['with references to their neighbours', (nth: number) => `As comment ${nth - 1} says.`],
  ['with references to the description', () => 'See comment 0, and bug 1.'],
  ['with addresses', (nth: number) => `See http://tracker.invalid/show_bug.cgi?id=1#c${nth - 1}.`],
])('a comment of a backfill reads as many rows in a long thread as in a short one: %s', async (_, text) => {
  const [few, many] = [await rowsForEach(25, text), await rowsForEach(100, text)];
  expect(many / few).toBeLessThan(1.2);
});

test('the exponent of a fit is that of the growth', () => {
  const costs = (grow: (size: number) => number) => [10, 20, 40].map((size) => ({ size, cpuMs: grow(size) }));
  expect(exponentOf(costs((size) => 3 * size))).toBeCloseTo(1);
  expect(exponentOf(costs((size) => size * size))).toBeCloseTo(2);
});
