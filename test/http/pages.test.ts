/** What a reader takes from the pages at a glance, and what must not be there twice. */

import { describe, expect, test } from 'vitest';
import type { AdminPort } from '../../src/http/admin-port.ts';
import { serverApp } from '../../src/http/app.ts';
import { slotMs } from '../../src/http/live.ts';
import { bugId, linkId } from '../../src/model/ids.ts';
import type { Link } from '../../src/model/link.ts';
import type { Conflict } from '../../src/model/plan/operation.ts';
import { halfLink, sampleBug } from '../contract/store/samples.ts';
import { scrub } from '../support/scrub.ts';
import { clock, quietAdminPort } from './admin-port.ts';
import { statusWith } from './status.ts';

const secrets = { token: null, githubSecret: null, trackerSecret: null };
const nobody = { failed: () => undefined, warned: () => undefined };

async function pageOf(path: string, change: Partial<AdminPort>): Promise<string> {
  const app = serverApp(quietAdminPort(change), { ...secrets, ...nobody, scrub, clock });
  const response = await app.request(`http://localhost${path}`, { headers: { host: 'localhost' } });
  return response.text();
}

const [title, agreed] = ['The editor crashes on Mondays', 'The editor crashes'];
const values = (of: string) => ({ tracker: { title: of }, github: { title: of } });
const link = {
  ...halfLink(12),
  id: linkId(3),
  bug: bugId(12),
  tracker: { ...sampleBug, summary: title },
  base: values(agreed),
} as unknown as Link;
const conflict: Conflict & { readonly about: string } = {
  ...{ link: link.id, field: 'title', tracker: title, github: 'The editor crashes on Fridays', kept: null },
  about: 'bug 12 = acme/widget#5',
};

describe('a backlog', () => {
  const status = statusWith({
    outbox: { planned: 39, sent: 0, parked: 0 },
    progress: { mirrored: 46, total: 49, writes: 39 },
    catchUpMs: 3_600_000,
  });

  test.each(['/', '/routes/widget'])('is no warning on %s, and has a bar and a time', async (path) => {
    const text = await pageOf(path, { statuses: () => [status] });
    expect(text).toContain('<section class="verdict neutral">');
    expect(text).toMatch(/46 of 49 mirrored, 39 writes to go, done about \d\d:\d\d UTC\./u);
    expect(text).toContain('<progress max="49" value="46" aria-label="46 of 49 mirrored">');
    expect(await pageOf(path, { statuses: () => [statusWith()] })).not.toContain('<progress');
  });
});

describe('a conflict', () => {
  const torn = (...conflicts: readonly (typeof conflict)[]) => ({
    statuses: () => [statusWith({ conflicts })],
    link: () => link,
    conflictsOf: () => conflicts,
  });

  test('shows where both values differ, and what both sides agreed on last', async () => {
    const text = await pageOf('/', torn(conflict));
    expect(text).toContain(`Before, it was &quot;${agreed}&quot;.`);
    expect(text.match(/crashes on <mark>\w+<\/mark>/gu)).toEqual([
      'crashes on <mark>Mondays</mark>',
      'crashes on <mark>Fridays</mark>',
    ]);
    expect(text).not.toContain('decide --all');
  });

  test('beside others says how all are decided at once', async () => {
    expect(await pageOf('/', torn(conflict, { ...conflict, field: 'severity' }))).toContain(
      'bugferry decide --all --keep tracker (or github) decides all conflicts at once.',
    );
  });

  test('that is decided asks nobody any more', async () => {
    const decided = { ...conflict, decided: 'github' as const };
    const text = await pageOf('/', {
      ...torn(),
      statuses: () => [statusWith({ conflicts: [decided], open: { conflicts: 0, skips: 0 } })],
    });
    expect(text).not.toMatch(/Which value|class="card conflict"/u);
  });

  test('stands once on the page of its pair, whose title has no colour of a state', async () => {
    const story = { heading: 'A pair', past: [], needsPerson: true };
    const present = ['conflict: title is "A" on the tracker', '2 comments are mirrored'];
    const text = await pageOf('/links/3', { ...torn(conflict), story: () => ({ ...story, present }) });
    expect(text.match(/class="card conflict"/gu)).toHaveLength(1);
    expect(text).not.toContain('<li>conflict: ');
    expect(text).toContain('<li>2 comments are mirrored</li>');
    expect(text).toMatch(/<section class="verdict neutral">\s*<h1>The editor crashes on Mondays<\/h1>/u);
  });
});

describe('the page of a route', () => {
  test('says what the word on each tile means, and marks what needs somebody', async () => {
    const status = statusWith({ conflicts: [conflict], outbox: { planned: 0, sent: 0, parked: 2 } });
    const text = await pageOf('/routes/widget', { statuses: () => [status] });
    const tiles = [...text.matchAll(/<strong class="(\w*)">(\d+)<\/strong> ([a-z ]+)<span>([^<]+)<\/span>/gu)];
    expect(tiles.map(([, colour, count, words]) => [words, count, colour])).toEqual([
      ['pairs', '2', ''],
      ['waiting', '0', ''],
      ['need you', '3', 'red'],
      ['parked', '2', 'red'],
      ['frozen', '0', ''],
      ['withdrawn', '0', ''],
      ['given up', '0', ''],
    ]);
    // The field of a reason belongs to the button beside it, and says so.
    expect(text).toMatch(
      /<form class="pause"[^<]*>(?:(?!<\/form>)[\s\S])*<label for="why">[^<]+<\/label>\s*<input id="why"/u,
    );
  });
});

test('the table of routes has a column for each question, and counts a conflict in one of them', async () => {
  const text = await pageOf('/', { statuses: () => [statusWith({ conflicts: [conflict] })] });
  const [, head = ''] = /<table class="routes">\s*<thead>(.*?)<\/thead>/su.exec(text) ?? [];
  expect([...head.matchAll(/<th[^>]*>([^<]+)</gu)].map(([, name]) => name)).toEqual([
    'Route',
    'State',
    'Pairs',
    'Waiting',
    'Need you',
    'Last read',
    'Next',
  ]);
  const decide = 'bugferry decide bug 12 --keep tracker (or github) decides a conflict.';
  expect(text).toContain(`<td data-name="Next" class="next">${decide}</td>`);
  const [, row = ''] = /<tbody>(.*?)<\/tbody>/su.exec(text) ?? [];
  const counts = [...row.matchAll(/data-name="(\w[\w ]*)"><a[^>]*>(\d+)</gu)].map(([, name, count]) => [name, count]);
  expect(counts).toEqual([
    ['Pairs', '2'],
    ['Waiting', '0'],
    ['Need you', '1'],
  ]);
});

test.each([
  [7, true],
  [5, false],
])('the charts of a bridge whose first write is %i slots old are there: %s', async (slots, isShown) => {
  const slotAt = (Math.floor(clock.now() / slotMs) - slots) * slotMs;
  const tally: AdminPort['tally'] = () => [{ slotAt, on: 'github', kind: 'comment', count: 3 }];
  const text = await pageOf('/', { statuses: () => [statusWith()], tally });
  expect(text.includes('data-charts')).toBe(isShown);
});

test('a list of a route that does not exist shows no other', async () => {
  const change = { statuses: () => [statusWith()], pairs: () => ({ pairs: [link], next: null }) };
  const text = await pageOf('/pairs?route=nope', change);
  expect(text).toContain('<h1>There is no route nope</h1><p>The configuration has: widget.</p>');
  expect(text).not.toContain(title);
  expect(await pageOf('/pairs', change)).toContain(title);
});
