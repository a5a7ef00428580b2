/**
 * The workflows: what they run exists, others' actions are pinned, and a release can be gone through without the
 * network and our names.
 */

import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { linksIn, read, root } from '../docs/documents.ts';

interface Step {
  readonly id?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}
interface Job {
  readonly strategy?: { readonly matrix: { readonly include?: readonly unknown[] } };
  readonly needs?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly 'timeout-minutes'?: number;
  readonly steps: readonly Step[];
}
interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const workflow = (name: string): Workflow => parse(read(`.github/workflows/${name}`));
const [ci, release] = ['ci.yml', 'release.yml'].map(workflow) as [Workflow, Workflow];
const stepsOf = ({ jobs }: Workflow) => Object.values(jobs).flatMap(({ steps }) => steps);

describe.each(readdirSync(join(root, '.github/workflows')))('%s', (name) => {
  test('pins every action by its commit, with the version beside it', () => {
    const uses = [...read(`.github/workflows/${name}`).matchAll(/uses: (.*)$/gmu)].map(([, text]) => text);
    expect(uses.length).toBeGreaterThan(0);
    for (const each of uses) expect(each).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/u);
  });

  test('may read the repository and no more, but for jobs that publish, and every job has an end', () => {
    expect(workflow(name).permissions).toEqual({ contents: 'read' });
    for (const job of Object.values(workflow(name).jobs)) expect(job['timeout-minutes']).toBeGreaterThan(0);
  });
});

test('CI runs what CONTRIBUTING.md names', () => {
  expect(stepsOf(ci).map(({ run }) => run)).toContain('.ci/run');
  expect(ci.on).toHaveProperty('pull_request');
});

test('CI runs on the oldest Node.js that package.json allows, on macOS and on Windows, and names files that are there', () => {
  const { elsewhere } = ci.jobs;
  const oldest = JSON.parse(read('package.json')).engines.node.replace('>=', '');
  expect(elsewhere?.strategy?.matrix.include).toEqual([
    { os: expect.stringMatching(/^ubuntu-/u), node: `${oldest}.0` },
    { os: expect.stringMatching(/^macos-/u), node: 24 },
    { os: expect.stringMatching(/^windows-/u), node: 24 },
  ]);
  expect(elsewhere?.steps.map(({ run }) => run)).toContain('sh .ci/elsewhere');
  const named = read('.ci/elsewhere').match(/\b(?:test|dist|node_modules)\/\S+/gu) ?? [];
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  expect(named.length).toBeGreaterThan(5);
});

describe('the templates of issues', () => {
  const folder = '.github/ISSUE_TEMPLATE';
  const forms = readdirSync(join(root, folder)).filter((name) => name !== 'config.yml');

  test.each(forms)('%s is a form that GitHub takes', (name) => {
    const form = parse(read(`${folder}/${name}`));
    expect(form).toMatchObject({ name: expect.any(String), description: expect.any(String) });
    const fields: readonly { type: string; id?: string; attributes: Record<string, unknown> }[] = form.body;
    const asked = fields.filter(({ type }) => type !== 'markdown');
    expect(asked.map(({ type }) => type).every((type) => ['input', 'textarea', 'dropdown'].includes(type))).toBe(true);
    expect(new Set(asked.map(({ id }) => id)).size).toBe(asked.length);
    for (const { attributes } of asked) expect(attributes['label']).toEqual(expect.any(String));
  });

  test('send leaks elsewhere, and ask for no secret', () => {
    const bug = read(`${folder}/bug.yml`);
    expect(bug).toContain('SECURITY.md');
    expect(bug).toContain('without secrets');
    expect(parse(read(`${folder}/config.yml`))).toEqual({ blank_issues_enabled: false });
  });
});

