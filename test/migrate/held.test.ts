import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Context } from '../../src/kernel/context.ts';
import { linkId } from '../../src/model/ids.ts';
import { type Case, testCases } from '../support/faults/scenarios.ts';

type Import = typeof import('../../src/migrate/import-bugs.ts');

const [parts, partSize, wordsOfEach] = [100, 100, 500];

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Whether memory stays small while the links of a large tracker are gone through, each of which holds some kilobytes. */
async function isLittleHeld(src: string): Promise<boolean> {
  const { lacking } = (await import(`${src}/migrate/import-bugs.ts`)) as Import;
  let grown = 0;
  function* batches() {
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let part = 0; part < parts; part += 1) yield Array.from({ length: partSize }, (_, at) => linkOf(part * partSize + at + 1));
    collect();
    grown = process.memoryUsage().heapUsed - before;
  }
  const store = { links: { batches }, outbox: { eachSent: () => [].values() } };
  const found = lacking({ store, route: { name: 'widget' } } as unknown as Context);
  return found.length === parts * partSize && grown < 5e6;
}

const linkOf = (id: number) => ({
  ...{ id: linkId(id), bug: id, issue: null, claim: null, state: 'live' },
  tracker: { isPrivate: false, words: Array.from({ length: wordsOfEach }, (_, at) => at + 0.5) },
});

const cases: readonly Case[] = [
  {
    name: 'whole links are held to know which bugs lack an issue',
    ...{
      file: 'migrate/import-bugs.ts',
      from: 'found.push({ id, bug: bug ?? 0 })',
      to: 'found.push({ id, bug: bug ?? 0, tracker } as never)',
    },
    ...{ scenario: isLittleHeld, right: true },
  },
];

testCases(cases);
