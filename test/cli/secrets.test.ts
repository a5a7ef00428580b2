import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../src/cli/program.ts';
import { freePort } from '../../src/sandbox/server/free-port.ts';
import { type House, openHouse, runHere } from '../support/bugferry.ts';
import { type Echo, openEcho } from '../support/echo.ts';

/** What the configuration holds besides the two credentials of the sandbox. */
const http = {
  token: 'canary-token-of-the-server',
  githubSecret: 'canary-secret-of-hooks',
  trackerSecret: 'canary-secret-of-the-tracker',
};

interface Scenario {
  readonly house: House;
  readonly sides: Readonly<Record<'tracker' | 'github', Echo>>;
  readonly port: number;
  /** The secrets that stand in a text. */
  secretsIn(text: string): readonly string[];
}

async function openScenario(): Promise<Scenario> {
  const house = await openHouse((tracker) => {
    tracker.as('alice').file({ summary: 'It fails', description: 'Always.' });
    tracker.as('alice').file({ summary: 'It fails again', description: 'Still.' });
  });
  onTestFinished(() => house.close());
  const port = await freePort();
  const sides = { tracker: await openEcho(house.trackerUrl), github: await openEcho(house.githubUrl) };
  house.configure((config) => {
    config.http = { port, ...http };
    config.tracker.url = sides.tracker.url;
    config.github.url = sides.github.url;
  });
  const secrets = [house.apiKey, house.token, ...Object.values(http)];
  return { house, sides, port, secretsIn: (text) => secrets.filter((secret) => text.includes(secret)) };
}

/** All files beside the configuration: the state with its log, its lock, and what commands were asked to write. */
const filesOf = ({ house }: Scenario): string =>
  readdirSync(house.folder, { withFileTypes: true })
    .filter((item) => item.isFile() && !item.name.endsWith('.yaml'))
    .map(({ name }) => readFileSync(join(house.folder, name), 'latin1'))
    .join('\n');

const commands: readonly (readonly string[])[] = [
  ['check'],
  ['check', '--json', '--verbose'],
  ['plan'],
  ['plan', '--json', '--verbose'],
  ['once'],
  ['once', '--json', '--verbose'],
  ['once', '--sweep', '--json'],
  ['status'],
  ['status', '--json'],
  ['explain', 'bug', '1'],
  ['explain', 'bug', '1', '--json'],
  ['explain', 'bug', '99', '--json'],
  ['audit', '--against', 'anonymous'],
  ['verify', '--html', 'report.html', '--json', 'report.json'],
  ['migrate', '--dry-run', '--preview', 'preview.html'],
  ['people'],
  ['retry', '--all'],
  ['state', 'verify'],
];

test.each([
  ['the tracker', 'tracker', 'all', 400],
  ['the tracker', 'tracker', 'writes', 400],
  ['the tracker', 'tracker', 'all', 500],
  ['GitHub', 'github', 'all', 403],
  ['GitHub', 'github', 'writes', 422],
  ['GitHub', 'github', 'writes', 500],
] as const)(
  '%s repeats requests (%s, %s with %i), and no command says or keeps a secret',
  async (_, side, to, status) => {
    const scenario = await openScenario();
    const { house, sides, secretsIn } = scenario;
    if (status !== 403) await house.run('once');
    house.tracker.as('alice').change(1, { summary: 'It fails on Mondays' });
    house.github.as('mona').open('acme/widget', { title: 'From GitHub', body: 'It fails there.' });
    sides[side].answers = { to, status };
    for (const command of commands) {
      const args = command.map((each) => (each.includes('.') ? join(house.folder, each) : each));
      const { out, err } = await house.run(...args);
      expect(secretsIn(out + err), `${command.join(' ')}: ${out}${err}`).toEqual([]);
    }
    expect(sides[side].count).toBeGreaterThan(0);
    expect(secretsIn(filesOf(scenario))).toEqual([]);
  },
);

test('a daemon to which requests are repeated neither logs nor answers a secret', async () => {
  const scenario = await openScenario();
  const { house, sides, port, secretsIn } = scenario;
  await house.run('once');
  house.tracker.as('alice').change(1, { summary: 'It fails on Mondays' });
  house.github.as('mona').open('acme/widget', { title: 'From GitHub', body: 'It fails there.' });
  for (const side of [sides.tracker, sides.github]) side.answers = { to: 'writes', status: 400 };
  const daemon = house.start('run', '--json', '--verbose');
  await daemon.says('"kind":"parked"');
  const headers = { authorization: `Bearer ${http.token}` };
  const answers = await Promise.all(
    ['/', '/metrics', '/readyz', '/history.json', '/links/1', '/find?q=bug+99'].map(async (path) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
      return `${path} ${await response.text()}`;
    }),
  );
  daemon.child.kill('SIGTERM');
  const { out, err } = await daemon.ended;
  expect(answers.filter((answer) => secretsIn(answer).length > 0)).toEqual([]);
  expect(secretsIn(out + err)).toEqual([]);
  // They were repeated, and covered.
  expect(err).toMatch(/\[(?:key|secret)\]/u);
  expect(secretsIn(filesOf(scenario))).toEqual([]);
  expect(sides.tracker.count + sides.github.count).toBeGreaterThan(1);
});

test('what was typed by mistake is not repeated when it is a token', async () => {
  const { out, err } = await runHere(['status', '--tokn', 'ghp_canaryTypedByMistake', '--token=ghp_canaryTypedTwice']);
  expect(out + err).toMatch(/unknown option/u);
  expect(out + err).not.toContain('ghp_canary');
});

test('what nobody caught is told without secrets, with where it came from', async () => {
  const reporters: ((error: unknown) => number)[] = [];
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk: Buffer | string, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  const crashes = (report: (error: unknown) => number) => void reporters.push(report);
  await runCommand(['--version'], { stdout: sink, stderr: sink, signal: new AbortController().signal, crashes });
  const code = reporters[0]?.(new Error('GET /rest/bug?api_key=canary123 failed for Bearer canary456'));
  const said = lines.join('');
  expect(code).toBe(70);
  expect(said).toMatch(/bug in bugferry: GET \/rest\/bug\?api_key=\[secret\] failed for Bearer \[secret\]/u);
  expect(said).toContain('secrets.test.ts');
  expect(said).not.toContain('canary');
});
