import { join, resolve } from 'node:path';

/** The planner's modules, so that one property runs on the true code and on copies with a planted fault. */
export type Core = typeof import('../../src/fields/move-base.ts') &
  typeof import('../../src/links/match.ts') &
  typeof import('../../src/kernel/brake-and-budget.ts') &
  typeof import('../../src/comments/life.ts') &
  typeof import('../../src/text/canonical.ts') &
  typeof import('../../src/fields/relations.ts') &
  typeof import('../../src/comments/plan.ts') &
  typeof import('../../src/privacy/gate.ts') &
  typeof import('../../src/links/life.ts') &
  typeof import('../../src/sync/plan.ts') &
  typeof import('../../src/comments/render.ts') &
  typeof import('../../src/fields/status.ts') &
  typeof import('../../src/fields/plan.ts') &
  typeof import('../../src/links/targets.ts') &
  typeof import('../../src/comments/thread.ts') &
  typeof import('../../src/fields/comparable.ts') &
  typeof import('../../src/comments/seen-again.ts');

const names = [
  'comments/life',
  'comments/plan',
  'comments/render',
  'comments/seen-again',
  'comments/thread',
  'fields/comparable',
  'fields/move-base',
  'fields/plan',
  'fields/relations',
  'fields/status',
  'kernel/brake-and-budget',
  'links/life',
  'links/match',
  'links/targets',
  'privacy/gate',
  'sync/plan',
  'text/canonical',
];

/** The planner of the project, or of a copy made by `plant`. */
export async function loadCore(folder = resolve(import.meta.dirname, '../../src')): Promise<Core> {
  const load = async (name: string) => (await import(join(folder, `${name}.ts`))) as object;
  const modules = await Promise.all(names.map(load));
  return Object.assign({}, ...modules) as Core;
}
