/** Pairs that a person names, on the command line or in a file. */

import { existsSync } from 'node:fs';
import { pairingInWords } from '../../explain/words.ts';
import type { ControlCommand } from '../../model/control.ts';
import { type Named, sameName } from '../../model/named.ts';
import type { Route } from '../../model/route.ts';
import type { Store } from '../../model/store.ts';
import { type Bridge, findLink, openBridge, whyNoPair } from '../../wire/bridge.ts';
import { type CommandContext, type CommonOptions, readConfig, readSettings } from '../context.ts';
import { exitCodes, UsageError } from '../exit-code.ts';
import { visible } from '../terminal.ts';
import { queueCommands } from './retry.ts';

export interface PairOptions extends CommonOptions {
  readonly dryRun?: true;
}

export interface AskedPair {
  readonly bug: number;
  readonly repo: string;
  readonly issue: number;
  /** Its line in the file; null without a file. */
  readonly line: number | null;
}

export interface WrongLine {
  readonly line: number;
  readonly why: string;
}

/** The bug and the issue, in either order; null unless there is one of each. */
export function pairOf(one: Named | null, other: Named | null): Omit<AskedPair, 'line'> | null {
  const [bug, issue] = one?.kind === 'bug' ? [one, other] : [other, one];
  if (bug?.kind !== 'bug' || issue?.kind !== 'issue') return null;
  return { bug: bug.id, repo: issue.repo, issue: issue.number };
}

const isWrong = (asked: AskedPair | WrongLine): asked is WrongLine => 'why' in asked;

export async function queuePairs(
  context: CommandContext,
  options: PairOptions,
  asked: readonly (AskedPair | WrongLine)[],
): Promise<number> {
  if (options.dryRun) return tryPairs(context, options, asked);
  const wrong = asked.filter(isWrong);
  if (wrong.length > 0)
    throw new UsageError(`Nothing was queued. ${wrong.map(({ line, why }) => `Line ${line}: ${why}.`).join(' ')}`);
  const pairs = asked.filter((each): each is AskedPair => !isWrong(each));
  // The pairs of a first run are queued before there is a state.
  const mode = existsSync(readSettings(context, options).state) ? 'read' : 'copy';
  return queueCommands(
    context,
    options,
    ({ store, routes }) =>
      pairs.flatMap((pair) =>
        routesOf(store, routes, pair).map(({ name: route }): ControlCommand => {
          return { kind: 'pair', route, pair: { bug: pair.bug, issue: pair.issue } };
        }),
      ),
    mode,
  );
}

const aboutOf = ({ bug, repo, issue }: AskedPair): string => `bug ${bug} = ${repo}#${issue}`;

/** The route that has an end of the pair already; otherwise each with the repository: only one selects the bug. */
function routesOf<R extends Pick<Route, 'name' | 'owner' | 'repo'>>(
  store: Store,
  routes: readonly R[],
  { bug, repo, issue }: AskedPair,
): readonly R[] {
  const found = routes.filter((route) => sameName(`${route.owner}/${route.repo}`, repo));
  if (found.length === 0) throw new UsageError(`No route has the repository ${repo}.`);
  const ends: readonly Named[] = [
    { kind: 'bug', id: bug, about: '' },
    { kind: 'issue', repo, number: issue, about: '' },
  ];
  const known = ends.flatMap((end) => findLink(store, routes, end)?.route ?? []);
  const mine = found.filter(({ name }) => known.includes(name));
  return mine.length === 0 ? found : mine;
}

interface Tried {
  readonly about: string | null;
  readonly line: number | null;
  readonly why: string | null;
}

/** Whether a route would make the two a pair. Throws `SideError`. */
async function tryPair({ store, routes }: Bridge, pair: AskedPair): Promise<Tried> {
  const configured = routes.map(({ route }) => route);
  const mine = routesOf(store, configured, pair);
  const whys: (string | null)[] = [];
  for (const each of routes) if (mine.includes(each.route)) whys.push(await whyNoPair(await each.context(), pair));
  return { about: aboutOf(pair), line: pair.line, why: whys.includes(null) ? null : (whys[0] ?? null) };
}

/** Says what each pair would do. */
async function tryPairs(
  context: CommandContext,
  options: PairOptions,
  asked: readonly (AskedPair | WrongLine)[],
): Promise<number> {
  const { terminal, signal } = context;
  const warn = (message: string) => terminal.note(`bugferry: ${message}`);
  const bridge = openBridge(readConfig(context, options), { mode: 'copy', signal, warn, tell: () => {} });
  try {
    const results: Tried[] = [];
    for (const each of asked) results.push(isWrong(each) ? { about: null, ...each } : await tryPair(bridge, each));
    if (options.json) terminal.json({ pairs: results });
    else
      for (const { about, line, why } of results) {
        const words =
          why === null ? `${about}: would become a pair` : about === null ? why : pairingInWords({ about, why });
        terminal.out(visible(line === null ? words : `line ${line}: ${words}`));
      }
    return results.some(({ why }) => why !== null) ? exitCodes.attention : exitCodes.well;
  } finally {
    bridge.close();
  }
}
