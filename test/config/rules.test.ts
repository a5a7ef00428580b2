import { validate } from 'node-cron';
import { describe, expect, test } from 'vitest';
import { cronComplaint } from '../../src/config/check-cron.ts';
import { parseConfig } from '../../src/config/load.ts';
import { changed, env, problemsOf, routeLine, smallest, withRoute } from './sample.ts';

describe('keys and values', () => {
  test.each([
    [
      'a slip in a key of new bugs',
      withRoute('create: { component: Core, versoin: "1" }'),
      `${routeLine}:32 routes[0].create.versoin is not a known key; did you mean version?; known here: component, `,
    ],
    [
      'a number for a custom field',
      withRoute('create: { component: Core, cf_team: 5 }'),
      '11:32 routes[0].create.cf_team must be a text or a list of texts; a number or a date is written in quotes',
    ],
    [
      'a pattern without a number',
      withRoute('pulls: { patterns: ["bug"] }'),
      '11:25 routes[0].pulls.patterns[0] must contain {bug} once, after a word or a sign: "bug {bug}"',
    ],
    [
      'a pattern that begins with its number',
      withRoute('commits: { patterns: ["{component}{bug}"] }'),
      '11:27 routes[0].commits.patterns[0] must contain {bug} once, after a word or a sign: "bug {bug}"',
    ],
    [
      'a slip in a key',
      withRoute('lables: []'),
      `${routeLine}:5 routes[0].lables is not a known key; did you mean labels?; known here: `,
    ],
    [
      'a key of another place',
      changed('url: https', 'owner: acme\n  url: https'),
      '3:3 tracker.owner is not a known key; known here: url, ',
    ],
    ...['":memory:"', '" :memory: "', '" "'].map((name): [string, string, string] => [
      `a state that no file keeps, ${name}`,
      `${smallest}state: ${name}\n`,
      `${routeLine}:1 state must name a file: whatever SQLite keeps in memory is lost`,
    ]),
    ['wrong case', changed('apiKey:', 'apikey:'), '4:3 tracker.apikey is not a known key; did you mean apiKey?'],
    [
      'a slip in a value',
      withRoute('direction: to-githbu'),
      `${routeLine}:5 routes[0].direction must be one of both, to-github, to-tracker; did you mean to-github?`,
    ],
    [
      'a number for a text',
      changed('product: Widget', 'product: 7'),
      '9:16 routes[0].tracker.product must be a text; put it in quotes',
    ],
    [
      'a text for a number',
      `${smallest}limits: { attempts: "5" }\n`,
      `${routeLine}:11 limits.attempts must be a number; leave out the quotes`,
    ],
    ['a fraction', `${smallest}limits: { attempts: 1.5 }\n`, `${routeLine}:11 limits.attempts must be a whole number`],
    ['none', `${smallest}limits: { attempts: 0 }\n`, `${routeLine}:11 limits.attempts must be at least 1`],
    [
      'a share of nothing',
      `${smallest}limits: { brakeShare: 0 }\n`,
      `${routeLine}:11 limits.brakeShare must be more than 0`,
    ],
    [
      'more than all',
      `${smallest}limits: { brakeShare: 1.01 }\n`,
      `${routeLine}:11 limits.brakeShare must be at most 1`,
    ],
    [
      'yes',
      changed('component: Core', 'component: Core, openOnly: yes'),
      '9:50 routes[0].tracker.openOnly must be true or false',
    ],
    [
      'a day that is none',
      changed('component: Core', 'component: Core, createdSince: 2024-02-31'),
      '9:50 routes[0].tracker.createdSince must be a date such as',
    ],
    [
      'no components',
      changed('component: Core', 'component: []'),
      '9:33 routes[0].tracker.component must not be empty',
    ],
    ['no routes', smallest.replace(/routes:[\s\S]*/, 'routes: []\n'), '7:1 routes must not be empty'],
    ['a route without a repository', changed('repo: acme/widget', ''), '10:5 routes[0].github.repo is missing'],
  ])('%s is a problem', (_, text, problem) => {
    const problems = problemsOf(text);
    expect(problems[0]?.slice(0, problem.length)).toBe(problem);
  });

  test('a share of 1 is allowed', () => {
    expect(problemsOf(`${smallest}limits: { brakeShare: 1 }\n`)).toEqual([]);
  });
});

