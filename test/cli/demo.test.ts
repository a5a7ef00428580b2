import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { demoEnv } from '../openapi/start.ts';
import { main, startHere } from '../support/bugferry.ts';

interface Shown {
  readonly code: number | null;
  readonly text: string;
  /** What it left behind, where temporary files stand and where it was started. */
  readonly left: readonly string[];
}

/** The demo as its own process; `until` is the text at which it is sent `signal`. */
function demo(
  args: readonly string[],
  until?: { readonly text: string; readonly signal: NodeJS.Signals },
): Promise<Shown> {
  // A folder of its own: other demos may run on this machine.
  const folder = mkdtempSync(join(tmpdir(), 'demo-test-'));
  const words = ['demo', ...args];
  const env = { ...process.env, ...demoEnv(words), TMPDIR: folder };
  const child = spawn(process.execPath, [main, ...words], { stdio: ['ignore', 'pipe', 'pipe'], env });
  let text = '';
  let isSignalled = false;
  const take = (chunk: Buffer) => {
    text += chunk.toString();
    if (until === undefined || isSignalled || !text.includes(until.text)) return;
    isSignalled = true;
    child.kill(until.signal);
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  return new Promise((resolve) =>
    child.on('close', (code) => {
      const left = [folder, process.cwd()]
        .flatMap((each) => readdirSync(each))
        .filter((name) => /^(?:bugferry-demo-|:memory:)/u.test(name));
      rmSync(folder, { recursive: true, force: true });
      resolve({ code, text, left });
    }),
  );
}

describe('the demo', () => {
  test('mirrors the first bugs and what people do, and ends well once both sides agree', async () => {
    const { code, text, left } = await demo(['--exit']);
    expect(text).toContain('one more cycle: 0 writes');
    expect(text).toMatch(
      /in step: 17 bugs and issues compared, \d+ comments, each exactly once; 4 private items stayed hidden/,
    );
    expect(code).toBe(0);
    for (const words of [
      'created "Print preview cuts off the last line of every page"',
      'edited text reported',
      'status set to duplicate',
      'both sides had changed',
    ]) {
      expect(text).toContain(words);
    }
    for (const secret of ['Password in the log" is', 'contract 4711', 'Session key'])
      expect(text).not.toContain(secret);
    // Plain lines where nobody watches: no colours, nothing overwritten.
    for (const control of ['\u001b', '\r']) expect(text).not.toContain(control);
    // What it remembers stands in memory, and nowhere else.
    expect(left).toEqual([]);
  });

  test('shows both sides and the dashboard until it is stopped, and their links lead to each other', async () => {
    const { child, says, ended } = startHere(['demo']);
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    await says('Press Ctrl-C');
    const page = async (address: string): Promise<string> => (await fetch(address)).text();
    const [tracker = '', github = '', dashboard = ''] = ['tracker', 'GitHub', 'dashboard'].map(
      (name) => new RegExp(`^ {2}${name} +(http://\\S+?)/?(?: |$)`, 'mu').exec(text)?.[1] ?? '',
    );
    expect(await page(`${dashboard}/`)).toContain('Everything is in step');
    const issue = await page(`${github}/1`);
    expect(issue).toContain('<strong>Carol Okafor</strong> opened <a href=');
    expect(issue).not.toContain('contract 4711');
    expect(issue).toContain(`href="${tracker}/show_bug.cgi?id=1"`);
    expect(await page(`${tracker}/show_bug.cgi?id=1`)).toContain(`href="${github}/1"`);
    // A pull request was opened for bug 4, and its merge closed it.
    const fixed = await page(`${tracker}/show_bug.cgi?id=4`);
    expect(fixed).toMatch(/opened a pull request[\s\S]*Fixed by acme\/widget#14 \([0-9a-f]{7}\) by mona/u);
    expect([...fixed.matchAll(/Fixed by|was merged/gu)]).toHaveLength(1);
    // The votes of bug 7 stand in the collapsed table.
    expect(await page(`${github}/7`)).toMatch(
      /<summary>More about this bug<\/summary>[\s\S]*<td>Votes<\/td>\s*<td>23<\/td>/u,
    );
    for (const place of ['/', '/pairs', '/routes/widget', '/links/1']) {
      const links = [...(await page(`${dashboard}${place}`)).matchAll(/href="(https?:[^"]+)"/gu)].map(
        ([, url = '']) => url,
      );
      // Nothing leads away from this machine, to a GitHub that knows none of it.
      expect(links.filter((url) => new URL(url).hostname !== '127.0.0.1')).toEqual([]);
      for (const url of new Set(links)) expect([url, (await fetch(url)).status]).toEqual([url, 200]);
    }
    // The tracker as pages, without what is hidden, for as long as the demo runs.
    const index = fileURLToPath(/^ {2}archive +(file:\S+)/mu.exec(text)?.[1] ?? '');
    const kept = readFileSync(join(dirname(index), 'bugs/1.html'), 'utf8');
    expect(kept).toContain(`<p class="continues">This bug continues on GitHub as <a href="${github}/1">`);
    expect(kept).not.toContain('contract 4711');
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 0 });
    expect(existsSync(index)).toBe(false);
  });

  test('ends in order when it is interrupted in the middle', async () => {
    expect(await demo([], { text: 'created "', signal: 'SIGINT' })).toMatchObject({ code: 0, left: [] });
  });
});
