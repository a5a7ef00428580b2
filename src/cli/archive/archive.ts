import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { counted } from '../../explain/words.ts';
import { hiddenSince } from '../../model/archive/ports.ts';
import { type ArchiveReport, archiveTracker, FolderRefused } from '../../wire/archive.ts';
import { openView } from '../../wire/view.ts';
import { announce, type CommandContext, type CommonOptions, readSettings, withConfig } from '../context.ts';
import { exitCodes, UsageError } from '../exit-code.ts';
import type { Terminal } from '../terminal.ts';
import { archiveMeter } from './meter.ts';

interface ArchiveCommand extends CommonOptions {
  readonly verify?: true;
}

export function addArchive(program: Command, context: CommandContext): void {
  const command = announce(program, {
    name: 'archive',
    description:
      'Writes the public part of the tracker into a folder of web pages that need no server program: bugs with their history, comments and attachments, lists, and a search. It reads the tracker without the API key, so nothing private can get into the folder. Each run updates the folder, also after an interrupted run; if the tracker has not changed, no byte of the folder changes.',
    examples: [
      ['site', 'write the archive into the folder site, or bring it up to date'],
      ['site --verify', 'read everything again and compare it with the folder, byte by byte; writes nothing'],
      ['site --json', 'print the result as JSON'],
    ],
  });
  withConfig(command)
    .argument('<folder>', 'an empty or new folder, or an archive of the same tracker')
    .option('--verify', 'compare instead of writing. Exit code 0: no differences; 1: differences')
    .action(async (folder: string, options: ArchiveCommand) =>
      context.finish(await runArchive(context, folder, options)),
    );
}

async function runArchive(context: CommandContext, folder: string, options: ArchiveCommand): Promise<number> {
  const { terminal, signal } = context;
  const warn = (message: string) => terminal.note(`bugferry: ${message}`);
  const settings = readSettings(context, options);
  const isVerifying = options.verify === true;
  const view = existsSync(settings.state) ? openView(settings, { signal, warn }) : null;
  if (view === null) warn(`there is no state file ${settings.state}, so the pages name no issues`);
  const meter = archiveMeter(terminal);
  try {
    const report = await archiveTracker(settings, { folder, isVerifying, view, signal, tell: meter.tell });
    meter.end();
    if (options.json) terminal.json({ kind: isVerifying ? 'verified' : 'archived', ...report });
    else printReport(terminal, folder, isVerifying, report);
    return isWhole(report) ? exitCodes.well : exitCodes.attention;
  } catch (error) {
    if (error instanceof FolderRefused) throw new UsageError(error.message, { cause: error });
    if (!signal.aborted) throw error;
    warn(
      isVerifying
        ? 'stopped before everything was read, so there is no result'
        : 'stopped. Run the same command to resume.',
    );
    return exitCodes.attention;
  } finally {
    meter.end();
    view?.close();
  }
}

/** Whether the archive has everything public. */
const isWhole = ({ differences, unread, leftOut, outdated }: ArchiveReport): boolean =>
  differences.length + unread.length + outdated.length === 0 && leftOut.every(({ why }) => why === hiddenSince);

/** A longer list would scroll by; --json has all of it. */
const differencesMax = 20;

function printReport(
  { out, note, paint }: Terminal,
  folder: string,
  isVerifying: boolean,
  report: ArchiveReport,
): void {
  const {
    bugs,
    comments,
    attachments,
    files,
    bytes,
    written,
    removed,
    differences,
    leftOut,
    outdated,
    unread,
    requests,
  } = report;
  out(
    `${counted(bugs, 'bug')}, ${counted(comments, 'comment')}, ${counted(attachments, 'attachment')} that everyone may read`,
  );
  if (isVerifying) {
    out(
      differences.length === 0
        ? paint('green', `  ${counted(files, 'file')} compared, no differences`)
        : paint('red', `  ${counted(differences.length, 'difference')}`),
    );
    for (const { path, why } of differences.slice(0, differencesMax)) out(`    ${path}: ${why}`);
    if (differences.length > differencesMax)
      out(`    and ${differences.length - differencesMax} more; --json has all of them`);
  } else {
    out(
      `  ${counted(files, 'file')} in ${folder}, ${(bytes / 1_000_000).toFixed(1)} MB: ${written} written${removed === 0 ? '' : `, ${removed} removed`}${written < files ? ', the others unchanged' : ''}`,
    );
  }
  out(
    paint(
      'dim',
      `  ${counted(requests.lists, 'request')} to the tracker, and ${requests.contents} for contents of attachments`,
    ),
  );
  for (const { bug, attachment, why } of unread.slice(0, differencesMax))
    note(`bugferry: attachment ${attachment} of bug ${bug} is missing: ${why}`);
  if (unread.length > 0) {
    const what = isVerifying ? 'not compared' : 'missing. The page says so, and the next run tries again';
    note(`bugferry: the tracker did not return ${counted(unread.length, 'attachment')}: ${what}.`);
  }
  const [stale, next] = isVerifying
    ? ['not compared', '']
    : ['not brought up to date', '. It stays as it was, and the next run reads it again'];
  for (const { bug, why } of outdated) note(`bugferry: bug ${bug} is ${stale}: ${why}${next}`);
  for (const { bug, why } of leftOut) note(`bugferry: bug ${bug} is left out: ${why}`);
}