describe('the table', () => {
  test('accepts custom fields and harmless tracker fields, each once', () => {
    expect(problemsOf(withRoute('table: [alias, cc, depends_on, cf_fixed_in]'))).toEqual([]);
    expect(problemsOf(withRoute('table: [alias, groups, alias]'))).toEqual([
      expect.stringMatching(/^11:20 the table cannot show "groups"; it shows alias, url, /),
      `${routeLine}:28 the table already shows alias`,
    ]);
  });
});

describe('names', () => {
  test.each(['two words', 'a--b', '-a', 'é', 'x'.repeat(41)])('%j cannot name an instance or a route', (name) => {
    expect(problemsOf(changed('instance: acme', `instance: "${name}"`))).toEqual([
      expect.stringMatching(/^1:1 instance must have 1 to 40/),
    ]);
    expect(problemsOf(changed('name: widget', `name: "${name}"`))).toEqual([
      expect.stringMatching(/^8:5 the name of a route must/),
    ]);
  });

  test.each(['widget', 'Widget'])('two routes cannot be called widget and %s', (name) => {
    const second = `  - name: ${name}\n    tracker: { product: Other, component: Core }\n    github: { repo: acme/other }\n`;
    expect(problemsOf(smallest + second)).toEqual([`${routeLine}:5 another route is already named ${name}`]);
  });

  test.each([
    'widget',
    'acme/widget/',
    '/widget',
    'acme/',
    'acme/wid get',
    'https://github.com/acme/widget',
    'acme/..',
    '-a/b',
  ])('%j is no repository', (repo) => {
    expect(problemsOf(changed('acme/widget', `"${repo}"`))).toEqual([
      '10:15 github.repo must be owner/name, such as acme/widget',
    ]);
  });

  test.each(['acme/widget.js', 'a/.github', 'a-b/c_d'])('%j is a repository', (repo) => {
    expect(problemsOf(changed('acme/widget', repo))).toEqual([]);
  });

  test.each([
    'bugs.example.org',
    'ftp://bugs.example.org',
    'https://me:secret@bugs.example.org',
    'https://bugs.example.org/?api_key=1',
  ])('%j is no address', (url) => {
    expect(problemsOf(changed('https://bugs.example.org', url))).toEqual([
      expect.stringMatching(/^3:3 tracker\.url must /),
    ]);
  });
});

describe('cron expressions', () => {
  test.each([
    '* * * * *',
    '*/5 * * * *',
    '0 0 1 1 0',
    '59 23 31 12 7',
    '0,15,30-45 8-18/2 * jan-mar mon,FRI',
    '*/10 * * * * *',
    '0 0 29 2 *',
    '0 0 31 */5,2 *',
    '0 0 30,31 2-10/2 *',
  ])('%j is one, also to the library that will run it', (expression) => {
    expect(cronComplaint(expression)).toBeNull();
    expect(validate(expression)).toBe(true);
  });

  test.each([
    ['', 'must be a cron expression of five fields'],
    ['every minute', 'must be a cron expression of five fields'],
    ['* * * *', 'must be a cron expression of five fields'],
    ['60 * * * *', 'has a minute that'],
    ['* 24 * * *', 'has a hour that'],
    ['* * 0 * *', 'has a day of the month that'],
    ['* * * 13 *', 'has a month that'],
    ['* * * * 8', 'has a day of the week that'],
    ['* * * * may', 'has a day of the week that'],
    ['*/0 * * * *', 'has a minute that'],
    ['5-1 * * * *', 'has a minute that'],
    ['5/10 * * * *', 'has a minute that'],
    ['5,, * * * *', 'has a minute that'],
    ['-5 * * * *', 'has a minute that'],
    ['60 * * * * *', 'has a second that'],
    ['0 0 30 2 *', 'never comes: none of its months has such a day'],
    ['0 0 31 4,6,9,11 *', 'never comes'],
    ['0 0 30-31 feb mon', 'never comes'],
    ['0 0 31 2-6/2 *', 'never comes'],
    ['0 0 0 31 9 1-5', 'never comes'],
  ])('%j is none', (expression, complaint) => {
    expect(cronComplaint(expression)?.slice(0, complaint.length)).toBe(complaint);
  });
});

