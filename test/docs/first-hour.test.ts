/**
 * The five minutes of the README as a newcomer spends them: the demo and the sandbox run, and its lines are typed into
 * a third terminal, in an empty folder.
 */

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { main, startHere } from '../support/bugferry.ts';
import { read } from './documents.ts';

const [, section = ''] = read('README.md').split('\n## Five minutes to a first mirrored bug\n');
const lines = [...(section.split('\n## ')[0] ?? '').matchAll(/^ {4}(\S.*)$/gmu)].map(([, line = '']) => line);

test('the five minutes of the README end with a mirrored bug', { timeout: 600_000 }, async () => {
  expect(lines.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
    'bugferry sandbox',
    expect.stringMatching(/^export GITHUB_TOKEN=/u),
    expect.stringMatching(/^export TRACKER_API_KEY=/u),
    'bugferry init',
    'bugferry plan',
    'bugferry once',
  ]);
  const folder = mkdtempSync(join(tmpdir(), 'bugferry-hour-'));
  const demo = startHere(['demo']);
  // The port of the README may be taken where the tests run.
  const sandbox = startHere(['sandbox', '--port', '0', '--json']);
  let [shown, served] = ['', ''];
  demo.child.stdout?.on('data', (chunk: Buffer) => {
    shown += chunk.toString();
  });
  sandbox.child.stdout?.on('data', (chunk: Buffer) => {
    served += chunk.toString();
  });
  try {
    await Promise.all([demo.says('Press Ctrl-C'), sandbox.says('"url"')]);
    const [, github = ''] = /bugferry init --github-url (\S+) --repo acme\/scratch/u.exec(shown) ?? [];
    const tracker: string = JSON.parse(served).url;
    const env = { ...process.env };
    for (const line of lines.slice(1)) {
      const [, name, value] = /^export (\w+)=(\S+)$/u.exec(line) ?? [];
      if (name !== undefined) env[name] = value;
      else {
        const typed = line
          .replace('http://127.0.0.1:4711', github)
          .replace('http://127.0.0.1:8081', tracker)
          .split(' ')
          .slice(1);
        // What the README says to answer.
        const answers = line.startsWith('bugferry init') ? ['--product', 'Widget'] : [];
        expect(await typedIn(folder, [...typed, ...answers], env)).toMatchObject({ code: 0 });
      }
    }
    const page = await (await fetch(`${github}/acme/scratch/issues`)).text();
    expect(page).toContain('Widget crashes on startup');
  } finally {
    for (const { child } of [demo, sandbox]) child.kill('SIGINT');
    await Promise.all([demo.ended, sandbox.ended]);
    rmSync(folder, { recursive: true, force: true });
  }
});

/** Beside both servers, so it must not hold this process up. */
function typedIn(
  cwd: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<{ readonly code: number | null; readonly out: string }> {
  const child = spawn(process.execPath, [main, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      out += chunk.toString();
    });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out })));
}
