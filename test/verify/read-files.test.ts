import type { Context } from '../../src/kernel/context.ts';
import { linkId } from '../../src/model/ids.ts';
import type { KnownFile } from '../../src/verify/compare/seen-pair.ts';
import type { FileJob } from '../../src/verify/read-files.ts';
import { type Case, testCases } from '../support/faults/scenarios.ts';
import { widgetRoute } from '../support/routes.ts';

const file = {
  origin: 'tracker',
  source: '1',
  name: 'log.txt',
  state: 'mirrored',
  path: 'log.txt',
  copy: null,
} as Partial<KnownFile> as KnownFile;
const context = { files: null, route: widgetRoute, clock: { now: () => 0 } } as Partial<Context> as Context;

/** How many files are known before the first of a thousand is compared, and how many are compared. */
async function countsOf(src: string): Promise<unknown> {
  const { weighFiles } = (await import(
    `${src}/verify/read-files.ts`
  )) as typeof import('../../src/verify/read-files.ts');
  const { inspectionOf } = (await import(
    `${src}/verify/inspection.ts`
  )) as typeof import('../../src/verify/inspection.ts');
  let [known, compared, ahead] = [0, 0, 0];
  function* jobs(): Generator<FileJob> {
    for (; known < 1_000; known += 1) yield { link: linkId(known + 1), file };
  }
  await weighFiles(
    inspectionOf(context, { signal: new AbortController().signal, tell: () => undefined }),
    jobs(),
    () => {
      ahead = Math.max(ahead, known - compared);
      compared += 1;
    },
  );
  return { compared, isFewAhead: ahead <= 50 };
}

const cases: readonly Case[] = [
  {
    name: 'all files are known before the first is compared',
    ...{ file: 'verify/read-files.ts', from: 'part.length < batch', to: 'part.length >= 0' },
    ...{ scenario: countsOf, right: { compared: 1_000, isFewAhead: true } },
  },
];

testCases(cases);