describe('where bugs are filed', () => {
  test('a route for all components must name one for new bugs', () => {
    expect(problemsOf(changed(', component: Core', ''))).toEqual([
      expect.stringMatching(/^8:5 create\.component is missing/),
    ]);
  });
  test('unless it files no bugs', () => {
    expect(problemsOf(withRoute('direction: to-github').replace(', component: Core', ''))).toEqual([]);
  });
  test('a component outside of the route is a problem', () => {
    expect(problemsOf(withRoute('create: { component: Build }'))).toEqual([
      `${routeLine}:15 create.component must be one that the route selects: Core`,
    ]);
  });
  test('a route for all components accepts any', () => {
    expect(problemsOf(withRoute('create: { component: Build }').replace(', component: Core', ''))).toEqual([]);
  });
});

describe('the status map is a lens', () => {
  const map = 'toGithub: { CONFIRMED: open, RESOLVED: { FIXED: completed, "*": not_planned } }';
  test.each([
    [
      'another resolution',
      `{ ${map}, toTracker: { completed: [RESOLVED, WONTFIX] } }`,
      'completed sets RESOLVED WONTFIX, but status.toGithub maps it to not_planned; it must map it to completed',
    ],
    [
      'in the wrong order',
      `{ ${map}, toTracker: { not_planned: [RESOLVED, FIXED] } }`,
      'not_planned sets RESOLVED FIXED, but status.toGithub maps it to completed; it must map it to not_planned',
    ],
    [
      'a status not mapped',
      `{ ${map}, toTracker: { reopened: REOPENED } }`,
      'reopened sets REOPENED, but status.toGithub does not map it; it must map it to open without a label',
    ],
    [
      'a closed status for an open issue',
      `{ ${map}, toTracker: { reopened: RESOLVED } }`,
      'reopened sets RESOLVED, but status.toGithub does not map it; it must map it to open without a label',
    ],
    [
      'an open status for a closed issue',
      `{ ${map}, toTracker: { completed: [CONFIRMED, FIXED] } }`,
      'completed sets CONFIRMED FIXED, but status.toGithub maps it to open; it must map it to completed',
    ],
    [
      'a status with a label',
      '{ toGithub: { NEW: { open: { label: new } }, RESOLVED: { FIXED: completed, "*": not_planned } }, toTracker: { reopened: NEW } }',
      'reopened sets NEW, but status.toGithub maps it to open with the label "new"; it must map it to open without a label',
    ],
  ])('%s breaks it', (_, status, message) => {
    const column = 5 + 'status: '.length + status.indexOf('toTracker') + 'toTracker: { '.length;
    expect(problemsOf(withRoute(`status: ${status}`))).toEqual([`${routeLine}:${column} status.toTracker.${message}`]);
  });

  test('a resolution without a fallback breaks it', () => {
    const problems = problemsOf(withRoute('status: { toGithub: { CONFIRMED: open, RESOLVED: { FIXED: completed } } }'));
    expect(problems).toEqual([
      expect.stringContaining('not_planned sets RESOLVED WONTFIX, but status.toGithub does not map'),
    ]);
  });

  test.each([
    '{ toTracker: { reopened: REOPENED, completed: [CLOSED, FIXED], not_planned: [VERIFIED, INVALID] } }',
    '{ toGithub: { CONFIRMED: open, RESOLVED: { FIXED: completed, WONTFIX: not_planned } } }',
    '{ toGithub: { CONFIRMED: open, RESOLVED: { FIXED: completed, "*": not_planned }, DONE: completed } }',
  ])('%s is one', (status) => {
    expect(problemsOf(withRoute(`status: ${status}`))).toEqual([]);
  });

  test('two statuses cannot have the same label, ignoring case', () => {
    const text = withRoute(
      'status:',
      '  toGithub:',
      '    CONFIRMED: open',
      '    ASSIGNED: { open: { label: Taken } }',
      '    IN_PROGRESS: { open: { label: tAKEN } }',
      '    RESOLVED: { FIXED: completed, "*": not_planned }',
    );
    expect(problemsOf(text)).toEqual([
      `${routeLine + 4}:9 IN_PROGRESS and ASSIGNED have the same label; each needs its own`,
    ]);
  });

  test.each([
    ['opened', 'must be open, completed, not_planned or duplicate, or'],
    ['{ FIXED: complete }', 'must be one of completed, not_planned, duplicate; did you mean completed?'],
    ['{ open: { lable: x } }', 'is not a known key; did you mean label?'],
  ])('a status cannot look like %s', (shown, message) => {
    const problems = problemsOf(withRoute(`status: { toGithub: { CONFIRMED: open, RESOLVED: ${shown} } }`));
    expect(problems).toEqual(expect.arrayContaining([expect.stringContaining(message)]));
  });
});

