import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { openDemo } from '../../wire/sandbox.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { inShell, type Terminal } from '../terminal.ts';

/**
 * A tracker with bugs and a GitHub with an empty repository, for a bridge that the user starts: prints finished lines
 * for a second terminal, and says when the first bug is mirrored.
 */
export async function tryIt({ terminal, signal }: CommandContext): Promise<number> {
  const { stage, routes, scratchRepo, firstIssue } = await openDemo();
  const folder = mkdtempSync(join(tmpdir(), 'bugferry-try-'));
  // These keys open only the sandbox, and the user is invited to use them.
  terminal.hide((text) => text);
  try {
    const place = { ...stage, folder, repo: scratchRepo, product: routes[0].product };
    printLines(terminal, place);
    if (await firstIssue(signal)) printMirrored(terminal, place);
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
    return exitCodes.well;
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await stage.close();
  }
}

interface Place {
  readonly trackerUrl: string;
  readonly githubUrl: string;
  readonly apiKey: string;
  readonly token: string;
  readonly folder: string;
  readonly repo: string;
  readonly product: string;
}

function printLines({ out, paste, paint }: Terminal, place: Place): void {
  const { trackerUrl, githubUrl, apiKey, token, folder, repo, product } = place;
  out(paint('bold', 'A tracker with bugs, and a GitHub with an empty repository'));
  out('Both servers run in the memory of this process. Nothing leaves this machine.');
  out('');
  out(`  tracker   ${paint('cyan', `${trackerUrl}/`)}`);
  out(`  GitHub    ${paint('cyan', `${githubUrl}/${repo}/issues`)}`);
  out('');
  out(paint('bold', 'Paste these lines into a second terminal'));
  for (const line of [
    `cd ${inShell(folder)}`,
    ...ownCommand(),
    `export TRACKER_API_KEY=${apiKey}`,
    `export GITHUB_TOKEN=${token}`,
    `bugferry init --url ${trackerUrl} --product ${product} --github-url ${githubUrl} --repo ${repo} --direction to-github`,
    'bugferry plan',
    'bugferry once',
  ])
    paste(`  ${line}`);
  out('');
  out(
    'init checks both sides and writes config/bridge.yaml, plan lists the writes, and once creates the first issues.',
  );
  out(paint('dim', 'Press Ctrl-C to end. That deletes the folder, and all that both servers hold.'));
}

function printMirrored({ out, paste, paint }: Terminal, { trackerUrl, githubUrl, repo }: Place): void {
  out('');
  out(paint('green', 'The first bug is mirrored. Compare:'));
  out(`  ${trackerUrl}/show_bug.cgi?id=1`);
  out(`  ${githubUrl}/${repo}/issues/1`);
  out('');
  out(
    'GitHub takes some 15 new issues and comments a minute. These lines leave the others to the daemon, and show how',
  );
  out('both sides stand:');
  paste('  bugferry run &');
  paste('  bugferry status');
  out('For your own tracker, go on with "With your tracker" in the README.');
}

/** The command `bugferry` for a shell without it, as in a clone, after npx or in a project: this Node.js, this file. */
function ownCommand(): readonly string[] {
  const [node = '', file = ''] = process.argv;
  const isInstalled = basename(file) === 'bugferry' && !/[/\\]node_modules[/\\]/u.test(file);
  return isInstalled ? [] : [`bugferry() { ${inShell(node)} ${inShell(file)} "$@"; }`];
}
