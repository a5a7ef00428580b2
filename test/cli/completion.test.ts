import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runHere } from '../support/bugferry.ts';

let folder: string;
let script: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bugferry-completion-'));
  script = join(folder, 'bugferry.bash');
  writeFileSync(join(folder, 'my-bridge.yaml'), '');
  writeFileSync(script, (await runHere(['completion', 'bash'])).out);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What bash offers when somebody presses the tabulator key behind these words. */
function offered(...words: readonly string[]): readonly string[] {
  const line = words.map((word) => `'${word}'`).join(' ');
  const program = `source '${script}'; COMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _bugferry; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const out = execFileSync('bash', ['-c', program], { cwd: folder, encoding: 'utf8' });
  return out.split('\n').filter((each) => each !== '');
}

describe('in bash', () => {
  const rows: readonly (readonly [readonly string[], readonly string[]])[] = [
    [
      ['bugferry', 'res'],
      ['resync', 'resume'],
    ],
    [
      ['bugferry', 'st'],
      ['status', 'state'],
    ],
    [['bugferry', 'once', '--s'], ['--sweep']],
    [['bugferry', 'state', 're'], ['restore']],
    [['bugferry', 'explain', 'i'], ['issue']],
    [['bugferry', 'once', '--config', 'my'], ['my-bridge.yaml']],
    [['bugferry', 'bogus', ''], []],
  ];
  test.each(rows)('%j is completed to %j', (words, completions) => {
    expect(offered(...words)).toEqual(completions);
  });

  test('all commands are offered, and all options of one', async () => {
    const { out } = await runHere(['--help']);
    const commands = [...((out.split('Commands:\n')[1] ?? '').split('\n\n')[0]?.matchAll(/^ {2}(\w+)/gmu) ?? [])].map(
      ([, name]) => name,
    );
    expect(commands.length).toBeGreaterThan(12);
    expect([...offered('bugferry', ''), 'help'].sort()).toEqual(commands.sort());
    expect(offered('bugferry', 'retry', '--')).toEqual(['--verbose', '--config', '--json', '--all', '--help']);
  });
});

test.each(['zsh', 'fish'])(
  'the script for %s names every command and is taken by that shell where there is one',
  async (shell) => {
    const { code, out } = await runHere(['completion', shell]);
    expect(code).toBe(0);
    for (const name of offered('bugferry', '')) expect(out).toMatch(new RegExp(`\\b${name}\\b`));
    const file = join(folder, shell);
    writeFileSync(file, out);
    const checked = spawnSync(shell, ['-n', file], { encoding: 'utf8' });
    if (checked.error === undefined) expect(checked.stderr).toBe('');
  },
);

test('another shell is refused with those there are', async () => {
  expect(await runHere(['completion', 'csh'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('bash, zsh, fish'),
  });
});
