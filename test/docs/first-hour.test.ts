/**
 * The five minutes of the README as a newcomer spends them: the demo prints lines, and all of them are pasted at once
 * into a shell that knows no bugferry.
 */

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startHere } from '../support/bugferry.ts';
import { read, root } from './documents.ts';

/** The link that npm makes in a project; the shell of a newcomer has no such folder in its path. */
function installed(): string {
  const folder = join(mkdtempSync(join(tmpdir(), 'bugferry-hour-')), 'node_modules/.bin');
  mkdirSync(folder, { recursive: true });
  symlinkSync(join(root, 'src/main.ts'), join(folder, 'bugferry'));
  return join(folder, 'bugferry');
}

const starts = [
  ['after `npm install` in a project', installed(), {}],
  // `npm run demo -- --try`
  ['in a clone', join(root, 'scripts/start.js'), { npm_lifecycle_event: 'demo' }],
] as const;

test.each(starts)(
  'the five minutes of the README, %s, end with a mirrored bug, and leave nothing behind',
  {
    timeout: 600_000,
  },
  async (_name, program, env) => {
    const [, section = ''] = read('README.md').split('\n## Five minutes to a first mirrored bug\n');
    expect(section.split('\n## ')[0]).toContain('    npx bugferry demo --try\n');
    const demo = startHere(['demo', '--try'], program, env);
    let shown = '';
    demo.child.stdout?.on('data', (chunk: Buffer) => {
      shown += chunk.toString();
    });
    try {
      await demo.says('Press Ctrl-C');
      const [, pasted = ''] = /^Paste these lines into a second terminal\n((?: {2}\S.*\n)+)/mu.exec(shown) ?? [];
      const lines = pasted.split('\n').map((line) => line.trim());
      expect(lines.filter((line) => line.startsWith('bugferry ')).map((line) => line.split(' ')[1])).toEqual([
        'init',
        'plan',
        'once',
      ]);
      const [, folder = 'none'] = /^cd (\S+)$/mu.exec(pasted.replace(/^ +/gmu, '')) ?? [];
      const typed = await inShell(lines.join('\n'));
      expect(typed).toMatchObject({ code: 0, out: expect.stringContaining('Wrote config/bridge.yaml') });
      expect(typed.out).not.toMatch(/command not found|warning|failure/u);
      await demo.says('The first bug is mirrored');
      const [tracker = '', github = ''] = [/^ {2}(http\S+show_bug\.cgi\?id=1)$/mu, /^ {2}(http\S+\/issues\/1)$/mu].map(
        (address) => address.exec(shown)?.[1],
      );
      for (const address of [tracker, github])
        expect(await (await fetch(address)).text()).toContain('Crash on closing the last tab');
      expect(existsSync(folder)).toBe(true);
      demo.child.kill('SIGINT');
      expect(await demo.ended).toMatchObject({ code: 0 });
      expect(existsSync(folder)).toBe(false);
    } finally {
      demo.child.kill('SIGINT');
      await demo.ended;
    }
  },
);

/** Stops at the first line that fails, with nothing in its path but the programs of the system. */
function inShell(text: string): Promise<{ readonly code: number | null; readonly out: string }> {
  const env = { PATH: '/usr/bin:/bin', HOME: process.env['HOME'] };
  const child = spawn('sh', ['-e'], { env, stdio: ['pipe', 'pipe', 'pipe'] });
  let out = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      out += chunk.toString();
    });
  child.stdin.end(`${text}\n`);
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out })));
}
