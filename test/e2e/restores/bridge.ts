import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type House, type HouseConfig, openHouse } from '../../support/bugferry.ts';
import { quickSchedule } from '../../support/quick-config.ts';
import { pause, type Running, start } from '../process.ts';

export const repo = 'acme/widget';

/** How the state comes back; a twin keeps its own. */
export const ways = ['restored', 'put back', 'lost', 'adopted', 'restored twice', 'killed', 'run'] as const;
export type Way = (typeof ways)[number] | 'twin';

/** A house whose bridge is the built program. */
export interface Bridge extends House {
  /** Runs the program to its end. */
  bugferry(...args: readonly string[]): Promise<{ readonly code: number | null; readonly out: string }>;
  /** Starts the program. */
  begin(...args: readonly string[]): Running;
  /** So many cycles, none of which fails. */
  turns(count: number, ...args: readonly string[]): Promise<void>;
  /** Some cycles and a full comparison, with a pause: stamps have whole seconds, and lists leave out the present one. */
  settled(): Promise<void>;
  backUp(): Promise<void>;
  /** @param killedAfter after how many requests to GitHub the first cycle is killed, where the state comes back so */
  comesBack(way: Way, killedAfter?: number): Promise<void>;
  /** Names of files in all stores. */
  files(): readonly string[];
}

export async function openBridge(
  fill: Parameters<typeof openHouse>[0],
  configure: (config: HouseConfig) => void = () => undefined,
): Promise<Bridge> {
  const house = await openHouse(fill);
  house.github.allow(repo, 'bugferry-bot', 'admin');
  house.github.addRepo('acme/files', { permissions: { 'bugferry-bot': 'write', mona: 'admin' } });
  const file = house.configure((config) => {
    config.people = { 'alice@example.test': 'mona', 'bob@example.test': 'hubot' };
    config.limits.brakeShare = 1;
    config.schedule = quickSchedule;
    configure(config);
  });
  const begin = (...args: readonly string[]): Running =>
    start([...args, ...(args.includes('--config') ? [] : ['--config', file])]);
  const bugferry: Bridge['bugferry'] = async (...args) => {
    const running = begin(...args);
    return { code: await running.ended, out: running.output() };
  };
  const turns: Bridge['turns'] = async (count, ...args) => {
    for (let turn = 0; turn < count; turn += 1) {
      const { code, out } = await bugferry('once', ...args);
      expect([code, out]).toEqual([expect.toBeOneOf([0, 1]), out]);
    }
  };
  const backup = join(house.folder, 'old.db');
  const back = backs({ ...house, begin, bugferry, turns }, backup);
  return {
    ...house,
    ...{ begin, bugferry, turns },
    async settled() {
      await turns(2);
      await pause(1_100);
      await turns(1, '--sweep');
      await turns(1);
    },
    async backUp() {
      rmSync(backup, { force: true });
      expect(await bugferry('state', 'backup', backup)).toMatchObject({ code: 0 });
    },
    comesBack: (way, killedAfter = 9) => back[way](killedAfter),
    files: () =>
      [
        ...[repo, 'acme/files'].flatMap((name) => [...house.github.files(name, 'attachments').keys()]),
        ...house.github.assets(repo).keys(),
      ].toSorted(),
  };
}

type Parts = Pick<Bridge, keyof House | 'begin' | 'bugferry' | 'turns'>;

function backs(bridge: Parts, backup: string): Readonly<Record<Way, (killedAfter: number) => Promise<void>>> {
  const { state, github, begin, bugferry, turns } = bridge;
  const lose = async (): Promise<void> => {
    for (const rest of ['', '-wal', '-shm']) rmSync(`${state}${rest}`, { force: true });
  };
  const restore = async (): Promise<void> =>
    expect(await bugferry('state', 'restore', backup)).toMatchObject({ code: 0 });
  return {
    async twin() {},
    restored: restore,
    async 'put back'() {
      await lose();
      copyFileSync(backup, state);
    },
    lost: lose,
    async adopted() {
      await lose();
      expect(await bugferry('adopt')).toMatchObject({ code: 0 });
    },
    async 'restored twice'() {
      await restore();
      await turns(1);
      await restore();
    },
    async killed(killedAfter) {
      await restore();
      const before = github.requests.length;
      const running = begin('once');
      let hasEnded = false;
      void running.ended.then(() => {
        hasEnded = true;
      });
      while (!hasEnded && github.requests.length < before + killedAfter) await pause(1);
      await running.end('SIGKILL');
    },
    async run() {
      await restore();
      const running = begin('run');
      const sweeps = (): number => running.output().split('compared in full').length - 1;
      for (let tries = 0; tries < 2_400 && sweeps() < 2; tries += 1) await pause(50);
      const code = await running.end('SIGTERM');
      expect([code, sweeps() > 1, running.output()]).toEqual([0, true, expect.any(String)]);
    },
  };
}