describe('label rules are reversible', () => {
  const rules = (...templates: string[]) => `labels: [${templates.join(', ')}]`;
  test.each([
    [
      'no placeholder',
      rules('{ from: severity, as: severity }'),
      'as a label template must contain {value} exactly once',
    ],
    [
      'two placeholders',
      rules('{ from: severity, as: "{value}{value}" }'),
      'as a label template must contain {value} exactly once',
    ],
    [
      'no room',
      rules(`{ from: severity, as: "${'x'.repeat(31)}{value}" }`),
      'as the template leaves 19 characters for the value; labels have at most 50, and values need 20',
    ],
    [
      'outer space',
      rules('{ from: severity, as: " {value}" }'),
      'as a label must not begin or end with a space, nor contain line breaks',
    ],
    [
      'tags that look like any label',
      rules('{ from: whiteboard, as: "{value}", both: true }'),
      'as with both, whiteboard tags need a template with fixed words, such as "tag: {value}"',
    ],
    [
      'an unknown field',
      rules('{ from: assignee, as: "{value}" }'),
      'from routes[0].labels[0].from must be component, severity, priority, platform, op_sys, version, keywords, whiteboard, deadline or a custom field (cf_...)',
    ],
  ])('%s is a problem', (_, labels, expected) => {
    const [key = '', ...message] = expected.split(' ');
    expect(problemsOf(withRoute(labels))).toEqual([
      `${routeLine}:${5 + labels.indexOf(`${key}:`)} ${message.join(' ')}`,
    ]);
  });

  test('a template with room for twenty characters is accepted', () => {
    expect(problemsOf(withRoute(rules(`{ from: severity, as: "${'x'.repeat(30)}{value}" }`)))).toEqual([]);
  });

  test('the whiteboard and custom fields may be shown', () => {
    const labels = rules('{ from: whiteboard, as: "{value}" }', '{ from: cf_area, as: "area: {value}", both: true }');
    expect(problemsOf(withRoute(labels))).toEqual([]);
  });

  test('two rules cannot have the same template, ignoring case', () => {
    const problems = problemsOf(
      withRoute(rules('{ from: severity, as: "P {value}" }', '{ from: priority, as: "p {value}" }')),
    );
    expect(problems).toEqual([expect.stringContaining('another rule of this route has the same template')]);
  });

  test.each([
    ['', rules('{ from: severity, as: { type: "{value}" } }')],
    ['exactly once', rules('{ from: severity, as: { type: Bug } }')],
    [
      'an issue has one type, and a bug may have several keywords',
      rules('{ from: keywords, as: { type: "{value}" } }'),
    ],
    [
      'already sets the type of the issue',
      rules('{ from: severity, as: { type: "{value}" } }', '{ from: cf_kind, as: { type: "x {value}" } }'),
    ],
    [
      'already shows severity',
      rules('{ from: severity, as: "s {value}" }', '{ from: severity, as: { type: "{value}" } }'),
    ],
  ])('a type of issues: "%s"', (complaint, labels) => {
    expect(problemsOf(withRoute(labels))).toEqual(complaint === '' ? [] : [expect.stringContaining(complaint)]);
  });

  test.each([
    ['', rules('{ from: severity, as: { field: Severity } }', '{ from: keywords, as: { field: Tags } }')],
    ['without {value}', rules('{ from: severity, as: { field: "Severity {value}" } }')],
    [
      'already writes to the field SEVERITY',
      rules('{ from: severity, as: { field: Severity } }', '{ from: priority, as: { field: SEVERITY } }'),
    ],
    ['already shows severity', rules('{ from: severity, as: { field: A } }', '{ from: severity, as: { field: B } }')],
  ])('a field of the organisation: "%s"', (complaint, labels) => {
    expect(problemsOf(withRoute(labels))).toEqual(complaint === '' ? [] : [expect.stringContaining(complaint)]);
  });

  test('two rules cannot show the same field', () => {
    const problems = problemsOf(
      withRoute(rules('{ from: severity, as: "a {value}" }', '{ from: severity, as: "b {value}" }')),
    );
    expect(problems).toEqual([expect.stringContaining('another rule of this route already shows severity')]);
  });

  const statusWith = (label: string) =>
    `status: { toGithub: { CONFIRMED: open, NEW: { open: { label: "${label}" } }, RESOLVED: { FIXED: completed, "*": not_planned } } }`;

  test('the label of a status cannot fit a rule', () => {
    const problems = problemsOf(withRoute(statusWith('Severity: new')));
    expect(problems).toEqual([
      expect.stringContaining('the label of NEW also fits the rule for severity, "severity: {value}"'),
    ]);
  });

  test('the label of a status may look like a keyword', () => {
    expect(problemsOf(withRoute(statusWith('new')))).toEqual([]);
  });

  test.each([
    ['of a status', withRoute(statusWith('y'.repeat(51)))],
    ['of the route', changed('repo: acme/widget', `repo: acme/widget, label: ${'y'.repeat(51)}`)],
  ])('a label %s has at most 50 characters', (_, text) => {
    expect(problemsOf(text)).toEqual([
      expect.stringContaining('a label has at most 50 characters, and this one has 51'),
    ]);
    expect(problemsOf(text.replace('y'.repeat(51), 'y'.repeat(50)))).toEqual([]);
  });
});