describe('a release', () => {
  const called = stepsOf(release).flatMap(({ run = '' }) =>
    [...run.matchAll(/publish\.sh (\w+)/gu)].map(([, step = '']) => step),
  );

  test('is tested, built for both architectures, scanned, signed and published, in this order', () => {
    expect(release.on).toEqual({ push: { tags: ['v*'] } });
    expect([release.jobs['image']?.needs, release.jobs['publish']?.needs]).toEqual(['test', 'image']);
    expect(release.jobs['test']?.steps.map(({ run }) => run)).toContain('.ci/run');
    const { steps = [] } = release.jobs['image'] ?? {};
    const at = (text: string) => steps.findIndex(({ run = '', uses = '' }) => `${run}${uses}`.includes(text));
    expect(
      [at('build'), at('try'), at('scan-action'), at('push')].every(
        (place, index, all) => place > (all[index - 1] ?? -1),
      ),
    ).toBe(true);
    expect(read('.github/workflows/release.yml')).toContain('architecture: arm64, runner: ubuntu-24.04-arm');
    expect(release.jobs['publish']?.permissions).toEqual({ contents: 'write', packages: 'write', 'id-token': 'write' });
  });

  test('calls every step that the script has, and no other; the dry run goes through the same', () => {
    const known = [...read('scripts/publish.sh').matchAll(/^ {2}(\w+)\)/gmu)].map(([, step = '']) => step);
    const explained = [...read('scripts/publish.sh').matchAll(/^# (\w+) {3,}\S/gmu)].map(([, step]) => step);
    expect(explained).toEqual(known);
    expect([...new Set(called)].sort()).toEqual([...known].sort());
    const [, listed = ''] = /^const steps = \[(.*)\]/mu.exec(read('scripts/release.ts')) ?? [];
    expect([...listed.matchAll(/'(\w+)'/gu)].map(([, step]) => step)).toEqual(known);
  });

  test('names no owner: everything goes where the workflow runs', () => {
    const texts = ['.github/workflows/release.yml', 'scripts/publish.sh', 'scripts/release-notes.ts']
      .map(read)
      .join('\n');
    expect(texts).not.toMatch(/ghcr\.io\/|github\.com\/[\w-]/u);
  });
});

describe('npm run release -- VERSION --dry-run, in a fork', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bugferry-dry-'));
  const fork = 'Their-Org/Their-Bridge';
  let told: { readonly status: number | null; readonly stdout: string; readonly stderr: string };

  beforeAll(() => {
    for (const path of readdirSync(root).filter((name) =>
      /^(?:package|tsconfig|\.gitignore)|\.md$|^LICENSE$|^src$|^scripts$|^config$/u.test(name),
    ))
      cpSync(join(root, path), join(folder, path), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    const manifest = JSON.parse(read('package.json'));
    const lock = JSON.parse(read('package-lock.json'));
    lock.version = lock.packages[''].version = '0.2.0';
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, version: '0.2.0' }));
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
    writeFileSync(
      join(folder, 'CHANGELOG.md'),
      '# Changelog\n\n## 0.2.0 (2026-12-01)\n\n- Something new.\n\n## 0.1.0 (2026-01-01)\n\n- First.\n',
    );
    const who = ['-c', 'user.name=A Tester', '-c', 'user.email=tester@example.test'];
    const git = (...args: readonly string[]) =>
      execFileSync('git', [...who, ...args], { cwd: folder, stdio: 'ignore' });
    git('init', '--initial-branch', 'main');
    writeFileSync(join(folder, '.git/info/exclude'), 'node_modules\n');
    git('add', '--all');
    git('commit', '--message', 'all');
    // Nothing that reaches the network may be started.
    const tools = mkdtempSync(join(folder, '.git', 'tools-'));
    for (const tool of ['docker', 'cosign', 'gh'])
      writeFileSync(join(tools, tool), '#!/bin/sh\necho "started $0" >&2\nexit 9\n', { mode: 0o755 });
    const env = {
      PATH: `${tools}:${join(process.execPath, '..')}:${process.env['PATH']}`,
      HOME: join(folder, '.git'),
      GITHUB_REPOSITORY: fork,
      NPM_PACKAGE: '@their-org/bridge',
      npm_config_offline: 'true',
    };
    told = spawnSync(process.execPath, ['scripts/release.ts', '0.2.0', '--dry-run'], {
      cwd: folder,
      encoding: 'utf8',
      env,
    });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('goes through every step, and starts nothing that needs the network', () => {
    expect(told).toMatchObject({ status: 0, stderr: expect.not.stringContaining('started') });
    const commands = told.stdout.split('\n').filter((line) => line.startsWith('+ '));
    expect(commands).toEqual([
      expect.stringMatching(
        /^\+ docker build --pull --tag ghcr\.io\/their-org\/their-bridge:0\.2\.0-amd64 --build-arg BASE=node:24-slim@sha256:DIGEST --build-arg VERSION=0\.2\.0 --build-arg REVISION=[\da-f]{40} --build-arg SOURCE=https:\/\/github\.com\/Their-Org\/Their-Bridge \.$/u,
      ),
      expect.stringContaining('docker run --rm --read-only'),
      '+ docker login ghcr.io',
      '+ docker push ghcr.io/their-org/their-bridge:0.2.0-amd64',
      expect.stringContaining(
        'imagetools create --tag ghcr.io/their-org/their-bridge:0.2.0 --tag ghcr.io/their-org/their-bridge:latest',
      ),
      '+ cosign sign --yes ghcr.io/their-org/their-bridge@sha256:DIGEST',
      expect.stringContaining('cosign attest --yes --type cyclonedx --predicate release/bugferry-0.2.0.cdx.json'),
      expect.stringContaining('cosign sign-blob'),
      '+ npm publish --provenance --access public ./release/bugferry-0.2.0.tgz',
      expect.stringContaining('gh release create v0.2.0 --repo Their-Org/Their-Bridge'),
    ]);
  });

  test('makes the package under the name of the fork, the bill of materials, the notes and the checksums', () => {
    const made = join(folder, 'release');
    expect(readdirSync(made).sort()).toEqual([
      'SHA256SUMS',
      'bugferry-0.2.0.cdx.json',
      'bugferry-0.2.0.tgz',
      'notes.md',
    ]);
    const manifest = JSON.parse(
      execFileSync('tar', ['-xzOf', join(made, 'bugferry-0.2.0.tgz'), 'package/package.json'], { encoding: 'utf8' }),
    );
    expect(manifest).toMatchObject({
      name: '@their-org/bridge',
      version: '0.2.0',
      keywords: expect.arrayContaining(['bugzilla', 'github-issues']),
      repository: { url: `git+https://github.com/${fork}.git` },
      homepage: `https://github.com/${fork}#readme`,
      bugs: { url: `https://github.com/${fork}/issues` },
      author: { name: 'Their-Org', url: 'https://github.com/Their-Org' },
    });
    // Whoever reads the package's README has neither the documents nor the pictures.
    const readme = execFileSync('tar', ['-xzOf', join(made, 'bugferry-0.2.0.tgz'), 'package/README.md'], {
      encoding: 'utf8',
    });
    expect(linksIn(readme)).toEqual([]);
    expect(readme).toContain(`(https://github.com/${fork}/blob/v0.2.0/docs/operating.md#getting-it)`);
    expect(readme).toContain(`](https://github.com/${fork}/raw/v0.2.0/docs/demo.gif)`);
    expect(JSON.parse(readFileSync(join(made, 'bugferry-0.2.0.cdx.json'), 'utf8')).metadata.component.version).toBe(
      '0.2.0',
    );
    const notes = readFileSync(join(made, 'notes.md'), 'utf8');
    expect(notes).toMatch(/^- Something new\.\n\n## Getting it/u);
    expect(notes).toContain('docker pull ghcr.io/their-org/their-bridge:0.2.0');
    expect(notes).not.toContain('First.');
    expect(notes).toMatch(/^ {4}- uses: Their-Org\/Their-Bridge@[\da-f]{40} # v0\.2\.0$/mu);
    execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: made });
    // The checkout is as it was.
    expect(execFileSync('git', ['status', '--porcelain'], { cwd: folder, encoding: 'utf8' })).toBe('');
  });

  test('without a name for the registry, the package is a file of the release', () => {
    const env = { PATH: process.env['PATH'], VERSION_TAG: 'v0.2.0', GITHUB_REPOSITORY: fork, DRY_RUN: '1' };
    const { stdout } = spawnSync('sh', ['scripts/publish.sh', 'package'], { cwd: folder, encoding: 'utf8', env });
    expect(stdout).toContain('NPM_PACKAGE is not set');
  });
});
