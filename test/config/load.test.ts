import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig, parseConfig } from '../../src/config/load.ts';
import { ConfigProblems } from '../../src/config/problem.ts';
import { routesOf } from '../../src/config/routes.ts';
import { changed, env, problemsOf, smallest } from './sample.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bugferry-config-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function fileWith(name: string, content: string): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

describe('the smallest configuration', () => {
  test('gets every default', () => {
    const config = loadConfig(fileWith('bridge.yaml', smallest), env);
    expect(config).toMatchObject({
      instance: 'acme',
      tracker: { url: 'https://bugs.example.org', apiKey: env.TRACKER_API_KEY, auth: 'auto', login: null },
      github: { url: 'https://api.github.com', credential: { kind: 'token', token: env.GITHUB_TOKEN } },
      people: { pairs: [], nobody: [], file: null },
      state: 'state/bugferry.db',
      schedule: { poll: '*/1 * * * *', sweep: '17 3 * * *' },
      limits: {
        writesPerCycle: 500,
        brakeShare: 0.3,
        settleSeconds: 10,
        attempts: 5,
        github: { pointsPerMinute: 600, pauseBetweenWritesMs: 1000 },
        tracker: { requestsPerSecond: 5, concurrency: 2 },
      },
    });
  });

  test.each(['instance', 'tracker', 'github', 'routes'])('requires %s', (key) => {
    const rest = smallest.replace(new RegExp(`^${key}:.*\\n(?:[ ].*\\n)*`, 'm'), '');
    expect(problemsOf(rest)).toEqual([`1:1 ${key} is missing`]);
  });
});

test('former addresses of the tracker reach each route, and have to be addresses', () => {
  const written = (urls: string) => changed('tracker:\n', `tracker:\n  formerUrls: ${urls}\n`);
  const config = parseConfig(written('[http://old.example.org/]'), 'bridge.yaml', env);
  expect(config.tracker.formerUrls).toEqual(['http://old.example.org']);
  expect(routesOf(config).map(({ formerUrls }) => formerUrls)).toEqual([['http://old.example.org']]);
  expect(problemsOf(written('[old.example.org]'))).toEqual([
    expect.stringContaining('tracker.formerUrls must be an address that begins with https://'),
  ]);
});

test('addresses lose the slashes at their end', () => {
  const config = parseConfig(changed('bugs.example.org', 'bugs.example.org/tracker//'), 'bridge.yaml', env);
  expect(config.tracker.url).toBe('https://bugs.example.org/tracker');
});

describe('credentials', () => {
  const pem = '-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----';
  const tokenLine = `  token: "\${GITHUB_TOKEN}"\n`;

  test('come from files, without the line break at their end', () => {
    const key = fileWith('api-key', 'from-a-file\n');
    const token = fileWith('token', 'ghp_from_a_file\n');
    const text = changed(`apiKey: "\${TRACKER_API_KEY}"`, `apiKeyFile: ${key}`).replace(
      `token: "\${GITHUB_TOKEN}"`,
      `tokenFile: ${token}`,
    );
    const config = parseConfig(text, 'bridge.yaml', {});
    expect(config.tracker.apiKey).toBe('from-a-file');
    expect(config.github.credential).toEqual({ kind: 'token', token: 'ghp_from_a_file' });
    expect(config.secrets).toEqual(['from-a-file', 'ghp_from_a_file']);
  });

  test('may be an App with its key in a file', () => {
    const file = fileWith('app.pem', `${pem}\n`);
    const config = parseConfig(
      changed(tokenLine, `  app: { id: 12, installationId: "34", privateKeyFile: ${file} }\n`),
      'bridge.yaml',
      env,
    );
    expect(config.github.credential).toEqual({ kind: 'app', id: 12, installationId: 34, privateKey: pem });
    expect(config.secrets).toEqual([env.TRACKER_API_KEY, pem]);
  });

  test('may be an App with its key in a variable, line breaks written as backslash and n', () => {
    const text = changed(tokenLine, `  app: { id: 12, installationId: 34, privateKey: "\${APP_KEY}" }\n`);
    const config = parseConfig(text, 'bridge.yaml', { ...env, APP_KEY: pem.replaceAll('\n', '\\n') });
    expect(config.github.credential).toMatchObject({ privateKey: pem });
  });

  const none = 'github needs exactly one of token, tokenFile and app';
  test.each([
    [
      'no key for the tracker',
      `  apiKey: "\${TRACKER_API_KEY}"\n`,
      '',
      "2:1 tracker needs apiKey or apiKeyFile: the API key of the bridge's account",
    ],
    ['no token', tokenLine, '  url: https://api.github.com\n', `5:1 ${none}`],
    ['a token twice', tokenLine, `${tokenLine}  tokenFile: token\n`, `5:1 ${none}`],
    [
      'a key twice',
      'apiKey:',
      'apiKeyFile: key\n  apiKey:',
      '5:3 give either tracker.apiKey or tracker.apiKeyFile, not both',
    ],
    [
      'a file that is not there',
      `apiKey: "\${TRACKER_API_KEY}"`,
      'apiKeyFile: not/there',
      '4:3 the file named by tracker.apiKeyFile cannot be read (ENOENT)',
    ],
    [
      'an App without a key',
      tokenLine,
      '  app: { id: 12, installationId: 34 }\n',
      '6:3 github.app needs privateKey or privateKeyFile',
    ],
    [
      'an App that is not a number',
      tokenLine,
      `  app: { id: acme, installationId: 34, privateKey: "${pem.replaceAll('\n', '\\n')}" }\n`,
      '6:10 github.app.id must be a number',
    ],
    [
      'an App with something else as its key',
      tokenLine,
      '  app: { id: 12, installationId: 34, privateKey: abcdef }\n',
      '6:38 github.app.privateKey contains no private key in PEM format (-----BEGIN ... PRIVATE KEY-----)',
    ],
  ])('%s is a problem', (_, from, to, problem) => {
    expect(problemsOf(changed(from, to))).toEqual([problem]);
  });

  test.each(['two words', 'a\u00a0b', 'key\u200b', 'two\nlines'])('%j cannot be a key', (key) => {
    expect(problemsOf(smallest, { ...env, TRACKER_API_KEY: key })).toEqual([
      expect.stringMatching(/^4:3 tracker\.apiKey contains spaces, line breaks/),
    ]);
  });

  test('an empty file is a problem', () => {
    const text = changed(`apiKey: "\${TRACKER_API_KEY}"`, `apiKeyFile: ${fileWith('empty', '\n')}`);
    expect(problemsOf(text)).toEqual(['4:3 tracker.apiKeyFile is empty']);
  });
});

