import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createOf } from '../../src/check/new-bugs.ts';
import { configText } from '../../src/cli/init/page.ts';
import { runCommand } from '../../src/cli/program.ts';
import { type Asking, openQuestions, yesOrNo } from '../../src/cli/terminal.ts';
import { parseConfig } from '../../src/config/load.ts';
import { type House, openHouse } from '../support/bugferry.ts';

let house: House;
let file: string;
let secrets: readonly string[];

beforeEach(async () => {
  house = await openHouse((tracker) => tracker.as('alice').file({ summary: 'It fails', description: 'Always.' }));
  file = join(house.folder, 'new', 'bridge.yaml');
  const [key, token] = [join(house.folder, 'key'), join(house.folder, 'token')];
  writeFileSync(key, `${house.apiKey}\n`);
  writeFileSync(token, house.token);
  secrets = [
    '--config',
    file,
    '--api-key-file',
    key,
    '--token-file',
    token,
    '--github-url',
    house.githubUrl,
    '--login',
    'bridge@example.test',
  ];
});
afterEach(() => house.close());

const all = () => [
  ...secrets,
  '--url',
  house.trackerUrl,
  '--product',
  'Widget',
  '--repo',
  'acme/widget',
  '--direction',
  'both',
];

describe('init with options', () => {
  test('writes a configuration that check approves, and that carries a bug over', async () => {
    const { code, out } = await house.run('init', ...all());
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringMatching(
        /Connected to the tracker \(5\.2\) as bridge@example\.test[\s\S]*ok .*well formed[\s\S]*Wrote .*[\s\S]*Next: bugferry plan/,
      ),
    });
    expect(out).not.toMatch(/warning|failure/);
    expect(house.writes()).toBe(0);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const text = readFileSync(file, 'utf8');
    expect(text).toContain('# component: ["Core", "UI"]');
    expect(text).not.toContain(house.apiKey);
    expect(parseConfig(text, file, {}).routes[0]).toMatchObject({
      name: 'widget',
      direction: 'both',
      create: { component: 'Core', severity: 'normal' },
    });
    const state = `state: ${JSON.stringify(join(house.folder, 'new.db'))}\n`;
    writeFileSync(file, text + state);
    expect(await house.run('once', '--config', file)).toMatchObject({
      code: 0,
      out: expect.stringContaining('created "It fails"'),
    });
  });

  test('leaves an existing file as it is', async () => {
    const before = readFileSync(join(house.folder, 'bridge.yaml'), 'utf8');
    expect(
      await house.run('init', ...all().map((arg) => (arg === file ? join(house.folder, 'bridge.yaml') : arg))),
    ).toMatchObject({
      code: 2,
      err: expect.stringContaining('was not changed'),
    });
    expect(readFileSync(join(house.folder, 'bridge.yaml'), 'utf8')).toBe(before);
  });

  const wrong: readonly (readonly [string, (args: readonly string[]) => readonly string[], number, RegExp])[] = [
    [
      'a product that the tracker does not show',
      (args) => args.map((arg) => (arg === 'Widget' ? 'Wodget' : arg)),
      2,
      /cannot see a product "Wodget".*it can see Gadget, Widget/,
    ],
    [
      'what is no repository',
      (args) => args.map((arg) => (arg === 'acme/widget' ? 'widget' : arg)),
      2,
      /it must be owner\/name/,
    ],
    ...['../..', 'acme/..', '-acme/widget', 'acme/widget/'].map(
      (repo) =>
        [
          `${repo}, which the configuration would not take`,
          (args: readonly string[]) => args.map((arg) => (arg === 'acme/widget' ? repo : arg)),
          2,
          /it must be owner\/name/,
        ] as const,
    ),
    ['nobody to ask', (args) => args.slice(0, -4), 2, /Cannot ask without a terminal: give --repo/],
    [
      'a component that the product does not have',
      (args) => [...args, '--component', 'Cor'],
      2,
      /no component "Cor"; it can be Core, UI/,
    ],
    [
      'a repository that GitHub does not show',
      (args) => args.map((arg) => (arg === 'acme/widget' ? 'acme/wodget' : arg)),
      4,
      /acme\/wodget/,
    ],
    [
      'a tracker that does not answer',
      (args) => args.map((arg) => (arg === house.trackerUrl ? 'http://127.0.0.1:8' : arg)),
      4,
      /cannot be reached/,
    ],
    ['no key', (args) => args.slice(0, 2).concat(args.slice(4)), 2, /environment variable TRACKER_API_KEY is not set/],
  ];
  test.each(wrong)('writes nothing for %s', async (_name, change, code, words) => {
    const ran = await house.run('init', ...change(all()));
    expect({ code: ran.code, err: ran.err }).toEqual({ code, err: expect.stringMatching(words) });
    expect(existsSync(file)).toBe(false);
  });

  test('writes nothing that check found fault with, and says how to go on', async () => {
    house.github.allow('acme/widget', 'bugferry-bot', 'read');
    const { code, out } = await house.run('init', ...all());
    expect({ code, out }).toEqual({ code: 2, out: expect.stringContaining('Fix the failures') });
    expect(readdirSync(dirname(file))).toEqual([]);
    const [, again = ''] = /^ {2}bugferry (init .*)$/mu.exec(out) ?? [];
    house.github.allow('acme/widget', 'bugferry-bot', 'write');
    expect(await house.run(...again.split(' '))).toMatchObject({
      code: 0,
      out: expect.stringContaining(`Wrote ${file}`),
    });
    expect(readdirSync(dirname(file))).toEqual(['bridge.yaml']);
  });

  test('writes only to GitHub unless it is asked for more', async () => {
    expect(await house.run('init', ...all().slice(0, -2))).toMatchObject({ code: 0 });
    expect(parseConfig(readFileSync(file, 'utf8'), file, {}).routes[0]).toMatchObject({ direction: 'to-github' });
    const { out } = await house.run('init', '--help');
    expect(out.replaceAll(/\s+/gu, ' ')).toContain(
      'Without a terminal, the options must give whatever has no default; the default direction is to-github.',
    );
  });
});

