import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TrackerWorld } from '../../../src/sandbox/tracker/world/world.ts';
import { type House, openHouse } from '../../support/bugferry.ts';

const repo = 'acme/widget';

let house: House;

beforeEach(async () => {
  house = await openHouse(fill);
  house.github.allow(repo, 'bugferry-bot', 'admin');
});
afterEach(() => house.close());

function fill(tracker: TrackerWorld): void {
  const alice = tracker.as('alice');
  for (let number = 1; number <= 12; number += 1) {
    const bug = alice.file({
      summary: `Problem ${number}`,
      description: `It fails, like bug ${Math.max(1, number - 1)}.`,
    });
    alice.comment(bug, 'Indeed.');
    if (number % 3 === 0) alice.change(bug, { status: 'RESOLVED', resolution: 'WONTFIX' });
  }
  tracker.hide(5);
}

interface Line {
  readonly kind: string;
  readonly phase?: string;
  readonly imported?: number;
}

describe('migrate', () => {
  test('creates all issues over HTTP and shows its progress, and the mirror continues from there', async () => {
    const { code, out, err } = await house.run('migrate');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/widget: importing\n[\s\S]*11 of 11 bugs/);
    expect(out).toMatch(/widget: 11 issues created/);
    expect(out).toMatch(/11 pairs compared, no differences/);
    expect(house.github.issues(repo)).toHaveLength(11);
    expect(house.github.creations).toEqual([]);
    expect(house.tracker.bug(1)?.see_also).toHaveLength(1);
    const before = house.writes();
    expect(await house.run('once')).toMatchObject({ code: 0 });
    expect(await house.run('migrate')).toMatchObject({ code: 0, out: expect.stringContaining('0 issues created') });
    expect(house.writes()).toBe(before);
  });

  test('--json prints every event and the result', async () => {
    const lines = (await house.run('migrate', '--json', '--limit', '4')).json<Line>();
    expect(lines.filter(({ kind }) => kind === 'phase').map(({ phase }) => phase)).toEqual([
      'recovering',
      'importing',
      'adopting',
      'finishing',
    ]);
    expect(lines.at(-1)).toMatchObject({ kind: 'migrated', imported: 4, parked: 0 });
    expect(house.github.issues(repo)).toHaveLength(4);
  });

  test('--writer api goes through the normal interface', async () => {
    house.github.allow(repo, 'bugferry-bot', 'write');
    expect(await house.run('migrate', '--writer', 'api', '--limit', '5')).toMatchObject({ code: 0 });
    expect(house.github.issues(repo)).toHaveLength(5);
    expect(house.github.creations).toHaveLength(10);
  });

  test('without the right to import, only says what to do', async () => {
    house.github.allow(repo, 'bugferry-bot', 'write');
    const { code, err } = await house.run('migrate');
    expect(code).toBe(4);
    expect(err).toMatch(/administers acme\/widget.*, or use --writer api/);
    expect((await house.run('migrate', '--numbers', 'keep')).err).toMatch(
      /migration, .*admin role, or go without --numbers keep and use --writer api/,
    );
    expect(house.github.issues(repo)).toEqual([]);
  });

  test('--rehearse writes into another repository alone, and remembers it in a file of its own', async () => {
    house.github.addRepo('acme/trial');
    house.github.allow('acme/trial', 'bugferry-bot', 'admin');
    const { code, out, err } = await house.run('migrate', '--rehearse', 'acme/trial');
    expect(code, err).toBe(0);
    expect(err).toMatch(/rehearsal in acme\/trial with state file .*state\.rehearsal-acme-trial\.db/);
    expect(out).toMatch(/11 pairs compared, no differences/);
    expect(house.github.issues('acme/trial')).toHaveLength(11);
    expect(house.github.issues(repo)).toEqual([]);
    expect(existsSync(house.state)).toBe(false);
    expect(house.tracker.bug(1)?.see_also).toEqual([]);
    expect(await house.run('migrate')).toMatchObject({ code: 0, out: expect.stringContaining('11 issues created') });
    expect(house.github.issues('acme/trial')).toHaveLength(11);
  });

  test.each([
    [['--rehearse', 'trial'], /owner\/name/],
    [['--rehearse', 'acme/Widget'], /repository of a route/],
    [['--route', 'nothing'], /no route nothing.*widget/],
    [['--limit', '0'], /whole number/],
    [['--writer', 'api', '--numbers', 'keep'], /needs the import/],
  ])('%j is wrong usage', async (args, words) => {
    const { code, err } = await house.run('migrate', ...args);
    expect(code).toBe(2);
    expect(err).toMatch(words);
  });

  test.each([['--dry-run'], ['--no-verify']])(
    'numbers are not kept for two routes of one repository (%s)',
    async (option) => {
      house.configure((config) =>
        config.routes.push({ ...config.routes[0], name: 'gadget', tracker: { product: 'Gadget' } }),
      );
      const { code, err } = await house.run('migrate', '--numbers', 'keep', option);
      expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(/widget and gadget share acme\/widget/) });
      expect(house.github.issues(repo)).toEqual([]);
    },
  );
});