describe('environment variables', () => {
  test('are replaced anywhere in a text, also twice', () => {
    const text = changed('https://bugs.example.org', `https://\${HOST}/\${PATH_}/`).replace(
      'acme/widget',
      `"\${OWNER}/widget"`,
    );
    const config = parseConfig(text, 'bridge.yaml', { ...env, HOST: 'bugs.test', PATH_: 'x', OWNER: 'zed' });
    expect(config.tracker.url).toBe('https://bugs.test/x');
    expect(config.routes[0]?.github.repo).toBe('zed/widget');
  });

  test('cannot inject YAML', () => {
    const key = '"}#:-*&!';
    expect(parseConfig(smallest, 'bridge.yaml', { ...env, TRACKER_API_KEY: key }).tracker.apiKey).toBe(key);
  });

  test.each([
    ['not set', {}, 'is not set'],
    ['empty', { TRACKER_API_KEY: '' }, 'is empty'],
  ])('that are %s are one problem each, at the place that needs them', (_, tracker, state) => {
    expect(problemsOf(smallest, { GITHUB_TOKEN: 'ghp_Zx81LmNo', ...tracker })).toEqual([
      `4:3 the environment variable TRACKER_API_KEY ${state}; set it, or replace it by the value, or write apiKeyFile with the name of a file`,
    ]);
  });

  test('cause only one problem if they are missing', () => {
    // A repository, a host or a path cannot be named by a file.
    expect(problemsOf(changed('acme/widget', `"\${REPOSITORY}"`))).toEqual([
      expect.stringMatching(/REPOSITORY is not set; set it, or replace it by the value$/u),
    ]);
    expect(
      problemsOf(changed('component: Core', `component: ["\${COMPONENT}"], createdSince: "\${SINCE}"`)),
    ).toHaveLength(2);
  });

  test('are not replaced in keys', () => {
    expect(problemsOf(`${smallest}"\${GITHUB_TOKEN}": 1\n`)).toEqual([
      expect.stringMatching(/^11:1 the configuration has an unknown key; /),
    ]);
    expect(problemsOf(`${smallest}"\${NO_SUCH}": 1\n`)).toEqual([
      expect.stringMatching(/^11:1 the configuration has an unknown key; /),
    ]);
  });

  test('need a name', () => {
    expect(problemsOf(changed(`\${TRACKER_API_KEY}`, `\${}`))).toEqual([
      expect.stringMatching(/^4:3 .*needs the name/),
    ]);
  });
});

test('an alias without an anchor is a problem', () => {
  expect(problemsOf(`${smallest}state: *database\n`)).toEqual([
    expect.stringMatching(/^11:8 a word that begins with \*/),
  ]);
});

