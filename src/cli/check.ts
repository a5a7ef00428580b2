import type { Command } from 'commander';
import { SideError } from '../model/outcome.ts';
import type { Side } from '../model/side.ts';
import { type BridgeRoute, openBridge } from '../wire.ts';
import { checkRoute, type Verdict } from './check-route.ts';
import { announce, type CommonOptions, type Desk, readConfig, withConfig } from './desk.ts';
import { exitCodes } from './exit-code.ts';
import { type Style, visible } from './terminal.ts';

export function addCheck(program: Command, desk: Desk): void {
  const command = announce(program, {
    name: 'check',
    summary: 'try a configuration out; writes nothing',
    description:
      'Reads the configuration, greets both sides, and compares what the routes ask for with what the tracker knows: products, components, values, the workflow. Writes nothing.',
    examples: [
      ['', 'every line says ok, warning or failure, and what to do'],
      ['--config other.yaml', 'try another configuration'],
      ['--json', 'the same as one JSON document'],
    ],
  });
  withConfig(command).action(async (options: CommonOptions) => desk.finish(await check(desk, options)));
}

async function check(desk: Desk, options: CommonOptions): Promise<number> {
  const { terminal, signal } = desk;
  const config = readConfig(desk, options);
  const bridge = openBridge(config, { mode: 'copy', signal, warn: terminal.note, tell: () => {} });
  try {
    const verdicts: Verdict[] = [{ level: 'ok', about: options.config, words: `well formed, ${config.routes.length} route(s)` }];
    let isReachable = true;
    for (const each of bridge.routes) {
      const asked = await askBoth(each, config.tracker.url);
      isReachable &&= asked.isReachable;
      verdicts.push(...asked.verdicts);
    }
    if (options.json) terminal.json({ verdicts });
    else
      for (const { level, about, words } of verdicts)
        terminal.out(`${terminal.paint(styles[level], level.padEnd(7))}  ${visible(`${about}: ${words}`)}`);
    if (!isReachable) return exitCodes.unreachable;
    return verdicts.some(({ level }) => level === 'failure') ? exitCodes.usage : exitCodes.well;
  } finally {
    bridge.close();
  }
}

const styles: Readonly<Record<Verdict['level'], Style>> = { ok: 'green', warning: 'yellow', failure: 'red' };

async function askBoth(each: BridgeRoute, trackerUrl: string): Promise<{ isReachable: boolean; verdicts: readonly Verdict[] }> {
  const repo = `${each.route.owner}/${each.route.repo}`;
  const tracker = await greet(each, 'tracker', trackerUrl);
  const github = await greet(each, 'github', repo);
  const verdicts = [tracker.verdict, github.verdict];
  if (github.isReached) verdicts.push(await rights(each, repo));
  if (tracker.login !== null) verdicts.push(...(await trackerRights(each, tracker.login)));
  if (tracker.isReached) verdicts.push(...checkRoute(each.route, await each.tracker.vocabulary()));
  return { isReachable: tracker.isReached && github.isReached, verdicts };
}

interface Greeting {
  readonly isReached: boolean;
  /** Our account; null when it is not told. */
  readonly login: string | null;
  readonly verdict: Verdict;
}

async function greet(each: BridgeRoute, side: Side, place: string): Promise<Greeting> {
  const about = `route ${each.name}, ${side === 'tracker' ? 'tracker' : 'GitHub'}`;
  try {
    const { login, version } = await each[side].hello();
    const account = login === null ? 'it does not tell our account' : `as ${login}`;
    return { isReached: true, login, verdict: { level: 'ok', about, words: `${place} answers (${version}), ${account}` } };
  } catch (error) {
    if (!(error instanceof SideError)) throw error;
    return { isReached: false, login: null, verdict: { level: 'failure', about, words: error.message } };
  }
}

async function rights(each: BridgeRoute, repo: string): Promise<Verdict> {
  const about = `route ${each.name}, rights`;
  const mayWrite = await each.mayWrite();
  if (mayWrite === null)
    return { level: 'warning', about, words: `GitHub does not tell whether we may write in ${repo}; issues need read and write access` };
  if (mayWrite) return { level: 'ok', about, words: `may label and close issues in ${repo}` };
  const advice = `give the account the triage or write role in ${repo}; without it labels and states are silently dropped`;
  return { level: each.route.direction === 'to-tracker' ? 'warning' : 'failure', about, words: advice };
}

/** A product may let others edit its bugs, which nobody can look up: so this is no failure. */
async function trackerRights(each: BridgeRoute, login: string): Promise<readonly Verdict[]> {
  if (each.route.direction === 'to-github') return [];
  const about = `route ${each.name}, tracker rights`;
  const mayEdit = await each.mayEditBugs(login);
  if (mayEdit === null) return [];
  if (mayEdit) return [{ level: 'ok', about, words: `${login} may change bugs of others` }];
  const words = `${login} is not in the tracker's group editbugs, so bugs of others cannot be changed from GitHub, only commented on; ask an administrator of the tracker to add it`;
  return [{ level: 'warning', about, words }];
}
