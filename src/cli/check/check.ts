import type { Command } from 'commander';
import type { Config } from '../../config/config.ts';
import { openBridge } from '../../wire/bridge.ts';
import { looseFilesOf } from '../../wire/state.ts';
import { announce, type CommandContext, type CommonOptions, readConfig, withConfig } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { type Style, visible } from '../terminal.ts';
import { askBoth } from './ask.ts';
import type { Verdict } from './verdict.ts';

export function addCheck(program: Command, context: CommandContext): void {
  const command = announce(program, {
    name: 'check',
    summary: 'try a configuration out; writes nothing',
    description:
      'Reads the configuration, greets both sides, and compares what the routes ask for with what both sides know and allow: rights, products, values, the workflow, settings, clocks. Writes nothing.',
    examples: [
      ['', 'every line says ok, warning or failure, and what to do'],
      ['--config other.yaml', 'try another configuration'],
      ['--json', 'the same as one JSON document'],
    ],
  });
  withConfig(command).action(async (options: CommonOptions) => context.finish(await check(context, options)));
}

export async function check(context: CommandContext, options: CommonOptions): Promise<number> {
  const { terminal, signal } = context;
  const config = readConfig(context, options);
  const bridge = openBridge(config, { mode: 'copy', signal, warn: terminal.note, tell: () => {} });
  try {
    const verdicts: Verdict[] = [
      { level: 'ok', about: options.config, words: `well formed, ${config.routes.length} route(s)` },
      ...rights(config),
    ];
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

/** The next start takes these rights away by itself; whoever has read the file meanwhile has read it. */
function rights(config: Config): readonly Verdict[] {
  return looseFilesOf(config).map(({ file, mode }) => ({
    level: 'warning',
    about: file,
    words: `others on this machine may read it (${mode}), and it holds texts that wait to be published; the next start of the bridge changes that, and so does chmod 600`,
  }));
}

const styles: Readonly<Record<Verdict['level'], Style>> = { ok: 'green', warning: 'yellow', failure: 'red' };
