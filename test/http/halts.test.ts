import { expect, test } from 'vitest';
import type { Visit } from '../../src/engine/daemon.ts';
import { SideError } from '../../src/model/outcome.ts';
import { openHalts } from '../../src/wire-door.ts';
import { scrub } from '../support/scrub.ts';

const place = { route: 'widget', ms: 1 };
const refusal = { touched: 32, links: 50, why: 'the plan would change 32 of 50 links' };
const cycle = (isRefused: boolean): Visit => {
  const report = {
    plan: { operations: [], notes: [], conflicts: [], skips: [] },
    operations: [],
    applied: 0,
    refusal: isRefused ? refusal : null,
  };
  return { kind: 'cycle', ...place, report };
};
const sweep = (isRefused: boolean): Visit => {
  return { kind: 'sweep', ...place, report: { buried: 0, frozen: 0, refusal: isRefused ? refusal : null } };
};
const failed = (error: unknown): Visit => ({ kind: 'failed', ...place, error });

test.each<[string, readonly Visit[], readonly [boolean, RegExp] | null]>([
  ['nothing after a cycle', [cycle(false)], null],
  ['a plan that the brake refused', [cycle(true)], [true, /^The plan .*32 of 50/u]],
  ['nothing once the plan went through', [cycle(true), cycle(false)], null],
  ['a full comparison that the brake refused, also after cycles', [sweep(true), cycle(false)], [true, /^The full comparison /u]],
  ['nothing once a full comparison went through', [sweep(true), cycle(false), sweep(false)], null],
  ['a side that is down, as passing', [failed(new SideError('later', 'it answered 503'))], [false, /503/u]],
  ['refused credentials', [failed(new SideError('unauthorized', 'it refused us'))], [true, /refused us/u]],
  ['a fault of our own', [failed(new Error('x'))], [true, /see the log/u]],
  ['nothing after a failure that has passed', [failed(new Error('x')), cycle(false)], null],
])('what stops a route is %s', (_name, visits, expected) => {
  const halts = openHalts(scrub);
  for (const visit of visits) halts.visited(visit);
  expect(halts.list().map(({ route, needsPerson }) => [route, needsPerson])).toEqual(expected === null ? [] : [['widget', expected[0]]]);
  if (expected !== null) expect(halts.list()[0]?.why).toMatch(expected[1]);
});
