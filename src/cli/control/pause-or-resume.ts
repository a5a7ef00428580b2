import type { Command } from 'commander';
import { pauseAfter } from '../../explain/queued.ts';
import { pauseInWords, sideInWords, timeInWords } from '../../explain/words.ts';
import type { ControlCommand } from '../../model/control.ts';
import { sides } from '../../model/ids.ts';
import { leaveToBridge } from '../../wire/leave-to-bridge.ts';
import { openView, type View } from '../../wire/view.ts';
import { announce, type CommandContext, type CommonOptions, readSettings, withConfig } from '../context.ts';
import { exitCodes, UsageError } from '../exit-code.ts';

interface PauseOptions extends CommonOptions {
  readonly all?: true;
  readonly why?: string;
}

type Verb = 'pause' | 'resume';

/** The commands that pause and resume a route. */
export function addPauseOrResume(program: Command, context: CommandContext, verb: Verb): Command {
  const command = announce(program, {
    name: verb,
    ...words[verb],
    examples: [
      ['widget', `the route widget${verb === 'pause' ? '; also while the bridge runs' : ''}`],
      ...(verb === 'pause'
        ? [['widget --why "the tracker moves"', 'with a reason, which status and the dashboard show'] as const]
        : []),
      ['--all', 'all routes'],
    ],
  });
  if (verb === 'pause') command.option('--why <words>', 'the reason, which status and the dashboard show');
  return withConfig(command)
    .argument('[route...]', 'the names of routes')
    .option('--all', 'all routes')
    .action((routes: readonly string[], options: PauseOptions) =>
      context.finish(pauseOrResume(context, options, verb, routes)),
    );
}

const words: Readonly<Record<Verb, { readonly description: string }>> = {
  pause: {
    description:
      'Pauses routes until bugferry resume. A paused route mirrors nothing. It is still read, and what becomes private is withdrawn from GitHub. A running bridge stops writing at once; the pause outlives a restart. Needs no secrets.',
  },
  resume: {
    description:
      'Ends a pause. The next cycle mirrors the changes since then; the brake applies as usual. Needs no secrets.',
  },
};

function pauseOrResume(context: CommandContext, options: PauseOptions, verb: Verb, named: readonly string[]): number {
  const { terminal, signal } = context;
  const settings = readSettings(context, options);
  const reader = openView(settings, { signal, warn: terminal.note });
  let commands: readonly ControlCommand[];
  try {
    const routes = chosen(reader, named, options.all === true);
    const isNew = (route: string) => willBePaused(reader, route) === (verb === 'resume');
    for (const route of routes) if (!isNew(route)) terminal.note(`bugferry: ${alreadySo(reader, route)}`);
    commands = routes
      .filter(isNew)
      .map((route) => (verb === 'pause' ? { kind: verb, route, why: options.why ?? null } : { kind: verb, route }));
  } finally {
    reader.close();
  }
  const isLeft = commands.length > 0 && leaveToBridge(settings, commands, { signal, warn: () => {} });
  if (options.json) terminal.json({ commands, isLeft });
  else for (const { route } of commands) terminal.out(`Route ${route} ${isLeft ? left[verb] : done[verb]}.`);
  return exitCodes.well;
}

function chosen({ routes }: View, named: readonly string[], isAll: boolean): readonly string[] {
  const names = routes.map(({ name }) => name);
  if (isAll === named.length > 0)
    throw new UsageError(`Name a route, or give --all; the configuration has ${names.join(', ')}.`);
  const unknown = named.filter((name) => !names.includes(name));
  if (unknown.length > 0)
    throw new UsageError(`There is no route ${unknown.join(', ')}; the configuration has ${names.join(', ')}.`);
  return isAll ? names : named;
}

/** Whether the route is paused after the bridge has taken the queued commands. */
const willBePaused = ({ store, controlQueue }: View, route: string): boolean =>
  pauseAfter(store.pauses.of(route), controlQueue.of(route)) !== null;

function alreadySo(view: View, route: string): string {
  const found = view.store.pauses.of(route);
  if (willBePaused(view, route))
    return `route ${route}${found === null ? ' is paused already' : `: ${pauseInWords(found)}`}`;
  const rests = sides.flatMap((side) => {
    const rest = view.store.budgets.backoffOf(side, view.clock.now());
    return rest === null
      ? []
      : [`; bugferry itself leaves ${sideInWords(side)} alone until ${timeInWords(rest.until)}`];
  });
  return `route ${route} is not paused${rests.length === 0 ? '' : ` by a person${rests.join('')}`}`;
}

const done: Readonly<Record<Verb, string>> = {
  pause: 'is paused',
  resume: 'is resumed; bugferry run or bugferry once carries over what changed meanwhile',
};

const left: Readonly<Record<Verb, string>> = {
  pause: 'is paused: the running bridge writes nothing more, but withdraws what becomes private',
  resume: 'is resumed with the next cycle of the running bridge',
};