test('the value of a YAML alias is checked where it is written', () => {
  const text = withRoute('status: &shared { toGithub: { CONFIRMED: open, RESOLVED: opened } }').concat(
    '  - name: gadget\n    tracker: { product: Gadget, component: Core }\n    github: { repo: acme/gadget }\n    status: *shared\n',
  );
  const column = 5 + 'status: &shared { toGithub: { CONFIRMED: open, '.length;
  const place = `${routeLine}:${column} `;
  expect(problemsOf(text)).toEqual([
    expect.stringContaining(`${place}routes[0]`),
    expect.stringContaining(`${place}routes[1]`),
  ]);
});

test.each([
  ['attachments: { store: repo }', 'attachments.repo must name the repository for files, as owner/name'],
  ['attachments: { store: repo, repo: files }', 'attachments.repo must name the repository for files, as owner/name'],
  ['attachments: { branch: "../x" }', 'attachments.branch must be the name of a branch, such as attachments'],
  ['attachments: { branch: "a b" }', 'attachments.branch must be the name of a branch, such as attachments'],
  [
    'attachments: { store: release, repo: files }',
    'attachments.repo must name the repository for files, as owner/name',
  ],
  ['attachments: { store: release, tag: "a b" }', 'attachments.tag must be the name of a tag, such as attachments'],
  ['attachments: { store: release, tag: a/b }', 'attachments.tag must be the name of a tag, such as attachments'],
])('%s is complained of', (written, message) => {
  expect(problemsOf(withRoute(written)).map((problem) => problem.replace(/^\S+ /u, ''))).toEqual([message]);
});

