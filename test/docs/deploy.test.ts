/** The examples of docs/deploy name what exists, and agree with each other and with the image. */

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { parseConfig } from '../../src/config/load.ts';
import { runHere } from '../support/bugferry.ts';
import { read, root } from './documents.ts';

// biome-ignore lint/suspicious/noExplicitAny: whatever stands in a file of another program.
type Parsed = any;

const parsed = (path: string): readonly Parsed[] => {
  const documents = parseAllDocuments(read(path));
  for (const document of documents) expect([path, document.errors]).toEqual([path, []]);
  return documents.map((document) => document.toJS());
};

/** What is wrong with the arguments of the program; empty when command and options exist. */
async function complaint(args: readonly string[]): Promise<string> {
  const [command = '', ...rest] = args;
  const { out } = await runHere([command, '--help']);
  if (!out.startsWith(`Usage: bugferry ${command} `)) return `there is no command ${command}`;
  const bogus = rest.find((word) => word.startsWith('--') && !new RegExp(`^ +${word}\\b`, 'mu').test(out));
  return bogus === undefined ? '' : `${command} has no option ${bogus}`;
}

const [map, set] = parsed('docs/deploy/kubernetes.yaml');
const [compose] = parsed('docs/deploy/compose.yaml');
const container = set.spec.template.spec.containers[0];
const unit = new Map([...read('docs/deploy/bugferry.service').matchAll(/^(\w+)=(.*)$/gmu)].map(([, key = '', value = '']) => [key, value]));
const program = ['node', '/app/dist/main.js'];
const probes = ['startupProbe', 'livenessProbe', 'readinessProbe'].map((name): readonly string[] => container[name].exec.command);

const commands: readonly (readonly [string, readonly string[]])[] = [
  ['compose.yaml', compose.services.bugferry.command],
  ['kubernetes.yaml', container.args],
  ...probes.map((probe) => ['a probe', probe.slice(2)] as const),
  ['bugferry.service', (unit.get('ExecStart') ?? '').split(' ').slice(2)],
  ...[...read('docs/deploy/compose.yaml').matchAll(/--rm bugferry (.*)$/gmu)].map(
    ([, line = '']) => ['a comment', line.split(' ')] as const,
  ),
];

test.each(commands)('%s names a command and options that exist: %j', async (_where, args) => {
  expect(await complaint(args)).toBe('');
});

test('a command or an option that does not exist would be seen', async () => {
  expect(await complaint(['runn'])).toBe('there is no command runn');
  expect(await complaint(['run', '--confg', 'x'])).toBe('run has no option --confg');
});

describe('the configuration of the examples', () => {
  const own = parsed('docs/deploy/bridge.yaml')[0];

  test('is valid, and opens the HTTP server that health checks need', () => {
    const folder = mkdtempSync(join(tmpdir(), 'bugferry-deploy-'));
    for (const name of Object.keys(compose.secrets)) writeFileSync(join(folder, name), `${name}-of-a-test\n`);
    const config = parseConfig(read('docs/deploy/bridge.yaml'), 'bridge.yaml', { SECRETS: folder });
    rmSync(folder, { recursive: true });
    expect(config.tracker.apiKey).toBe('tracker-api-key-of-a-test');
    expect(config.http).not.toBeNull();
  });

  test('is the same in Kubernetes', () => {
    expect(parseAllDocuments(map.data['bridge.yaml'])[0]?.toJS()).toEqual(own);
  });

  test('finds its secrets where each example puts them', () => {
    const files = [own.tracker.apiKeyFile, own.github.tokenFile].map((path: string) => path.replace(/^.*\//u, ''));
    expect(Object.keys(compose.secrets)).toEqual(files);
    expect(compose.services.bugferry.environment.SECRETS).toBe('/run/secrets');
    const mount = container.volumeMounts.find(({ name }: Parsed) => name === 'secrets');
    expect(container.env).toContainEqual({ name: 'SECRETS', value: mount.mountPath });
    for (const file of files) expect(read('docs/deploy/bugferry.service')).toContain(`LoadCredential=${file}:`);
    for (const file of files) expect(read('docs/deploy/kubernetes.yaml')).toContain(`--from-file=${file}`);
  });

  test('keeps its state on the volume', () => {
    expect(own.state).toMatch(/^state\//u);
    expect(compose.services.bugferry.volumes).toContain('state:/state');
    expect(container.volumeMounts).toContainEqual({ name: 'state', mountPath: '/state' });
    expect(set.spec.volumeClaimTemplates[0].metadata.name).toBe('state');
    expect(`/var/lib/${unit.get('StateDirectory')}`).toBe(unit.get('WorkingDirectory'));
  });
});

test('every example is one process without rights, which gets the time to end that it takes', () => {
  expect(set.spec.replicas).toBe(1);
  expect(probes.map((probe) => probe.slice(0, 2))).toEqual([program, program, program]);
  expect(container.securityContext).toMatchObject({ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true });
  expect(set.spec.template.spec.securityContext.runAsNonRoot).toBe(true);
  expect(compose.services.bugferry).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
  const [, limit = ''] = /^const stopLimitMs = ([\d_]+);/mu.exec(read('src/cli/run/run.ts')) ?? [];
  const stopSeconds = Number(limit.replace('_', '')) / 1000;
  const given = [
    set.spec.template.spec.terminationGracePeriodSeconds,
    Number.parseInt(compose.services.bugferry.stop_grace_period, 10),
    Number(unit.get('TimeoutStopSec')),
  ];
  for (const seconds of given) expect(seconds).toBeGreaterThan(stopSeconds);
  expect(stopSeconds).toBeGreaterThan(0);
});

test('assemble.sh refuses a step that it does not have, and has those that it explains', async () => {
  const script = join(root, 'scripts/assemble.sh');
  await expect(promisify(execFile)('sh', [script, 'polish'])).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no step polish'),
  });
  const explained = [...read('scripts/assemble.sh').matchAll(/^# (\w+) {3,}\S/gmu)].map(([, step]) => step);
  const known = [...read('scripts/assemble.sh').matchAll(/^ {4}(\w+)\)/gmu)].map(([, step]) => step);
  expect(explained).toEqual(known);
});
