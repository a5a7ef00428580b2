import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fillFile } from '../../bench/support/filled-file.ts';
import { openHouse } from '../../support/bugferry.ts';
import { type Case, testCases } from '../../support/faults/scenarios.ts';

const pairs = 10_000;

/** How many lines arrive at a reader that begins late, of a command that prints a megabyte. */
async function linesRead(src: string): Promise<unknown> {
  const house = await openHouse(
    (tracker) => void tracker.as('alice').file({ summary: 'A model', description: 'Of all others.' }),
  );
  try {
    await house.run('once');
    fillFile(house.state, pairs - 1);
    const config = house.configure(() => undefined);
    const child = spawn(process.execPath, [`${src}/main.ts`, 'redirects', '--config', config], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const closed = once(child, 'close');
    await once(child.stdout, 'readable');
    await pause(1_000);
    let text = '';
    child.stdout.on('data', (part: Buffer) => {
      text += part.toString();
    });
    await closed;
    return { lines: text.split('\n').length, code: child.exitCode };
  } finally {
    await house.close();
  }
}

const cases: readonly Case[] = [
  {
    name: 'the end does not wait for the reader',
    ...{
      file: 'main.ts',
      from: 'if (!stop.signal.aborted) await Promise.all([process.stdout, process.stderr].map(allWritten));',
      to: '',
    },
    // The first line names the columns, and the last one is empty.
    ...{ scenario: linesRead, right: { lines: pairs + 2, code: 0 } },
  },
];

testCases(cases);
