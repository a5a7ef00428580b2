import { type Command, Option } from 'commander';
import type { Route } from '../../model/route.ts';
import { openView, publicPairs, type View } from '../../wire/view.ts';
import { announce, type CommandContext, type CommonOptions, readSettings } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { type Redirect, type RedirectFormat, redirectFormats, redirectLines } from './redirect-lines.ts';

interface RedirectOptions extends CommonOptions {
  readonly format: RedirectFormat;
}

export function addRedirects(program: Command, context: CommandContext): void {
  announce(program, {
    name: 'redirects',
    description:
      'Prints the issue of each mirrored public bug, from the state file alone; asks neither side. Use it when you retire the tracker, after bugferry verify.',
    examples: [
      ['--format nginx', 'a map for nginx, with directives that use it'],
      ['--format apache', 'a text map for RewriteMap, with directives that use it'],
      ['--format csv', 'bug, page and issue, for scripts'],
    ],
  })
    .option('--config <file>', 'the configuration file', 'config/bridge.yaml')
    .addOption(new Option('--format <kind>', 'the output format').choices([...redirectFormats]).default('csv'))
    .action((options: RedirectOptions) => context.finish(redirects(context, options)));
}

function redirects(context: CommandContext, options: RedirectOptions): number {
  const { terminal, signal } = context;
  const warn = (message: string) => terminal.note(`bugferry: ${message}`);
  const reader = openView(readSettings(context, options), { signal, warn });
  try {
    const found = reader.routes
      .flatMap((route) => redirectsOf(reader, route))
      .sort((one, other) => one.bug - other.bug);
    for (const line of redirectLines(found, options.format)) terminal.out(line);
    if (found.length === 0) warn('no bug has an issue yet');
    return exitCodes.well;
  } finally {
    reader.close();
  }
}

const redirectsOf = (view: View, route: Route): readonly Redirect[] =>
  [...publicPairs(view, route)].map(({ tracker, github }) => ({ bug: tracker.id, from: tracker.url, to: github.url }));
