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
    summary: 'test a configuration; writes nothing',
    description:
      'Reads the configuration, contacts both sides, and compares the routes with what both sides have and allow: rights, products, values, the workflow, settings, clocks. Writes nothing.',
    examples: [
      ['', 'print ok, warning or failure for each check, and what to do'],
      ['--config other.yaml', 'test another configuration'],
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

/** The next start removes these rights; others may already have read the file. */
function rights(config: Config): readonly Verdict[] {
  return looseFilesOf(config).map(({ file, mode }) => ({
    level: 'warning',
    about: file,
    words: `other users of this machine can read it (${mode}), and it contains texts not yet published; the next start of the bridge fixes that, as does chmod 600`,
  }));
}

const styles: Readonly<Record<Verdict['level'], Style>> = { ok: 'green', warning: 'yellow', failure: 'red' };