test('a dashboard needs a route that may write to GitHub', () => {
  expect(problemsOf(withRoute('direction: to-github', 'dashboard: true'))).toEqual([]);
  expect(problemsOf(withRoute('direction: to-tracker', 'dashboard: true'))).toEqual([
    expect.stringContaining('dashboard: true needs another direction'),
  ]);
});

test('visitors are turned away only if the route mirrors nothing of theirs', () => {
  expect(problemsOf(withRoute('direction: to-github', 'visitors: redirect'))).toEqual([]);
  expect(problemsOf(withRoute('visitors: lock'))).toEqual([
    expect.stringContaining('visitors: lock needs direction: to-github'),
  ]);
});

describe('notify', () => {
  const notify = (value: unknown) => problemsOf(`${smallest}notify: ${JSON.stringify(value)}\n`);
  const hook = 'https://hooks.example.org/T0/secret-part';

  test.each<readonly [string, unknown, RegExp]>([
    ['without a receiver', {}, /notify needs command, webhook or mail/u],
    ['with no program', { command: [] }, /notify\.command/u],
    ['with a webhook without an address', { webhook: {} }, /notify\.webhook needs address or addressFile/u],
    [
      'with two addresses',
      { webhook: { address: hook, addressFile: 'x' } },
      /give either notify\.webhook\.address or/u,
    ],
    [
      'with an address of another kind',
      { webhook: { address: 'ftp://secret-part' } },
      /address must be an address that begins/u,
    ],
    ['with a user name', { webhook: { address: 'https://me:secret-part@example.org' } }, /without a user name/u],
    ['with a file that is not there', { webhook: { addressFile: '/none/address' } }, /cannot be read \(ENOENT\)/u],
    ['with a token of two lines', { webhook: { address: hook, token: 'a\nb' } }, /notify\.webhook\.token contains/u],
    ['with an option as address', { mail: { to: '-oQ/tmp' } }, /"-oQ\/tmp" is not an address/u],
    ['with two lines as address', { mail: { to: ['a@b.example\nBcc: c@d.example'] } }, /is not an address/u],
    ['with a wrong sender', { mail: { to: 'a@b.example', from: 'me' } }, /"me" is not an address/u],
    ['without a pause', { command: ['x'], pauseMinutes: 0 }, /notify\.pauseMinutes must be more than 0/u],
  ])('%s is refused in words, without the address of a webhook', (_name, value, words) => {
    expect(notify(value)).toEqual([expect.stringMatching(words)]);
    expect(notify(value).join()).not.toContain('secret-part');
  });

  test('takes a webhook for Slack, ntfy and Matrix, and hides its address and its token', () => {
    const text = `${smallest}notify: ${JSON.stringify({ webhook: { address: hook, token: 'a-token' } })}\n`;
    const { notify: found, secrets } = parseConfig(text, 'bridge.yaml', env);
    expect(found?.webhook).toEqual({ address: hook, token: 'a-token', body: { text: '{title}\n{text}' } });
    expect(secrets).toEqual(expect.arrayContaining([hook, 'a-token']));
  });
});
