import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** The Node.js of the machine, if it is too old for the program. */
const place = ['/usr/bin/node', '/usr/local/bin/node'].find((path) => {
  const version = existsSync(path) ? execFileSync(path, ['-p', 'process.versions.node'], { encoding: 'utf8' }) : '24';
  return Number.parseInt(version, 10) < 22;
});

/** Pretends to be old, where no old one is installed: the refusal itself is the same. */
const older = `Object.defineProperty(process.versions, 'node', { value: '20.20.2' })`;
const oldNode =
  place === undefined ? [process.execPath, '--import', `data:text/javascript,${encodeURIComponent(older)}`] : [place];

describe('a Node.js that is too old', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

  test.each(['bugferry', 'demo'])('is named in one sentence by npm run %s, with the way to a newer one', (script) => {
    const [node = '', ...args] = oldNode;
    const [, ...command] = String(scripts[script]).split(' ');
    const { status, stdout, stderr } = spawnSync(node, [...args, ...command], { cwd: root, encoding: 'utf8' });
    expect({ status, stdout, stderr }).toEqual({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(
        /^bugferry needs Node\.js 22\.18 or newer \(24 is best\), and this is \d+\.\d+\.\d+\. Run npm ci [^\n]+\n$/u,
      ),
    });
  });

  test('is named by the built program, too', () => {
    const folder = mkdtempSync(join(tmpdir(), 'bugferry-old-'));
    const built = join(folder, 'main.mjs');
    writeFileSync(built, stripTypeScriptTypes(readFileSync(join(root, 'src/main.ts'), 'utf8')));
    const [node = '', ...args] = oldNode;
    const { status, stderr } = spawnSync(node, [...args, built], { encoding: 'utf8' });
    rmSync(folder, { recursive: true });
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringMatching(/^bugferry needs [^\n]+ Get it from https:\/\/nodejs\.org[^\n]+\n$/u),
    });
  });
});
