import type { Cost, Lane } from '../../src/model/runtime.ts';

/** A lane without limits that remembers what went through it. */
export interface OpenLane extends Lane {
  readonly costs: Cost[];
}

export function openLane(): OpenLane {
  const costs: Cost[] = [];
  return {
    costs,
    run(cost, request) {
      costs.push(cost);
      return request();
    },
  };
}
