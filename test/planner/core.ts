import { join, resolve } from 'node:path';

/** The planner's modules, so that one property runs on the true code and on copies with a planted fault. */
export type Core = typeof import('../../src/rules/fields/move-base.ts') &
  typeof import('../../src/rules/links/match.ts') &
  typeof import('../../src/rules/comments/join.ts') &
  typeof import('../../src/rules/limits/brake-and-budget.ts') &
  typeof import('../../src/rules/comments/life.ts') &
  typeof import('../../src/text/canonical.ts') &
  typeof import('../../src/rules/fields/relations.ts') &
  typeof import('../../src/rules/comments/plan.ts') &
  typeof import('../../src/rules/privacy/gate.ts') &
  typeof import('../../src/rules/links/life.ts') &
  typeof import('../../src/rules/plan/plan.ts') &
  typeof import('../../src/rules/comments/render.ts') &
  typeof import('../../src/rules/fields/status.ts') &
  typeof import('../../src/rules/fields/plan.ts') &
  typeof import('../../src/rules/links/targets.ts') &
  typeof import('../../src/rules/comments/thread.ts') &
  typeof import('../../src/rules/fields/comparable.ts') &
  typeof import('../../src/rules/comments/body.ts') &
  typeof import('../../src/rules/comments/missing.ts') &
  typeof import('../../src/rules/comments/parts.ts');

const names = [
  'rules/comments/body',
  'rules/comments/life',
  'rules/comments/missing',
  'rules/comments/parts',
  'rules/comments/plan',
  'rules/comments/render',
  'rules/comments/thread',
  'rules/fields/comparable',
  'rules/fields/move-base',
  'rules/fields/plan',
  'rules/fields/relations',
  'rules/fields/status',
  'rules/limits/brake-and-budget',
  'rules/links/life',
  'rules/comments/join',
  'rules/links/match',
  'rules/links/targets',
  'rules/privacy/gate',
  'rules/plan/plan',
  'text/canonical',
];

/** The planner of the project, or of a copy made by `plant`. */
export async function loadCore(folder = resolve(import.meta.dirname, '../../src')): Promise<Core> {
  const load = async (name: string) => (await import(join(folder, `${name}.ts`))) as object;
  const modules = await Promise.all(names.map(load));
  return Object.assign({}, ...modules) as Core;
}