describe('the values of new bugs that init writes', () => {
  const offered = { priority: ['P1', 'P2'], severity: ['S1', '--'], platform: ['PC', 'All'] };
  const chosen = (parameters: Readonly<Record<string, string>>) => {
    const { create, unsettled } = createOf('Core', { values: offered, workflow: null }, parameters);
    return { ...create, asked: unsettled.map(([name]) => name) };
  };

  test('are the usual ones where they are offered, and then those of the tracker itself', () => {
    expect(chosen({ defaultpriority: 'P2', defaultseverity: 'S1', defaultplatform: 'PC' })).toEqual({
      ...{ component: 'Core', version: 'unspecified', op_sys: 'All', platform: 'All', severity: 'S1', priority: 'P2' },
      asked: [],
    });
  });

  test('are asked for where neither is offered; a value that says nothing is the usual answer', () => {
    expect(chosen({ defaultpriority: '---' })).toMatchObject({
      severity: '--',
      priority: 'P1',
      asked: ['severity', 'priority'],
    });
  });
});

test('init at a terminal asks for what is missing, and takes the usual answer for an empty one', async () => {
  const answers = [house.trackerUrl, '', 'Widget', 'acme/widget', ''];
  const { code, out } = await atTerminal(['init', ...secrets], answers);
  expect({ code, out }).toEqual({
    code: 0,
    out: expect.stringMatching(
      /An empty answer takes the value in \[brackets\][\s\S]*Product \(Gadget or Widget\): [\s\S]*Direction \(to-github, both or to-tracker\) \[to-github\]: /,
    ),
  });
  expect(answers).toEqual([]);
  expect(out).toContain('This question has no usual answer. Type Gadget or Widget.');
  expect(out).not.toContain('Component for new bugs');
});

describe('every question has one form', () => {
  const asked = async (asking: Asking, ...answers: readonly string[]) => {
    const stdin = new PassThrough();
    const given = [...answers];
    let shown = '';
    const stdout = new Writable({
      write(chunk: Buffer, _encoding, done) {
        shown += chunk.toString();
        if (/: $/u.test(chunk.toString())) setImmediate(() => stdin.write(`${given.shift() ?? ''}\n`));
        done();
      },
    });
    const answer = await openQuestions(stdin, stdout).ask(asking);
    return { answer, shown };
  };

  test.each<readonly [Asking, string]>([
    [{ question: 'Address' }, 'Address: '],
    [{ question: 'Address', usual: 'here' }, 'Address [here]: '],
    [{ question: 'Begin', ...yesOrNo }, 'Begin (yes or no) [no]: '],
    [{ question: 'Product', choices: ['Widget'], usual: 'Widget' }, 'Product (Widget) [Widget]: '],
    [{ question: 'Part', choices: ['a', 'b', 'c'] }, 'Part (a, b or c): '],
    [
      { question: 'Part', choices: Array.from({ length: 300 }, (_, index) => `p${index}`) },
      `Part (${Array.from({ length: 20 }, (_, index) => `p${index}`).join(', ')} or one of 280 more): `,
    ],
  ])('%j', async (asking, shown) => {
    expect(await asked(asking, 'x')).toEqual({ answer: 'x', shown });
  });

  test('and Enter takes the usual answer, or is told that there is none', async () => {
    expect(await asked({ question: 'Part', choices: ['a', 'b'], usual: 'b' }, '')).toMatchObject({ answer: 'b' });
    expect(await asked({ question: 'Part', choices: ['a', 'b'] }, '  ', 'a')).toEqual({
      answer: 'a',
      shown: 'Part (a or b): This question has no usual answer. Type a or b.\nPart (a or b): ',
    });
  });
});