describe('migrate --dry-run', () => {
  test('shows the work, its duration and a preview of the issues, and writes nothing to either side', async () => {
    const preview = join(house.folder, 'preview.html');
    house.tracker.as('alice').comment(2, '<script>alert(1)</script> and <details>');
    house.tracker.as('admin').tag(house.tracker.as('alice').comment(2, 'Buy this'), { add: ['spam'] });
    const before = house.writes();
    const { code, out, err } = await house.run('migrate', '--dry-run', '--preview', preview, '--numbers', 'keep');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/Route widget: 11 bugs become issues of acme\/widget, with 13 comments/);
    expect(out).toMatch(/4 issues are closed with a reason/);
    expect(out).toMatch(/1 comment tagged/);
    expect(out).toMatch(/1 number without a bug/);
    expect(out).toMatch(/By import: \d+ requests to GitHub, \d+ to the tracker, at least \d+ s/);
    expect(house.writes()).toBe(before);
    const page = readFileSync(preview, 'utf8');
    expect(page).toContain('Problem 3');
    expect(page).toContain('Closed as not planned');
    expect(page).not.toContain('Problem 5');
    expect(page).not.toMatch(/<script|bugferry:1/);
    expect(await house.run('status')).toMatchObject({ out: expect.not.stringContaining('11 pairs') });
  });

  test('announces the mails for issues that become bugs', async () => {
    house.configure((config) => {
      config.routes[0].direction = 'both';
      config.routes[0].pointer = 'with-next-change';
    });
    const dryRun = async () => (await house.run('migrate', '--dry-run', '--preview', join(house.folder, 'p.html'))).out;
    expect(await dryRun()).toContain('\n  The tracker sends no mail.\n');
    const mona = house.github.as('mona');
    for (const title of ['It hangs', 'It leaks'])
      mona.comment(repo, mona.open(repo, { title, body: '' }), 'Here, too.');
    expect(await dryRun()).toContain(
      'The tracker sends at least 4 mails: 2 issues without a bug become bugs, with 2 comments.',
    );
  });

  test('--json is one document for each route', async () => {
    const [document] = (
      await house.run('migrate', '--dry-run', '--json', '--preview', join(house.folder, 'p.html'))
    ).json<{
      bugs: number;
      durations: unknown;
    }>();
    expect(document).toMatchObject({
      kind: 'forecast',
      bugs: 11,
      mayImport: true,
      durations: { import: { ms: expect.any(Number) } },
    });
  });

  test('a status without a mapping is named', async () => {
    house.configure((config) => {
      config.routes[0].status = {
        toGithub: {
          CONFIRMED: 'open',
          UNCONFIRMED: 'open',
          IN_PROGRESS: 'open',
          RESOLVED: { FIXED: 'completed', WONTFIX: 'not_planned', DUPLICATE: 'duplicate' },
        },
      };
    });
    house.tracker.as('alice').change(1, { status: 'RESOLVED', resolution: 'INVALID' });
    const { out } = await house.run('migrate', '--dry-run', '--preview', join(house.folder, 'p.html'));
    expect(out).toMatch(/bug 1: the status map does not name RESOLVED INVALID/);
  });
});
