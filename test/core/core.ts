import { join, resolve } from 'node:path';

/** The planner's modules, so that one property runs on the true code and on copies with a planted fault. */
export type Core = typeof import('../../src/core/advance.ts') &
  typeof import('../../src/core/bind.ts') &
  typeof import('../../src/core/brake.ts') &
  typeof import('../../src/core/digest.ts') &
  typeof import('../../src/core/duplicate.ts') &
  typeof import('../../src/core/further-parts.ts') &
  typeof import('../../src/core/gate.ts') &
  typeof import('../../src/core/match.ts') &
  typeof import('../../src/core/order.ts') &
  typeof import('../../src/core/plan.ts') &
  typeof import('../../src/core/plan-pointers.ts') &
  typeof import('../../src/core/policy.ts') &
  typeof import('../../src/core/select.ts') &
  typeof import('../../src/core/status.ts') &
  typeof import('../../src/core/steps.ts') &
  typeof import('../../src/core/targets.ts') &
  typeof import('../../src/core/thread.ts') &
  typeof import('../../src/core/view.ts');

const names = [
  'advance',
  'bind',
  'brake',
  'digest',
  'duplicate',
  'further-parts',
  'gate',
  'match',
  'order',
  'plan',
  'plan-pointers',
  'policy',
  'select',
  'status',
  'steps',
];

/** The core of the project, or of a copy made by `plant`. */
export async function loadCore(folder = resolve(import.meta.dirname, '../../src')): Promise<Core> {
  const load = async (name: string) => (await import(/* @vite-ignore */ join(folder, 'core', `${name}.ts`))) as object;
  const modules = await Promise.all([...names, 'targets', 'thread', 'view'].map(load));
  return Object.assign({}, ...modules) as Core;
}
