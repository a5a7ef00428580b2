import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { openSandbox, type Sandbox, type TrackerVersion, trackerVersions } from '../../wire/sandbox.ts';
import { announce, type CommandContext } from '../context.ts';
import { exitCodes, UsageError } from '../exit-code.ts';
import type { Terminal } from '../terminal.ts';

interface SandboxOptions {
  readonly port: number;
  readonly data?: string;
  readonly empty?: true;
  readonly plays: TrackerVersion;
  readonly json?: true;
}

export function addSandbox(program: Command, context: CommandContext): void {
  announce(program, {
    name: 'sandbox',
    description:
      'Serves the REST interface of a Bugzilla (5.2, if no other version is chosen) on this machine, with realistic users, products and bugs. It runs until SIGTERM or Ctrl-C.',
    examples: [
      ['', 'in memory, at http://127.0.0.1:8081'],
      ['--data tracker', 'the same, with its data in the folder tracker'],
      ['--port 0 --empty --json', 'a free port, no bugs, and one JSON line with the address and the keys'],
    ],
  })
    .option('--port <number>', 'the port on 127.0.0.1; 0 selects a free one', portOf, 8081)
    .option('--data <folder>', 'keep its data there, even if it is killed; without this, in memory only')
    .option('--empty', 'start without bugs; existing data stays')
    .addOption(
      new Option('--plays <version>', 'the Bugzilla version to behave like; existing data keeps its own')
        .choices(trackerVersions)
        .default('5.2'),
    )
    .option('--json', 'print one JSON line instead of text')
    .action(async (options: SandboxOptions) => context.finish(await sandbox(context, options)));
}

async function sandbox(
  { terminal, signal }: CommandContext,
  { port, data, empty, plays, json }: SandboxOptions,
): Promise<number> {
  const folder = data === undefined ? null : resolve(data);
  const tracker = await openSandbox({ port, folder, isEmpty: empty === true, version: plays }).catch(
    (error: unknown) => {
      throw portProblem(error, port) ?? error;
    },
  );
  try {
    // These keys open only the sandbox, and the user is invited to use them.
    terminal.hide((text) => text);
    if (json) terminal.json(inJson(tracker));
    else printSandbox(terminal, tracker);
    if (tracker.droppedBytes > 0)
      terminal.note(
        `The last line of ${tracker.file} was incomplete and is dropped: ${tracker.droppedBytes} bytes of a change that no client saw confirmed.`,
      );
    const stopped = new Promise<void>((done) =>
      signal.aborted ? done() : signal.addEventListener('abort', () => done()),
    );
    await Promise.race([stopped, tracker.failed]);
    return exitCodes.well;
  } finally {
    await tracker.close();
  }
}

function portOf(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError('A port is a number from 0 to 65535.');
  return port;
}

function portProblem(error: unknown, port: number): UsageError | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code !== 'EADDRINUSE' && code !== 'EACCES') return null;
  const why = code === 'EADDRINUSE' ? 'is in use' : 'may not be opened by this user';
  return new UsageError(
    `Port ${port} of 127.0.0.1 ${why}. Choose another one with --port, or --port 0 for a free one.`,
  );
}

/** Describes the sandbox to the user. */
function printSandbox({ out, paint }: Terminal, { url, file, isResumed, bugCount, version, users }: Sandbox): void {
  out(paint('bold', 'bugferry sandbox: a tracker to develop against'));
  out('');
  out(`  pages     ${paint('cyan', `${url}/`)}`);
  out(`  REST      ${paint('cyan', `${url}/rest`)}`);
  out(`  plays     Bugzilla ${version}`);
  out(`  bugs      ${bugCount}${isResumed ? ', as they were left' : ''}`);
  out(`  data      ${file ?? 'in memory only: lost on exit (--data FOLDER keeps it)'}`);
  out('');
  out(paint('bold', 'Users, their API keys and their groups'));
  for (const user of users) out(`  ${user.login.padEnd(28)} ${user.apiKey}   ${rightsOf(user)}`);
  const [key = ''] = users.filter(({ login }) => login.startsWith('bridge@')).map(({ apiKey }) => apiKey);
  // Only Harmony requires this field, and other versions refuse it.
  const type = version === 'harmony' ? ', "type": "defect"' : '';
  const send = `-H 'content-type: application/json' -d`;
  out('');
  out(paint('bold', 'Try'));
  out(`  curl '${url}/rest/bug?product=Widget&limit=3&api_key=${key}'`);
  out(
    `  curl -X POST '${url}/rest/bug?api_key=${key}' ${send} '{"product": "Widget", "component": "Core", "version": "1.0", "summary": "Hello"${type}}'`,
  );
  out(`  curl -X PUT '${url}/rest/bug/1?api_key=${key}' ${send} '{"comment": {"body": "Hello"}, "priority": "High"}'`);
  out('');
  out(paint('dim', 'Press Ctrl-C to stop it.'));
}

/** Describes the sandbox to a program. */
function inJson({ url, file, isResumed, bugCount, version, users }: Sandbox): unknown {
  const people = users.map(({ id, login, realName, password, apiKey, groups, disabledText }) => {
    return { id, login, realName, password, apiKey, groups, isDisabled: disabledText !== null };
  });
  return { url, file, isResumed, plays: version, bugs: bugCount, users: people };
}

const rightsOf = ({ groups, disabledText }: Sandbox['users'][number]): string =>
  disabledText === null ? groups.join(' ') || '(none: can report and comment)' : '(account disabled)';