describe('problems show no secrets', () => {
  const secret = 'Kq83vEjRWeJA';
  const twice = 'routes:\n  - { name: Kq83vEjRWeJA, tracker: { product: A, component: B }, github: { repo: a/b } }\n';
  test.each([
    ['in place of a list', `apiKey: "\${TRACKER_API_KEY}"`, 'apiKey: [Kq83vEjRWeJA, 1]'],
    ['under a wrong key', `apiKey: "\${TRACKER_API_KEY}"`, 'apikey: Kq83vEjRWeJA'],
    [
      'glued to its key',
      `tracker:\n  url: https://bugs.example.org\n  apiKey: "\${TRACKER_API_KEY}"`,
      'tracker: { url: x, apiKey:Kq83vEjRWeJA }',
    ],
    ['as a key', `apiKey: "\${TRACKER_API_KEY}"`, 'Kq83vEjRWeJA: apiKey'],
    ['in YAML that cannot be read', `"\${TRACKER_API_KEY}"`, '"Kq83vEjRWeJA" Kq83vEjRWeJA: ['],
    ['after an anchor', `"\${TRACKER_API_KEY}"`, '*Kq83vEjRWeJA'],
    ['as a tag', `"\${TRACKER_API_KEY}"`, '!Kq83vEjRWeJA x'],
    ['as a repository', 'acme/widget', `"\${TRACKER_API_KEY}"`],
    [
      'as the name of two routes',
      'name: widget',
      `name: "\${TRACKER_API_KEY}"\n    tracker: { product: A, component: B }\n    github: { repo: a/b }\n  - name: "\${TRACKER_API_KEY}"`,
    ],
    [
      'written out, and used as the name of two routes',
      /apiKey[\s\S]*/.exec(smallest)?.[0] ?? '',
      `apiKey: Kq83vEjRWeJA\n${twice}${twice.slice(8)}`,
    ],
    ['as an address', 'https://bugs.example.org', `"\${TRACKER_API_KEY}"`],
    ['as a component', 'component: Core }', `component: "\${TRACKER_API_KEY}" }\n    create: { component: x }`],
  ])('%s', (_, from, to) => {
    const problems = problemsOf(changed(from, to));
    expect(problems).not.toEqual([]);
    expect(problems.join('\n')).not.toContain(secret);
  });
});

test('a key that is long enough to be a secret is not repeated', () => {
  const key = 'KqvEjRWeJAxyzKqvEjRWeJAxyzKqvEjRWeJAxyz';
  expect(problemsOf(`${smallest}${key}: 1\n`).join()).not.toContain(key);
});

test('all problems are reported at once, in the order of the file', () => {
  const text = `instance: acme -- corp
tracker:
  url: ftp://bugs.example.org
  apiKey: "\${NO_SUCH_KEY}"
github: { token: abc, tokenFile: def }
schedule: { poll: "61 * * * *" }
limits: { brakeShare: 0, attempts: many }
routes:
  - name: widget
    tracker: { product: Widget, component: Core }
    github: { repo: widget }
    direction: bth
  - name: gadget
    tracker: { product: Gadget }
    github: { repo: acme/gadget }
    lables: []
  - name: widget
    tracker: { product: Other, component: Core }
    github: { repo: "acme/widget#1" }
`;
  expect(problemsOf(text).map((problem) => problem.split(' ').slice(0, 4).join(' '))).toEqual([
    '1:1 instance must have',
    '3:3 tracker.url must be',
    '4:3 the environment variable',
    '5:1 github needs exactly',
    '6:13 schedule.poll has a',
    '7:11 limits.brakeShare must be',
    '7:26 limits.attempts must be',
    '12:5 routes[0].direction must be',
    '16:5 routes[1].lables is not',
    '19:15 github.repo must be',
  ]);
});

test('the message is ready to print', () => {
  const file = fileWith('broken.yaml', `${smallest}surprise: 1\nstate: ""\n`);
  expect(() => loadConfig(file, env)).toThrow(
    new ConfigProblems([
      {
        file,
        line: 11,
        column: 1,
        message:
          'surprise is not a known key; known here: instance, tracker, github, people, peopleFile, state, schedule, http, notify, limits, routes',
      },
      { file, line: 12, column: 1, message: 'state must not be empty' },
    ]),
  );
  const [heading, first] = new ConfigProblems([
    { file: 'a.yaml', line: 3, column: 5, message: 'x is missing' },
  ]).message.split('\n');
  expect([heading, first]).toEqual(['The configuration has a problem:', '  a.yaml:3:5  x is missing']);
});

