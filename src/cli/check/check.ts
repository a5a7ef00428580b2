import type { Command } from 'commander';
import { askBoth } from '../../check/ask.ts';
import { judgeMeasured } from '../../check/measured.ts';
import { judgeOverlaps } from '../../check/overlap.ts';
import type { Verdict } from '../../check/verdict.ts';
import type { Config } from '../../config/config.ts';
import { counted } from '../../explain/words.ts';
import type { Measured } from '../../model/rehearsal.ts';
import type { Route } from '../../model/route.ts';
import { openBridge } from '../../wire/bridge.ts';
import { missingPrograms } from '../../wire/notify.ts';
import { caseCount } from '../../wire/rehearse.ts';
import { looseFilesOf, networkOf, unwritableIn } from '../../wire/state.ts';
import { announce, type CommandContext, type CommonOptions, readConfig, withConfig } from '../context.ts';
import { exitCodes, UsageError } from '../exit-code.ts';
import { readRehearsed } from '../rehearse/result-file.ts';
import { type Style, visible } from '../terminal.ts';
import { stillFailing } from './still-failing.ts';

export function addCheck(program: Command, context: CommandContext): void {
  const command = announce(program, {
    name: 'check',
    description:
      'Reads the configuration, contacts both sides, and compares the routes with what both sides have and allow: rights, products, values, the workflow, settings, clocks. Writes nothing.',
    examples: [
      ['', 'print ok, warning or failure for each check, and what to do'],
      ['--config other.yaml', 'test another configuration'],
      ['--json', 'the same as one JSON document'],
      ['--measured bugferry-rehearsal.json', 'also warn where a rehearsal found the server to differ'],
    ],
  });
  withConfig(command)
    .option('--measured <file>', 'the result of bugferry rehearse')
    .action(async (options: CheckOptions) => context.finish(await check(context, options)));
}

interface CheckOptions extends CommonOptions {
  readonly measured?: string;
  /** The name of a file that is about to get it. */
  readonly shownAs?: string;
}

export async function check(context: CommandContext, options: CheckOptions): Promise<number> {
  const { terminal, signal } = context;
  const config = readConfig(context, options);
  const measured = options.measured === undefined ? null : measuredIn(options.measured);
  const bridge = openBridge(config, { mode: 'copy', signal, asksAnew: true, warn: terminal.note, tell: () => {} });
  try {
    const verdicts: Verdict[] = [];
    // As soon as they are known: a side that hangs takes a minute.
    const say = (found: readonly Verdict[]): void => {
      verdicts.push(...found);
      if (options.json) return;
      for (const { level, about, words } of found)
        terminal.out(`${terminal.paint(styles[level], level.padEnd(7))}  ${visible(`${about}: ${words}`)}`);
    };
    say([
      { level: 'ok', about: options.shownAs ?? options.config, words: `well formed, ${routesInWords(config)}` },
      ...rights(config),
      ...disk(config),
      ...receivers(config),
      ...(measured === null
        ? []
        : judgeMeasured(measured, {
            url: config.github.url,
            file: options.measured ?? '',
            now: bridge.clock.now(),
            caseCount,
          })),
      ...bridge.configured.flatMap(aboutRoute),
      ...judgeOverlaps(bridge.configured.filter(({ isEnabled }) => isEnabled)),
    ]);
    let isReachable = true;
    for (const each of bridge.routes) {
      const asked = await askBoth(each, config.tracker.url);
      isReachable &&= asked.isReachable;
      const isExplained = asked.verdicts.some(({ level }) => level === 'failure');
      const failures = isExplained ? [] : bridge.store.failures.ofRoute(each.name);
      say([...asked.verdicts, ...stillFailing(each.name, failures, bridge.clock.now())]);
    }
    if (options.json) terminal.json({ verdicts });
    if (!isReachable) return exitCodes.unreachable;
    return verdicts.some(({ level }) => level === 'failure') ? exitCodes.usage : exitCodes.well;
  } finally {
    bridge.close();
  }
}

function aboutRoute({ name, isEnabled, contact }: Pick<Route, 'name' | 'isEnabled' | 'contact'>): readonly Verdict[] {
  const about = `route ${name}`;
  if (!isEnabled) return [{ level: 'warning', about, words: 'switched off (enabled: false), and so not checked' }];
  return contact === null ? [] : [{ level: 'ok', about, words: `its contact is ${contact}` }];
}

const routesInWords = ({ routes }: Config): string => counted(routes.length, 'route');

/** Throws `UsageError` if it is not the result of a rehearsal. */
function measuredIn(file: string): Measured {
  const measured = readRehearsed(file);
  if (measured === null) throw new UsageError(`${file} does not exist; bugferry rehearse writes it.`);
  return measured;
}

/** The next start removes these rights; others may already have read the file. */
function rights(config: Config): readonly Verdict[] {
  return looseFilesOf(config).map(({ file, mode, isFolder }) => ({
    level: 'warning',
    about: file,
    words: isFolder
      ? `other users of this machine can reach it (${mode}), and it contains commands for the bridge; the next start of the bridge fixes that, as does chmod 700`
      : `other users of this machine can read it (${mode}), and it contains texts not yet published; the next start of the bridge fixes that, as does chmod 600`,
  }));
}

/** Nothing crosses while the state cannot be written. Locks of a network file system are not what its database needs. */
function disk(config: Config): readonly Verdict[] {
  const [why, network] = [unwritableIn(config), networkOf(config)];
  const words = `the state lies on a network file system (${network}), which can lose or lock it: move it to a local disk`;
  return [
    ...(why === null ? [] : [{ level: 'failure' as const, about: 'state', words: why }]),
    ...(network === null ? [] : [{ level: 'warning' as const, about: config.state, words }]),
  ];
}

/** A receiver that fails would be noticed on the day on which it matters. */
const receivers = (config: Config): readonly Verdict[] =>
  missingPrograms(config).map(([key, program]) => ({
    level: 'failure',
    about: key,
    words: `this user cannot run ${program}, so nobody would be told: install it, or name another program`,
  }));

const styles: Readonly<Record<Verdict['level'], Style>> = { ok: 'green', warning: 'yellow', failure: 'red' };
