import type { Command } from 'commander';
import { timeInWords } from '../core/explain.ts';
import { storyOf } from '../core/story.ts';
import { bugId, issueNumber } from '../model/ids.ts';
import type { Link } from '../model/link.ts';
import { type Bridge, openBridge } from '../wire.ts';
import { announce, type CommonOptions, type Desk, readConfig, withConfig } from './desk.ts';
import { exitCodes } from './exit-code.ts';
import { UsageError } from './failure.ts';
import { type Terminal, visible } from './terminal.ts';
import { type Named, whyNoLink } from './why-no-link.ts';

export function addExplain(program: Command, desk: Desk): void {
  const command = announce(program, {
    name: 'explain',
    summary: 'the whole story of one bug or issue, or why nothing happens to it',
    description: 'Tells from the ledger what was done for one bug or issue and when, how it stands now, and what is in the way.',
    examples: [
      ['bug 12', 'by the number of the bug'],
      ['issue acme/widget#5', 'by repository and number of the issue'],
      ['bug 12 --json', 'the same as one JSON document'],
    ],
  });
  withConfig(command)
    .argument('<kind>', 'bug or issue')
    .argument('<name>', 'the number of the bug, or owner/repo#number')
    .action(async (kind: string, name: string, options: CommonOptions) => desk.finish(await explain(desk, named(kind, name), options)));
}

async function explain(desk: Desk, target: Named, options: CommonOptions): Promise<number> {
  const { terminal, signal } = desk;
  const bridge = openBridge(readConfig(desk, options), { mode: 'read', signal, warn: terminal.note, tell: () => {} });
  try {
    const link = linkOf(bridge, target);
    if (link !== null) return tell(terminal, bridge, link, options.json === true);
    const reasons = await whyNoLink(bridge, target);
    if (options.json) terminal.json({ link: null, reasons });
    else for (const line of [`${target.about} is not mirrored.`, ...reasons.map((reason) => `  ${reason}`)]) terminal.out(visible(line));
    return exitCodes.well;
  } finally {
    bridge.close();
  }
}

function tell({ out, json, paint }: Terminal, { store }: Bridge, link: Link, isJson: boolean): number {
  const read = (side: 'tracker' | 'github') => store.cursors.get(link.route, side)?.isComplete ?? false;
  const story = storyOf({
    link,
    entries: store.entries.ofLink(link.id),
    rows: store.outbox.ofLink(link.id),
    ...store.findings.ofLink(link.id),
    ledger: store.ledger.ofLink(link.id),
    isComplete: { tracker: read('tracker'), github: read('github') },
  });
  if (isJson) json({ link, ...story, ledger: store.ledger.ofLink(link.id) });
  else {
    out(paint('bold', visible(story.heading)));
    for (const line of story.present) out(`  ${visible(line)}`);
    for (const { at, words } of story.past) out(`${paint('dim', timeInWords(at))}  ${visible(words)}`);
  }
  return story.needsPerson ? exitCodes.attention : exitCodes.well;
}

function named(kind: string, name: string): Named {
  const issue = /^([^/\s]+\/[^/#\s]+)#(\d+)$/u.exec(name);
  if (kind === 'bug' && /^\d+$/u.test(name)) return { kind: 'bug', id: Number(name), about: `Bug ${name}` };
  if (kind === 'issue' && issue !== null) return { kind: 'issue', repo: issue[1] ?? '', number: Number(issue[2]), about: name };
  throw new UsageError(`"${kind} ${name}" names nothing; say for example: explain bug 12, or explain issue acme/widget#5`);
}

function linkOf({ store, routes }: Bridge, target: Named): Link | null {
  if (target.kind === 'bug') return store.links.byBug(bugId(target.id));
  const repo = routes.map(({ route }) => `${route.owner}/${route.repo}`).find((each) => each.toLowerCase() === target.repo.toLowerCase());
  return store.links.byIssue(repo ?? target.repo, issueNumber(target.number));
}