describe('an unusable file', () => {
  test('that is missing: the message says how to begin', () => {
    expect(() => loadConfig(join(folder, 'none.yaml'), env)).toThrow(
      /none\.yaml:1:1 {2}the file does not exist; bugferry init writes one.*config\/bridge\.example\.yaml/,
    );
  });
  test.each(['"', "'"])('whose closing %s is missing', (quote) => {
    const file = join(folder, 'open.yaml');
    writeFileSync(file, `tracker: ${quote}x\n`);
    expect(() => loadConfig(file, env)).toThrow(`a closing ${quote} is missing`);
  });
  test('that is a folder', () => {
    expect(() => loadConfig(folder, env)).toThrow('this is a folder');
  });
  test.each([
    ['an empty text', ''],
    ['a comment', '# nothing yet\n'],
    ['a list', '- instance: acme\n'],
    ['a word', 'acme\n'],
  ])('because it is %s', (_, text) => {
    expect(problemsOf(text)).toEqual([expect.stringMatching(/^\d:\d the configuration must be a mapping/)]);
  });
  test('that is not YAML', () => {
    expect(problemsOf(changed('  url:', ' url'))).toEqual(
      expect.arrayContaining([expect.stringMatching(/^3:\d+ is not valid YAML here|^4:/)]),
    );
  });
  test('that contains a key twice', () => {
    expect(problemsOf(`${smallest}instance: other\n`)).toEqual([
      '11:1 is not valid YAML here: Map keys must be unique',
    ]);
  });
  test('with an unquoted star', () => {
    const text = `${smallest}    status: { toGithub: { RESOLVED: { *: completed } } }\n`;
    expect(problemsOf(text)[0]).toBe('11:40 a * needs quotes: "*"');
  });
});

test('the example loads when its variables are set', () => {
  const file = 'config/bridge.example.yaml';
  const config = loadConfig(file, { ...env, NOTIFY_ADDRESS: 'https://hooks.example.org/T0' });
  expect(config.routes.map(({ name }) => name)).toEqual(['widget']);
  expect(readFileSync(file, 'utf8')).not.toMatch(/ghp_|github_pat_/);
});

describe('the HTTP server', () => {
  const secret = 'a-long-enough-secret';
  const withHttp = (lines: string) => `${smallest}http: { ${lines} }\n`;

  test('is off unless the file enables it', () => {
    expect(parseConfig(smallest, 'bridge.yaml', env).http).toBeNull();
  });
  test('by default serves only this machine, without a token', () => {
    expect(parseConfig(`${smallest}http: {}\n`, 'bridge.yaml', env).http).toEqual({
      host: '127.0.0.1',
      port: 8080,
      token: null,
      githubSecret: null,
      trackerSecret: null,
    });
  });
  test('takes its secrets from the environment and from files, and no output shows them', () => {
    const file = fileWith('hook', `${secret}-of-a-file\n`);
    const text = withHttp(`host: 0.0.0.0, token: "\${HTTP_TOKEN}", githubSecretFile: ${file}`);
    const config = parseConfig(text, 'bridge.yaml', { ...env, HTTP_TOKEN: secret });
    expect(config.http).toMatchObject({
      host: '0.0.0.0',
      token: secret,
      githubSecret: `${secret}-of-a-file`,
      trackerSecret: null,
    });
    expect(config.secrets).toEqual(expect.arrayContaining([secret, `${secret}-of-a-file`]));
  });
  test.each([
    ['host: 0.0.0.0', /^11:9 http\.host 0\.0\.0\.0 is open to the network, so http needs token or tokenFile/],
    ['host: bugferry.example.org', /is open to the network/],
    ['token: short', /http\.token has fewer than 16 characters/],
    [`token: ${secret}, tokenFile: x`, /give either http\.token or http\.tokenFile, not both/],
    ['githubSecretFile: nowhere', /the file named by http\.githubSecretFile cannot be read \(ENOENT\)/],
    ['trackerSecret: "with a space in between"', /http\.trackerSecret contains spaces/],
    ['port: 65536', /http\.port must be at most 65535/],
    ['readyLagMinutes: 0', /http\.readyLagMinutes must be more than 0/],
  ])('refuses %s', (lines, complaint) => {
    const [problem = '', ...more] = problemsOf(withHttp(lines));
    expect([problem, more]).toEqual([expect.stringMatching(complaint), []]);
    expect(problem).not.toContain(secret);
  });
  test.each(['127.0.0.1', '127.0.0.5', '"::1"', 'localhost'])('needs no token at %s', (host) => {
    expect(problemsOf(withHttp(`host: ${host}`))).toEqual([]);
  });
});
