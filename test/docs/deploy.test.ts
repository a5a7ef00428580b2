/** The examples of docs/deploy name what exists, and agree with each other and with the image. */

import { execFile, spawnSync } from 'node:child_process';
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

const [map, service, set] = parsed('docs/deploy/kubernetes.yaml');
const [compose] = parsed('docs/deploy/compose.yaml');
const container = set.spec.template.spec.containers[0];
const unit = new Map(
  [...read('docs/deploy/bugferry.service').matchAll(/^(\w+)=(.*)$/gmu)].map(([, key = '', value = '']) => [key, value]),
);
const { startupProbe, livenessProbe, readinessProbe } = container;

const commands: readonly (readonly [string, readonly string[]])[] = [
  ['compose.yaml', compose.services.bugferry.command],
  ['kubernetes.yaml', container.args],
  ...['compose.yaml', 'kubernetes.yaml'].flatMap((name) =>
    [...read(`docs/deploy/${name}`).matchAll(/node \/app\/dist\/main\.js (.*)$/gmu)].map(
      ([, line = '']) => [`${name}, a comment`, line.split(' ')] as const,
    ),
  ),
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
    const listening = (env: Readonly<Record<string, string>>) =>
      parseConfig(read('docs/deploy/bridge.yaml'), 'bridge.yaml', { SECRETS: folder, ...env });
    const config = listening({ LISTEN: '127.0.0.1' });
    // Copied as it is, the file opens no port to the network.
    expect(() => listening({})).toThrow('LISTEN is not set');
    rmSync(folder, { recursive: true });
    expect(config.tracker.apiKey).toBe('tracker-api-key-of-a-test');
    expect(config.http).toMatchObject({ host: '127.0.0.1', token: 'http-token-of-a-test' });
  });

  test('listens to other machines in a container alone, whose own 127.0.0.1 nobody reaches', () => {
    expect(own.http.host).toMatch(/^\$\{LISTEN\}$/u);
    expect(compose.services.bugferry.environment.LISTEN).toBe('0.0.0.0');
    expect(container.env).toContainEqual({ name: 'LISTEN', value: '0.0.0.0' });
    expect(unit.get('Environment')?.split(' ')).toContain('LISTEN=127.0.0.1');
    expect(read('docs/deploy/bugferry-ask')).toContain('LISTEN=127.0.0.1 exec ');
  });

  test('is the same in Kubernetes', () => {
    expect(parseAllDocuments(map.data['bridge.yaml'])[0]?.toJS()).toEqual(own);
  });

  test('finds its secrets where each example puts them', () => {
    const files = [own.tracker.apiKeyFile, own.github.tokenFile, own.http.tokenFile].map((path: string) =>
      path.replace(/^.*\//u, ''),
    );
    expect(Object.keys(compose.secrets)).toEqual(files);
    expect(compose.services.bugferry.environment.SECRETS).toBe('/run/secrets');
    const mount = container.volumeMounts.find(({ name }: Parsed) => name === 'secrets');
    expect(container.env).toContainEqual({ name: 'SECRETS', value: mount.mountPath });
    for (const file of files) expect(read('docs/deploy/bugferry.service')).toContain(`LoadCredential=${file}:`);
    for (const file of files)
      expect(read('docs/deploy/bugferry-ask')).toContain(`LoadCredential=${file}:/etc/bugferry/${file} `);
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

describe('the dashboard', () => {
  const own = parsed('docs/deploy/bridge.yaml')[0];

  test('is reached from the machine under Compose, and through the Service in Kubernetes', () => {
    expect(compose.services.bugferry.ports).toEqual([`127.0.0.1:8080:${own.http.port}`]);
    expect(service).toMatchObject({
      kind: 'Service',
      metadata: { name: set.spec.serviceName },
      spec: { publishNotReadyAddresses: true },
    });
    expect(service.spec.selector).toEqual(set.spec.template.metadata.labels);
    expect(service.spec.ports).toEqual([{ name: 'http', port: own.http.port, targetPort: container.ports[0].name }]);
    expect(container.ports).toEqual([{ name: 'http', containerPort: own.http.port }]);
    expect(read('docs/deploy/nginx.conf')).toContain(`proxy_pass http://127.0.0.1:${own.http.port};`);
  });

  test('under Compose can be built from the clone', () => {
    expect(read(join('docs/deploy', compose.services.bugferry.build, 'Dockerfile'))).toContain('ENTRYPOINT');
  });
});

test('no probe starts a process, and none kills a pod because a side is down', () => {
  for (const probe of [startupProbe, livenessProbe, readinessProbe]) expect(Object.keys(probe)).not.toContain('exec');
  expect([startupProbe, livenessProbe].map(({ httpGet }) => httpGet.path)).toEqual(['/healthz', '/healthz']);
  expect(readinessProbe.httpGet.path).toBe('/readyz');
  expect(livenessProbe.periodSeconds * livenessProbe.failureThreshold).toBeGreaterThanOrEqual(180);
  expect(startupProbe.periodSeconds * startupProbe.failureThreshold).toBeGreaterThanOrEqual(600);
});

test('the pod gets the memory that it was measured to take, and an image that is not pulled each time', () => {
  const megabytes = (text: string) => Number(/^(\d+)Mi$/u.exec(text)?.[1]);
  // At rest it takes 124 to 175 MB.
  expect(megabytes(container.resources.requests.memory)).toBeGreaterThan(175);
  expect(megabytes(container.resources.limits.memory)).toBeGreaterThan(400);
  expect(container.image).toMatch(/\/.*:\d+\.\d+\.\d+$/u);
  expect(container.imagePullPolicy).toBe('IfNotPresent');
});

describe('the unit of systemd', () => {
  const analyze = (...args: readonly string[]) =>
    spawnSync('systemd-analyze', [...args, join(root, 'docs/deploy/bugferry.service')], { encoding: 'utf8' });
  const whyNot = spawnSync('systemd-analyze', ['--version']).status === 0 ? null : 'there is no systemd-analyze';

  test('is valid', ({ skip }) => {
    if (whyNot !== null) return skip(whyNot);
    const { stderr } = analyze('verify');
    // The programs that it starts are not on this machine.
    expect(
      stderr
        .split('\n')
        .filter((line) => line.includes('bugferry.service') && !/not executable|No such file/u.test(line)),
    ).toEqual([]);
  });

  test('exposes as little as a program that compiles while it runs can', ({ skip }) => {
    if (whyNot !== null) return skip(whyNot);
    const { status, stdout } = analyze('security', '--offline=true', '--threshold=15');
    expect([status, /Overall exposure level .*: (\S+)/u.exec(stdout)?.[1]]).toEqual([
      0,
      expect.stringMatching(/^1\.\d$/u),
    ]);
  });

  test('is installed by lines that name what is there, and runs a Node.js that no update of the system changes', () => {
    const lines = [...read('docs/deploy/bugferry.service').matchAll(/^# {3}(\S.*?)(?: {3,}.*)?$/gmu)].map(
      ([, line = '']) => line,
    );
    expect(lines.map((line) => line.split(' ')[0])).toEqual([
      ...['sh', 'install', 'install', 'install', 'install', '(umask'],
      ...['bugferry-ask', 'install', 'systemctl', 'systemctl', 'bugferry-ask'],
    ]);
    const files = lines.flatMap((line) => line.match(/\b(?:docs|scripts)\/\S+/gu) ?? []);
    expect(files.map((file) => read(file).length > 0)).toEqual(Array(4).fill(true));
    const [, folder] = / node (\S+) build /u.exec(lines[0] ?? '') ?? [];
    expect(unit.get('ExecStart')).toContain(`${folder}/bin/node ${folder}/dist/main.js run `);
    expect(lines).toEqual(expect.arrayContaining(['systemctl daemon-reload', 'systemctl enable --now bugferry']));
    expect(read('docs/operating.md')).toContain(lines[0]);
  });

  test('has a script beside it that asks as the same user, with the same secrets', () => {
    const folder = mkdtempSync(join(tmpdir(), 'bugferry-ask-'));
    writeFileSync(join(folder, 'systemd-run'), '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o755 });
    const asked = (...args: readonly string[]) =>
      spawnSync('sh', [join(root, 'docs/deploy/bugferry-ask'), ...args], {
        encoding: 'utf8',
        env: { PATH: `${folder}:${process.env['PATH']}` },
      })
        .stdout.trim()
        .split('\n');
    const explain = asked('explain', 'bug', '12');
    rmSync(folder, { recursive: true, force: true });
    expect(explain.slice(-4)).toEqual(['bugferry', 'explain', 'bug', '12']);
    expect(explain).toContain('--pipe');
    const properties = explain.flatMap((word) =>
      word.startsWith('--property=') ? [word.replace('--property=', '')] : [],
    );
    const inUnit = read('docs/deploy/bugferry.service').split('\n');
    expect(properties.filter((property) => !inUnit.includes(property))).toEqual([]);
    expect(properties).toEqual(expect.arrayContaining(['DynamicUser=yes', 'User=bugferry', 'StateDirectory=bugferry']));
    const [, program] = /exec (\S+ \S+)/u.exec(explain.at(-5) ?? '') ?? [];
    expect(unit.get('ExecStart')).toContain(program);
  });
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
