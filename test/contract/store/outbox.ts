import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Link } from '../../../src/model/link.ts';
import type { Operation } from '../../../src/model/plan/operation.ts';
import type { OutboxRow, OutboxState } from '../../../src/model/plan/outbox.ts';
import { commentOn, createFor, halfLink, sampleCommentLink, updateOf } from './samples.ts';
import type { StoreUnderTest } from './store.ts';

const keysOf = (rows: readonly OutboxRow[]): readonly string[] => rows.map((row) => row.operation.key);
type OutboxContent = Omit<OutboxRow, 'number'>;
/** The number of a row is not part of what was planned. */
const withoutNumber = (rows: readonly OutboxRow[]): readonly OutboxContent[] =>
  rows.map(({ number: _, ...row }) => row);
const planned = {
  state: 'planned',
  attempts: 0,
  notBeforeAt: null,
  sentAt: null,
  waitingSince: null,
  why: null,
} as const;

export function outboxContract(subject: StoreUnderTest): void {
  const twoLinks = (): [Link, Link] => [subject.store.links.add(halfLink(1)), subject.store.links.add(halfLink(2))];

  describe('the outbox', () => {
    test('what is planned is due in the order of the plan, as it was planned', () => {
      const { outbox, commentLinks } = subject.store;
      const [one, other] = twoLinks();
      const comment = commentOn(one.id, commentLinks.add(sampleCommentLink(one.id, 1)));
      const operations: Operation[] = [
        updateOf(other.id, 'z', 'x'),
        comment,
        createFor(one.id),
        updateOf(one.id, 'a', 'x'),
      ];
      outbox.replace('kettle', [one.id, other.id], operations);
      expect(withoutNumber(outbox.due('kettle', 0))).toStrictEqual(
        operations.map((operation) => ({ ...planned, route: 'kettle', operation })),
      );
      expect(keysOf(outbox.ofLink(one.id))).toStrictEqual(keysOf(outbox.due('kettle', 0)).slice(1));
      expect(outbox.get(comment.key)?.operation).toStrictEqual(comment);
      expect(outbox.get('nothing')).toBeNull();
      expect(outbox.due('pot', 0)).toStrictEqual([]);
      expect(outbox.count('pot')).toStrictEqual({ planned: 0, sent: 0, parked: 0 });
    });

    test('a row is found by its number, which stays when it is planned again and is never given twice', () => {
      const { outbox } = subject.store;
      const [{ id }] = twoLinks();
      outbox.replace('kettle', [id], [updateOf(id, 'a', 'x'), updateOf(id, 'b', 'x')]);
      const [a = 0, b = 0] = [outbox.get(`${id}:a`)?.number, outbox.get(`${id}:b`)?.number];
      outbox.replace('kettle', [id], [updateOf(id, 'b', 'y'), updateOf(id, 'c', 'x')]);
      expect(outbox.byNumber(b)?.operation.key).toBe(`${id}:b`);
      expect(outbox.byNumber(a)).toBeNull();
      const c = outbox.get(`${id}:c`)?.number ?? 0;
      outbox.remove(`${id}:c`);
      outbox.replace('kettle', [id], [updateOf(id, 'd', 'x')]);
      expect(outbox.get(`${id}:d`)?.number).toBeGreaterThan(Math.max(a, b, c));
    });

    test('a plan for one link leaves the operations of another alone', () => {
      const { outbox } = subject.store;
      const [one, other] = twoLinks();
      outbox.replace('kettle', [one.id, other.id], [updateOf(one.id, 'a', 'x'), updateOf(other.id, 'a', 'x')]);
      outbox.replace('kettle', [one.id], [updateOf(one.id, 'b', 'x')]);
      expect(keysOf(outbox.due('kettle', 0))).toStrictEqual([`${other.id}:a`, `${one.id}:b`]);
      outbox.replace('kettle', [], []);
      expect(outbox.count('kettle').planned).toBe(2);
      outbox.replace('kettle', [other.id], []);
      expect(keysOf(outbox.due('kettle', 0))).toStrictEqual([`${one.id}:b`]);
    });

    test('what was sent is read in parts, in the order of the plan, while it changes', () => {
      const { outbox } = subject.store;
      const [one, other] = twoLinks();
      const operations = Array.from({ length: 450 }, (_, index) =>
        updateOf(index % 2 === 0 ? one.id : other.id, `f${index}`, 'x'),
      );
      outbox.replace('kettle', [one.id, other.id], operations);
      for (const { key } of operations.slice(3)) outbox.mark(key, { state: 'sent', sentAt: 5 });
      expect(keysOf([...outbox.eachSent('kettle')])).toStrictEqual(keysOf(outbox.sent('kettle')));
      expect(outbox.eachSent('pot').toArray()).toStrictEqual([]);
      const met: string[] = [];
      for (const { operation } of outbox.eachSent('kettle')) {
        met.push(operation.key);
        outbox.remove(operation.key);
        // Far ahead, and so not read yet.
        if (met.length === 1) outbox.mark(`${other.id}:f449`, { state: 'planned' });
      }
      expect(met).toStrictEqual(operations.slice(3, -1).map(({ key }) => key));
    });

    test('a row that is planned again takes the new operation and place, and keeps its attempts and waiting time', () => {
      const { outbox } = subject.store;
      const [{ id }] = twoLinks();
      outbox.replace('kettle', [id], [updateOf(id, 'a', 'x'), updateOf(id, 'b', 'x')]);
      outbox.mark(`${id}:a`, { attempts: 2, notBeforeAt: 5_000, why: 'busy' });
      outbox.replace('kettle', [id], [updateOf(id, 'b', 'x'), updateOf(id, 'a', 'y')]);
      expect(outbox.get(`${id}:a`)).toMatchObject({
        state: 'planned',
        attempts: 2,
        notBeforeAt: 5_000,
        operation: updateOf(id, 'a', 'y'),
      });
      expect(keysOf(outbox.due('kettle', 4_999))).toStrictEqual([`${id}:b`]);
      // As after a clock that was put back by a year.
      expect(keysOf(outbox.due('kettle', 5_000 - 365 * 86_400_000))).toStrictEqual([`${id}:b`, `${id}:a`]);
      expect(keysOf(outbox.due('kettle', 5_000))).toStrictEqual([`${id}:b`, `${id}:a`]);
    });

    test('a parked row stays parked while its operation is the same, in whatever order its keys are written', () => {
      const { outbox } = subject.store;
      const [{ id }] = twoLinks();
      const operation = updateOf(id, 'a', 'x');
      outbox.replace('kettle', [id], [operation]);
      outbox.mark(operation.key, { state: 'parked', attempts: 5, why: 'refused' });
      const parked = outbox.get(operation.key);
      outbox.replace('kettle', [id], [withKeysReversed(operation)]);
      expect(outbox.get(operation.key)).toEqual(parked);
      expect(outbox.due('kettle', 9_999)).toStrictEqual([]);
      expect(outbox.parked('kettle')).toEqual([parked]);
    });

    test.each([
      ['another value', (id: Link['id']) => updateOf(id, 'a', 'y')],
      ['another order of a list', (id: Link['id']) => ({ ...updateOf(id, 'a', 'x'), via: ['completed', 'open'] })],
    ])('a parked row is planned afresh when its operation has %s', (_what, changed) => {
      const { outbox } = subject.store;
      const [{ id }] = twoLinks();
      outbox.replace('kettle', [id], [updateOf(id, 'a', 'x')]);
      outbox.mark(`${id}:a`, { state: 'parked', attempts: 5, notBeforeAt: 99_999, sentAt: 4, why: 'refused' });
      outbox.replace('kettle', [id], [changed(id)]);
      expect(outbox.get(`${id}:a`)).toStrictEqual({
        ...planned,
        number: expect.any(Number),
        route: 'kettle',
        operation: changed(id),
      });
    });

    test('a parked row that is not planned any more disappears', () => {
      const { outbox } = subject.store;
      const [{ id }] = twoLinks();
      outbox.replace('kettle', [id], [updateOf(id, 'a', 'x')]);
      outbox.mark(`${id}:a`, { state: 'parked' });
      outbox.replace('kettle', [id], []);
      expect(outbox.get(`${id}:a`)).toBeNull();
    });

    test('a row that was sent is not touched, whether its key is planned again or not', () => {
      const { outbox } = subject.store;
      const [{ id }] = twoLinks();
      outbox.replace('kettle', [id], [updateOf(id, 'a', 'x')]);
      outbox.mark(`${id}:a`, { state: 'sent', sentAt: 3_000, attempts: 1 });
      const sent = outbox.get(`${id}:a`);
      outbox.replace('kettle', [id], [updateOf(id, 'a', 'y'), updateOf(id, 'b', 'x')]);
      expect(outbox.sent('kettle')).toStrictEqual([sent]);
      expect(keysOf(outbox.due('kettle', 9_999))).toStrictEqual([`${id}:b`]);
      outbox.replace('kettle', [id], []);
      expect(outbox.sent('kettle')).toStrictEqual([sent]);
      expect(outbox.count('kettle')).toStrictEqual({ planned: 0, sent: 1, parked: 0 });
      expect(outbox.putOff('kettle', 9)).toStrictEqual([]);
    });

    test('what is sent of a wish stays with its row until it is planned again', () => {
      const { outbox } = subject.store;
      const [{ id }] = twoLinks();
      const [whole, less] = [updateOf(id, 'a', 'x'), updateOf(id, 'a', 'y')];
      outbox.replace('kettle', [id], [whole]);
      outbox.mark(whole.key, { state: 'sent', sentAt: 3_000, operation: less });
      outbox.replace('kettle', [id], [whole]);
      expect(outbox.sent('kettle')).toMatchObject([{ sentAt: 3_000, operation: less }]);
      outbox.mark(whole.key, { state: 'parked', operation: whole });
      outbox.replace('kettle', [id], [whole]);
      expect(outbox.parked('kettle')).toMatchObject([{ operation: whole }]);
    });

    test('mark changes what it names, null included, and nothing else', () => {
      const { outbox } = subject.store;
      const [{ id }] = twoLinks();
      outbox.replace('kettle', [id], [updateOf(id, 'a', 'x'), updateOf(id, 'b', 'x')]);
      outbox.mark(`${id}:a`, { state: 'sent', sentAt: 3_000, attempts: 1, why: 'x', notBeforeAt: 4_000 });
      outbox.mark(`${id}:a`, { state: 'planned', sentAt: null, attempts: 0 });
      const operation = updateOf(id, 'a', 'x');
      expect(outbox.get(`${id}:a`)).toStrictEqual({
        ...planned,
        number: expect.any(Number),
        route: 'kettle',
        operation,
        why: 'x',
        notBeforeAt: 4_000,
      });
      expect(outbox.get(`${id}:b`)).toMatchObject(planned);
    });

    test('an operation that is not in the outbox cannot be marked as sent', () => {
      expect(() => subject.store.outbox.mark('7:a', { state: 'sent' })).toThrow(/7:a/);
    });

    test('a removed row is gone, and removing it again does no harm', () => {
      const { outbox } = subject.store;
      const [{ id }] = twoLinks();
      outbox.replace('kettle', [id], [updateOf(id, 'a', 'x'), updateOf(id, 'b', 'x')]);
      outbox.remove(`${id}:a`);
      outbox.remove(`${id}:a`);
      expect(keysOf(outbox.ofLink(id))).toStrictEqual([`${id}:b`]);
    });

    test('whatever happens to it, the outbox does what its description says', () => {
      const [one, other] = twoLinks();
      fc.assert(
        fc.property(fc.array(anyStep, { maxLength: 14 }), (steps) => followModel(subject, [one, other], steps)),
        { numRuns: 150 },
      );
    });
  });
}

