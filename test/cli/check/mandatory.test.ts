import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { demanded, demanding } from '../../contract/tracker/scenario.ts';
import { type House, openHouse } from '../../support/bugferry.ts';

/**
 * A tracker that wants more of a new bug than others, from the first configuration to a bug that is filed from an
 * issue.
 */
const repo = 'acme/widget';
const missing = [
  'create: the tracker refuses new bugs without Branch (cf_branch). Add it to create in the route, for example: cf_branch: "..."',
  'create: the tracker refuses new bugs without Area (cf_area); it has docs, net, ui. Add it to create in the route, for example: cf_area: ["docs"]',
  'create: the tracker refuses new bugs without Impact (cf_impact); it has high, low. Add it to create in the route, for example: cf_impact: "high"',
  'create: the tracker refuses new bugs without Type (type); it has defect, enhancement, task, --. Add it to create in the route, for example: type: "defect"',
];

/** Its priorities have another name for none. */
const configure = (house: House, create: object): string =>
  house.configure((config) => Object.assign(config.routes[0].create, { priority: '--' }, create));

async function demandingHouse(): Promise<House> {
  const house = await openHouse(() => {}, { installation: demanding });
  onTestFinished(() => house.close());
  configure(house, {});
  return house;
}

test('check says what is missing and how to say it, and is content once it is said', async () => {
  const house = await demandingHouse();
  const { code, out } = await house.run('check');
  expect(code).toBe(2);
  for (const line of missing) expect(out).toContain(line);
  configure(house, demanded);
  expect(await house.run('check')).toMatchObject({
    code: 0,
    out: expect.stringContaining('accepts the values of new bugs'),
  });
});

test('check finds that the tracker has no such priority, although the configuration does not name one', async () => {
  const house = await openHouse(() => {}, { installation: demanding });
  onTestFinished(() => house.close());
  house.configure((config) => Object.assign(config.routes[0].create, demanded));
  const { code, out } = await house.run('check');
  expect(code).toBe(2);
  expect(out).toMatch(/create\.priority is "---", which the tracker does not accept; it accepts Highest, .*, --$/mu);
});

test('check finds values that the tracker does not have, and fields', async () => {
  const house = await demandingHouse();
  configure(house, { ...demanded, type: 'feature', cf_area: ['ui', 'sea'], cf_none: 'x' });
  const { code, out } = await house.run('check');
  expect(code).toBe(2);
  expect(out).toContain(
    'create.type is "feature", which the tracker does not accept; it accepts defect, enhancement, task, --',
  );
  expect(out).toContain('create.cf_area is "sea", which the tracker does not accept; it accepts docs, net, ui');
  expect(out).toContain('create.cf_none is not a field of this tracker');
});

test('a route that files no bugs needs none of it', async () => {
  const house = await demandingHouse();
  house.configure((config) => {
    config.routes[0].direction = 'to-github';
  });
  expect((await house.run('check')).out).not.toContain('refuses new bugs');
});

test('an issue becomes a bug only with all of it', async () => {
  const house = await demandingHouse();
  house.github.as('mona').open(repo, { title: 'From GitHub' });
  expect(await house.run('once')).toMatchObject({
    code: 1,
    out: expect.stringMatching(/parked: .*A value must be set|choose a type/u),
  });
  expect(house.tracker.bugs()).toEqual([]);
  configure(house, demanded);
  await house.run('retry', '--all');
  expect(await house.run('once')).toMatchObject({ code: 0 });
  const { type, cf_branch, cf_impact } = demanded;
  expect(house.tracker.bugs()).toMatchObject([
    { summary: 'From GitHub', type, custom: { cf_branch, cf_impact, cf_area: ['net', 'ui'] } },
  ]);
});

test('init asks for it and writes it down', async () => {
  const house = await demandingHouse();
  const file = join(house.folder, 'new.yaml');
  for (const [name, secret] of [
    ['key', house.apiKey],
    ['token', house.token],
  ] as const)
    writeFileSync(join(house.folder, name), secret);
  const places = [
    '--url',
    house.trackerUrl,
    '--github-url',
    house.githubUrl,
    '--product',
    'Widget',
    '--repo',
    repo,
    '--config',
    file,
    '--direction',
    'both',
  ];
  const secrets = [
    '--api-key-file',
    join(house.folder, 'key'),
    '--token-file',
    join(house.folder, 'token'),
    '--login',
    'bridge@example.test',
  ];
  expect(await house.run('init', ...secrets, ...places)).toMatchObject({
    code: 2,
    err: expect.stringContaining('give --create cf_branch=VALUE'),
  });
  const [stray, unknown] = [['--create', 'foo=1'] as const, ['--create', 'severity=lofty'] as const];
  for (const [wrong, words] of [
    [stray, '--create cannot set foo; it can set version, op_sys, platform, severity, priority, '],
    [unknown, 'The tracker has no severity "lofty"; it can be '],
  ] as const)
    expect(await house.run('init', ...secrets, ...places, ...wrong, '--create', 'cf_branch=main')).toMatchObject({
      code: 2,
      err: expect.stringContaining(words),
    });
  const { code, out } = await house.run(
    'init',
    ...secrets,
    ...places,
    '--create',
    'cf_branch=main',
    '--create',
    'cf_area=ui, net',
    '--create',
    'severity=major',
  );
  expect(code, out).toBe(0);
  const text = readFileSync(file, 'utf8');
  for (const line of [
    'priority: "--"',
    'severity: "major"',
    'cf_branch: "main"',
    'cf_area: ["ui", "net"]',
    'cf_impact: "high"',
    'type: "defect"',
  ])
    expect(text).toContain(`      ${line}\n`);
});
