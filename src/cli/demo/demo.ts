import type { Command } from 'commander';
import { type Bridge, daemonOf, openBridge, roundOf } from '../../wire/bridge.ts';
import { type Demo, openDemo } from '../../wire/sandbox.ts';
import { announce, type Desk } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { demoConfig, printFarewell, printOpening, printResult } from './page.ts';
import { type Watch, watch } from './watch.ts';

interface DemoOptions {
  readonly exit?: true;
}

export function addDemo(program: Command, desk: Desk): void {
  announce(program, {
    name: 'demo',
    summary: 'watch the bridge at work between two servers in memory',
    description:
      'Starts a sandbox tracker with real content and a sandbox GitHub on free ports of this machine, and runs the real bridge between them over HTTP. Nothing leaves this machine.',
    examples: [
      ['', 'until Ctrl-C; both sides can be looked at and written to meanwhile'],
      ['--exit', 'end once quiet, with exit code 0 only if both sides agree'],
    ],
  })
    .option('--exit', 'end once quiet; exit code 0 only if both sides agree')
    .action(async (options: DemoOptions) => desk.finish(await demo(desk, options)));
}

async function demo(desk: Desk, options: DemoOptions): Promise<number> {
  const { terminal, signal } = desk;
  const show = await openDemo();
  // The keys of the sandbox open nothing else, and people are invited to use them.
  terminal.hide((text) => text);
  const config = demoConfig(show, ':memory:');
  const eyes = watch(terminal);
  const bridge = openBridge(config, {
    mode: 'write',
    signal,
    warn: terminal.note,
    tell: (event) => eyes.tell(event, bridge.store),
  });
  try {
    printOpening(terminal, show);
    const running = daemonOf(bridge, { times: config.schedule, isForced: false, signal, visited: (visits) => eyes.visited(visits) });
    const isPlayed = await play(desk, show, eyes);
    if (isPlayed && !options.exit) printFarewell(terminal, show, bridge);
    if (isPlayed && !options.exit && !signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
    await running.stop();
    if (!options.exit || signal.aborted) return exitCodes.well;
    return Math.max(await judge(desk, show, bridge), isPlayed ? exitCodes.well : exitCodes.attention);
  } finally {
    terminal.progress(null);
    bridge.close();
    await show.stage.close();
  }
}

/** The whole script, each scene once the last one has been carried over; false when it was interrupted. */
async function play({ terminal, signal }: Desk, show: Demo, eyes: Watch): Promise<boolean> {
  eyes.expect(show.publicBugs());
  let isQuiet = await eyes.quiet(signal);
  eyes.expect(null);
  for (const [index, { title, play: act }] of show.scenes.entries()) {
    if (!isQuiet) return false;
    terminal.out('');
    terminal.out(terminal.paint('bold', `${index + 2}. ${title}`));
    for (const line of act()) terminal.out(terminal.paint('yellow', `  * ${line}`));
    isQuiet = await eyes.quiet(signal);
  }
  return isQuiet;
}

/** Whether both sides agree, by looking at them and not at what the bridge says, and whether one more cycle leaves them alone. */
async function judge({ terminal, signal }: Desk, show: Demo, bridge: Bridge): Promise<number> {
  const before = show.stage.writes();
  const visits = await roundOf(bridge, { isForced: () => false, signal });
  const writes = show.stage.writes() - before;
  const isWell = visits.length === bridge.routes.length && visits.every(({ kind }) => kind === 'cycle');
  const agrees = printResult(terminal, show, bridge, { writes });
  return agrees && isWell && writes === 0 ? exitCodes.well : exitCodes.attention;
}