/** The same value with the keys of every object in reverse order. */
function withKeysReversed<T>(value: T): T {
  const reverse = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(reverse);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(
      Object.entries(part)
        .reverse()
        .map(([key, inner]) => [key, reverse(inner)]),
    );
  };
  return reverse(value) as T;
}

type Wish = { readonly link: 0 | 1; readonly name: string; readonly title: string };
type Step =
  | { readonly kind: 'replace'; readonly links: readonly (0 | 1)[]; readonly wishes: readonly Wish[] }
  | {
      readonly kind: 'mark';
      readonly pick: number;
      readonly state: OutboxState;
      readonly attempts: number;
      readonly notBeforeAt: number | null;
    }
  | { readonly kind: 'remove'; readonly pick: number };

const anyWish = fc.record({
  link: fc.constantFrom<0 | 1>(0, 1),
  name: fc.constantFrom('a', 'b', 'c'),
  title: fc.constantFrom('x', 'y'),
});
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('replace' as const),
      links: fc.subarray<0 | 1>([0, 1]),
      wishes: fc.uniqueArray(anyWish, { selector: ({ link, name }) => `${link}:${name}`, maxLength: 6 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('mark' as const),
      pick: fc.nat(20),
      state: fc.constantFrom<OutboxState>('planned', 'sent', 'parked'),
      attempts: fc.nat(3),
      notBeforeAt: fc.constantFrom(null, 10, 20),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), pick: fc.nat(20) }) },
);

