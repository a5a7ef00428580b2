import { expect, test } from 'vitest';
import type { Context } from '../../src/kernel/context.ts';
import { linkId } from '../../src/model/ids.ts';
import type { KnownFile } from '../../src/verify/compare/seen-pair.ts';
import { inspectionOf } from '../../src/verify/inspection.ts';
import { type FileJob, weighFiles } from '../../src/verify/read-files.ts';
import { widgetRoute } from '../support/routes.ts';

const file = {
  origin: 'tracker',
  source: '1',
  name: 'log.txt',
  state: 'mirrored',
  path: 'log.txt',
  copy: null,
} as Partial<KnownFile> as KnownFile;
const store = { setAside: { ofRoute: () => [] } } as unknown as Context['store'];
const context = { files: null, route: widgetRoute, store, clock: { now: () => 0 } } as Partial<Context> as Context;

test('the files of a thousand links are listed few at a time, and all are compared', async () => {
  let [known, compared, ahead] = [0, 0, 0];
  function* jobs(): Generator<FileJob> {
    for (; known < 1_000; known += 1) yield { link: linkId(known + 1), file };
  }
  const inspection = inspectionOf(context, { signal: new AbortController().signal, tell: () => undefined });
  await weighFiles(inspection, jobs(), () => {
    ahead = Math.max(ahead, known - compared);
    compared += 1;
  });
  expect(compared).toBe(1_000);
  expect(ahead).toBeLessThanOrEqual(50);
});
