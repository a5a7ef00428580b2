import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { exitCodes } from '../../src/cli/exit-code.ts';
import { root } from '../docs/documents.ts';
import { runHere } from '../support/bugferry.ts';

/** Every file that adds a command is named after it. */
const files = globSync('src/cli/**/*.ts', { cwd: root }).filter((path) =>
  /^export function add\w+\(program: Command, context: CommandContext\)/mu.test(readFileSync(join(root, path), 'utf8')),
);
const commands = files.map((path) => basename(path, '.ts'));

describe('help', () => {
  test('names every command, the exit codes and first steps', async () => {
    const { code, out } = await runHere(['--help']);
    expect(code).toBe(0);
    expect(commands.length).toBeGreaterThan(10);
    for (const command of commands) expect(out).toMatch(new RegExp(`^  ${command} `, 'm'));
    for (const code of Object.values(exitCodes)) expect(out).toMatch(new RegExp(`^ *${code}  \\S`, 'm'));
  });

  test.each(commands)('of %s ends in examples', async (command) => {
    const { code, out, err } = await runHere([command, '--help']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const [, examples = ''] = out.split('Examples:\n');
    expect(examples.trim().split('\n').length).toBeGreaterThan(0);
    for (const line of examples.trim().split('\n'))
      expect(line.trim()).toMatch(new RegExp(`^\\$ bugferry ${command}\\b.* {3}\\S`));
  });

  test('every option that an example uses exists', async () => {
    for (const command of commands) {
      const { out } = await runHere([command, '--help']);
      const [options = '', examples = ''] = out.split('Examples:\n');
      for (const option of examples.match(/ --[a-z]+/g) ?? [])
        expect([command, options]).toEqual([command, expect.stringContaining(option.trim())]);
    }
  });

  test('the version is that of the package', async () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(await runHere(['--version'])).toMatchObject({ code: 0, out: `${version}\n` });
  });

  test('is pointed to by whatever is wrong usage', async () => {
    for (const [where, ...args] of [
      ['', 'statsu'],
      ['status ', 'status', '--jsno'],
      ['explain ', 'explain'],
    ])
      expect(await runHere(args)).toMatchObject({
        code: 2,
        err: expect.stringContaining(`Run bugferry ${where}--help`),
      });
  });

  test('without a command is wrong usage', async () => {
    expect(await runHere([])).toMatchObject({ code: 2 });
  });
});

test('each command fits a page', () => {
  for (const file of files) {
    const text = readFileSync(join(root, file), 'utf8');
    expect([file, text.split('\n').length <= 155]).toEqual([file, true]);
  }
});
