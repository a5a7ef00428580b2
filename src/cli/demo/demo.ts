import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { ownVersion } from '../../config/version.ts';
import { archiveTracker } from '../../wire/archive.ts';
import { type Bridge, type BridgeDaemon, daemonOf, openBridge, passOf } from '../../wire/bridge.ts';
import { openObserver } from '../../wire/http.ts';
import { type Demo, openDemo } from '../../wire/sandbox.ts';
import { announce, type CommandContext } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { demoConfig, printNotice, printOpening, printResult } from './page.ts';
import { tryIt } from './try.ts';
import { type Watch, watch } from './watch.ts';

interface DemoOptions {
  readonly exit?: true;
  readonly try?: true;
}

export function addDemo(program: Command, context: CommandContext): void {
  announce(program, {
    name: 'demo',
    description:
      'Starts a sandbox tracker and a sandbox GitHub on free ports of this machine, and runs the real bridge between them over HTTP, with its dashboard. Nothing leaves this machine.',
    examples: [
      ['', 'until Ctrl-C; meanwhile you can read and write on both sides'],
      ['--try', 'the two servers alone, with lines to paste that end with a mirrored bug'],
      ['--exit', 'exit when nothing is left to do, with exit code 0 only if both sides agree'],
    ],
  })
    .option('--exit', 'exit when nothing is left to do; exit code 0 only if both sides agree')
    .option('--try', 'start no bridge, and print the lines with which you start one yourself')
    .action(async (options: DemoOptions) =>
      context.finish(options.try ? await tryIt(context) : await demo(context, options)),
    );
}

async function demo(context: CommandContext, options: DemoOptions): Promise<number> {
  const { terminal, signal } = context;
  const show = await openDemo();
  // These keys open only the sandbox, and the user is invited to use them.
  terminal.hide((text) => text);
  const config = demoConfig(show, ':memory:');
  const eyes = watch(terminal);
  const observer = openObserver(config, {
    version: ownVersion(),
    failed: (error) => terminal.note(String(error)),
    warned: terminal.note,
  });
  const bridge = openBridge(config, {
    mode: 'write',
    signal,
    warn: terminal.note,
    answered: observer.answered,
    tell(event) {
      observer.tell(event);
      eyes.tell(event, bridge.store);
    },
  });
  let running: BridgeDaemon | null = null;
  const dashboard = await observer.open(bridge, () => running);
  let folder: string | null = null;
  const places = { ...show, dashboardUrl: dashboard?.url ?? '' };
  try {
    printOpening(terminal, places);
    running = daemonOf(bridge, {
      times: config.schedule,
      isForced: false,
      signal,
      ran(runs) {
        observer.ran(runs);
        eyes.ran(runs);
      },
    });
    const isPlayed = await play(context, show, eyes);
    if (isPlayed && !options.exit) {
      folder = folderForPages();
      const site = folder === null ? null : join(folder, 'site');
      const known = { store: bridge.store, routes: bridge.configured };
      if (site !== null)
        await archiveTracker(config, { folder: site, view: known, isVerifying: false, signal, tell: () => undefined });
      printNotice(terminal, { ...places, site }, bridge);
    }
    if (isPlayed && !options.exit && !signal.aborted)
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    await running.stop();
    if (!options.exit || signal.aborted) return exitCodes.well;
    return Math.max(await judgeEnd(context, show, bridge), isPlayed ? exitCodes.well : exitCodes.attention);
  } finally {
    terminal.progress(null);
    await dashboard?.close();
    bridge.close();
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
    await show.stage.close();
  }
}

/** A folder for the archive; null if nothing can be written, as in a container with a read-only root. */
function folderForPages(): string | null {
  try {
    return mkdtempSync(join(tmpdir(), 'bugferry-demo-'));
  } catch {
    return null;
  }
}

/** Plays the whole script; each step waits until the previous one is mirrored. False if interrupted. */
async function play({ terminal, signal }: CommandContext, show: Demo, eyes: Watch): Promise<boolean> {
  eyes.expect(show.publicBugs());
  let isQuiet = await eyes.quiet(signal);
  eyes.expect(null);
  for (const [index, { title, play: act }] of show.steps.entries()) {
    if (!isQuiet) return false;
    terminal.out('');
    terminal.out(terminal.paint('bold', `${index + 2}. ${title}`));
    for (const line of act()) terminal.out(terminal.paint('yellow', `  * ${line}`));
    isQuiet = await eyes.quiet(signal);
  }
  return isQuiet;
}

/** Whether both sides agree, without asking the bridge, and whether another cycle writes nothing. */
async function judgeEnd({ terminal, signal }: CommandContext, show: Demo, bridge: Bridge): Promise<number> {
  const before = show.stage.writes();
  const runs = await passOf(bridge, { isForced: () => false, signal });
  const writes = show.stage.writes() - before;
  const isWell = runs.length === bridge.routes.length && runs.every(({ kind }) => kind === 'cycle');
  const agrees = printResult(terminal, show, bridge, { writes });
  return agrees && isWell && writes === 0 ? exitCodes.well : exitCodes.attention;
}
