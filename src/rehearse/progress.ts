import type { Measured, Progress } from '../model/rehearsal.ts';

export function begunProgress(about: Pick<Measured, 'bugferry' | 'server' | 'repository'>, now: number): Progress {
  const nothing = {
    endedAt: null,
    requests: 0,
    cases: [],
    made: {},
    names: 0,
    branches: [],
    creations: [],
    left: null,
  };
  return { ...about, serverVersion: '', startedAt: new Date(now).toISOString(), ...nothing };
}