test('init at a terminal asks again after each wrong answer, and says what is wrong with it', async () => {
  const answers = [
    'http://127.0.0.1:8',
    'bugs',
    house.trackerUrl,
    'Wodget',
    'Widget',
    'widget',
    'acme/wodget',
    'acme/widget',
    'all',
    'both',
    'Cor',
    'Core',
  ];
  const { code, out } = await atTerminal(['init', ...secrets], answers);
  expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining(`Wrote ${file}`) });
  expect(answers).toEqual([]);
  for (const words of [
    'cannot be reached',
    'cannot see a product "Wodget"',
    '"widget" is not a repository',
    'acme/wodget',
    'no direction "all"',
    'no component "Cor"',
  ])
    expect(out).toContain(words);
  expect(parseConfig(readFileSync(file, 'utf8'), file, {}).routes[0]).toMatchObject({
    direction: 'both',
    create: { component: 'Core' },
  });
});

test('init misses a secret before it asks anything', async () => {
  const answers: string[] = [house.trackerUrl];
  const { code, out } = await atTerminal(['init', ...secrets.slice(0, 2), ...secrets.slice(4)], answers);
  expect({ code, out }).toEqual({ code: 2, out: expect.stringContaining('TRACKER_API_KEY is not set') });
  expect(answers).toHaveLength(1);
});

/** Somebody at a terminal, who gives these answers one after the other. */
async function atTerminal(
  args: readonly string[],
  answers: string[],
): Promise<{ readonly code: number; readonly out: string }> {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  let out = '';
  const stdout = new Writable({
    write(chunk: Buffer, _encoding, done) {
      out += chunk.toString();
      if (/: $/u.test(chunk.toString())) setImmediate(() => stdin.write(`${answers.shift() ?? ''}\n`));
      done();
    },
  });
  const code = await runCommand(args, { stdout, stderr: stdout, stdin, signal: new AbortController().signal });
  return { code, out };
}

describe('init on a tracker that does not report the owner of the key', () => {
  const withoutLogin = () => all().filter((arg) => arg !== '--login' && arg !== 'bridge@example.test');
  const ofAnother = () => all().map((arg) => (arg === 'bridge@example.test' ? 'alice@example.test' : arg));

  test('asks for the login until the tracker confirms it, and writes it down, so that check can look at the rights', async () => {
    const answers = ['alice@example.test', 'bridge@example.test', ''];
    const { code, out } = await atTerminal(['init', ...withoutLogin()], answers);
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringMatching(/does not belong to this login: .*alice@example\.test[\s\S]*, as bridge@/),
    });
    expect(answers).toEqual([]);
    expect(parseConfig(readFileSync(file, 'utf8'), file, {}).tracker.login).toBe('bridge@example.test');
    expect(out).toMatch(/ok {7}.*tracker rights: bridge@example\.test may change and confirm all bugs/);
  });

  test('demands the login if it cannot ask', async () => {
    const { code, err } = await house.run('init', ...withoutLogin());
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringMatching(/does not report whose key this is.*--login/),
    });
    expect(existsSync(file)).toBe(false);
  });

  test('refuses a login that is not that of the key', async () => {
    expect(await house.run('init', ...ofAnother())).toMatchObject({
      code: 4,
      err: expect.stringContaining('does not belong to alice@example.test'),
    });
    expect(existsSync(file)).toBe(false);
  });

  test('asks for nothing if the tracker reports the login, and writes it down', async () => {
    house.tracker.state.version = 'harmony';
    expect(await house.run('init', ...withoutLogin())).toMatchObject({
      code: 0,
      out: expect.stringContaining(' as bridge@example.test.'),
    });
    expect(parseConfig(readFileSync(file, 'utf8'), file, {}).tracker.login).toBe('bridge@example.test');
  });
});

test('names with quotes, dollars and colours of YAML arrive as they are', () => {
  const product = 'A "quoted": #product, {with} everything';
  const text = configText({
    instance: 'acme',
    trackerUrl: 'https://bugs.example.org',
    login: null,
    githubUrl: null,
    apiKey: { kind: 'variable', name: 'KEY' },
    token: { kind: 'variable', name: 'TOKEN' },
    product,
    repo: 'acme/some.thing--odd',
    direction: 'both',
    create: {
      component: "C: 'x'",
      version: 'unspecified',
      op_sys: 'All',
      platform: 'All',
      severity: 'normal',
      priority: '---',
    },
    createFurther: { type: '--', cf_area: ['a, b', '"c"'] },
    reopened: 'REOPENED',
    components: ["C: 'x'"],
  });
  const [route] = parseConfig(text, 'bridge.yaml', { KEY: 'k', TOKEN: 't' }).routes;
  expect(route).toMatchObject({
    name: 'some-thing-odd',
    tracker: { product },
    create: { component: "C: 'x'", type: '--', cf_area: ['a, b', '"c"'] },
    status: { toTracker: { reopened: 'REOPENED' } },
  });
});
