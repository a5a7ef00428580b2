import type { Command } from 'commander';
import { routesOf } from '../../config/routes.ts';
import { timeInWords } from '../../explain/words.ts';
import type { Link } from '../../model/link.ts';
import { type Named, namedIn } from '../../model/named.ts';
import type { Route } from '../../model/route.ts';
import { findLink, openBridge, readStory, redactionOf, whyNoLink } from '../../wire/bridge.ts';
import { openView, statusesIn, type View } from '../../wire/view.ts';
import { announce, type CommandContext, type CommonOptions, readConfig, readSettings, withConfig } from '../context.ts';
import { exitCodes, UsageError } from '../exit-code.ts';
import { type Terminal, visible } from '../terminal.ts';

export function addExplain(program: Command, context: CommandContext): void {
  const command = announce(program, {
    name: 'explain',
    description: 'Shows everything that the bridge did for one bug or issue, its current status, and what blocks it.',
    examples: [
      ['bug 12', 'by bug number'],
      ['issue acme/widget#5', 'by repository and issue number; you can omit the words bug and issue'],
      ['bug 12 --json', 'the same as one JSON document'],
    ],
  });
  withConfig(command)
    .argument('<item...>', 'bug 12, issue owner/repo#5, or the address of either')
    .action(async (words: readonly string[], options: CommonOptions) =>
      context.finish(await explain(context, words, options)),
    );
}

async function explain(context: CommandContext, words: readonly string[], options: CommonOptions): Promise<number> {
  const { terminal, signal } = context;
  const settings = readSettings(context, options);
  const target = named('explain', words, routesOf(settings));
  const reader = openView(settings, { signal, warn: terminal.note });
  try {
    const link = findLink(reader.store, reader.routes, target);
    if (link !== null) return printStory(terminal, reader, link, options.json === true);
  } finally {
    reader.close();
  }
  return explainAbsence(context, target, options);
}

/** The state file does not know the item, so only the sides can say. */
async function explainAbsence(context: CommandContext, target: Named, options: CommonOptions): Promise<number> {
  const { terminal, signal } = context;
  const bridge = openBridge(readConfig(context, options), { mode: 'read', signal, warn: () => {}, tell: () => {} });
  try {
    const { reasons, isFound } = await whyNoLink(bridge.routes, target);
    if (options.json) terminal.json({ link: null, reasons });
    else
      for (const line of [`${target.about} is not mirrored.`, ...reasons.map((reason) => `  ${reason}`)])
        terminal.out(visible(line));
    return isFound ? exitCodes.well : exitCodes.attention;
  } finally {
    bridge.close();
  }
}

function printStory({ out, json, paint }: Terminal, view: View, link: Link, isJson: boolean): number {
  const { store, routes, clock } = view;
  const [status = null] = statusesIn({ ...view, routes: routes.filter(({ name }) => name === link.route) });
  const story = readStory(store, routes, link, clock.now(), status);
  const redaction = redactionOf(store, routes);
  if (isJson) json({ link: redaction.link(link), ...story, ledger: store.ledger.ofLink(link.id).map(redaction.line) });
  else {
    out(paint('bold', visible(story.heading)));
    for (const line of story.present) out(`  ${visible(line)}`);
    for (const { at, words } of story.past) out(`${paint('dim', timeInWords(at))}  ${visible(words)}`);
  }
  return story.needsPerson ? exitCodes.attention : exitCodes.well;
}

/** `issue 3`, if there is only one repository, and `issue widget#3` by the name of a route or a repository. */
function ofRoute(words: string, routes: readonly Route[]): Named | null {
  const [, name = '', number = ''] = /^(?:issue\s+)?(?:([\w.-]*)#)?(\d+)$/u.exec(words.trim()) ?? [];
  const repos = new Set(
    routes
      .filter((route) => name === '' || route.name === name || route.repo === name)
      .map(({ owner, repo }) => `${owner}/${repo}`),
  );
  const [repo] = repos;
  return repos.size === 1 && /issue|#/u.test(words) ? namedIn(`${repo}#${number}`) : null;
}

/** The bug or issue that the arguments name, with or without the word for its kind. */
export function named(command: string, words: readonly string[], routes: readonly Route[] = []): Named {
  const target = namedIn(words.join(' ')) ?? ofRoute(words.join(' '), routes);
  if (target !== null) return target;
  throw new UsageError(
    `"${words.join(' ')}" is neither a bug nor an issue; try: bugferry ${command} bug 12, or bugferry ${command} issue acme/widget#5`,
  );
}