/** Takes the steps in the store and in a plain list, which holds the rows in their order, and compares after each. */
function followModel({ store }: StoreUnderTest, links: readonly [Link, Link], steps: readonly Step[]): void {
  for (const link of links) for (const row of store.outbox.ofLink(link.id)) store.outbox.remove(row.operation.key);
  let model: readonly OutboxContent[] = [];
  for (const step of steps) {
    if (step.kind === 'replace') {
      const ids = step.links.map((link) => links[link].id);
      const wishes = step.wishes.filter(({ link }) => step.links.includes(link));
      const operations = wishes.map(({ link, name, title }) => updateOf(links[link].id, name, title));
      store.outbox.replace('kettle', ids, operations);
      model = replaced(model, ids, operations);
    } else {
      const row = model[step.pick % Math.max(1, model.length)];
      if (row === undefined) continue;
      const { key } = row.operation;
      const { kind, pick: _, ...change } = step;
      if (kind === 'mark') store.outbox.mark(key, change);
      else store.outbox.remove(key);
      model = model.flatMap((each) => (each !== row ? [each] : kind === 'mark' ? [{ ...each, ...change }] : []));
    }
    expectSame(store, model);
  }
}

function replaced(
  model: readonly OutboxContent[],
  links: readonly number[],
  operations: readonly Operation[],
): readonly OutboxContent[] {
  const sent = model.filter(({ state }) => state === 'sent');
  const untouched = model.filter((row) => row.state === 'sent' || !links.includes(row.operation.link));
  const wanted = operations.filter(({ key }) => !sent.some((row) => row.operation.key === key));
  const rows = wanted.map((operation) => {
    const before = model.find((row) => row.operation.key === operation.key);
    const isSame = JSON.stringify(before?.operation) === JSON.stringify(operation);
    if (before === undefined || (before.state === 'parked' && !isSame))
      return { ...planned, route: 'kettle', operation };
    return { ...before, operation };
  });
  return [...untouched, ...rows];
}

function expectSame({ outbox }: StoreUnderTest['store'], model: readonly OutboxContent[]): void {
  const inState = (state: OutboxState) => model.filter((row) => row.state === state);
  const due = inState('planned').filter(({ notBeforeAt }) => notBeforeAt === null || notBeforeAt <= 10);
  expect(withoutNumber(outbox.due('kettle', 10))).toStrictEqual(due);
  expect(withoutNumber(outbox.sent('kettle'))).toStrictEqual(inState('sent'));
  expect(withoutNumber(outbox.parked('kettle'))).toStrictEqual(inState('parked'));
  expect(outbox.count('kettle')).toStrictEqual({
    planned: inState('planned').length,
    sent: inState('sent').length,
    parked: inState('parked').length,
  });
}
