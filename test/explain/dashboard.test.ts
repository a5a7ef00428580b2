import { expect, test } from 'vitest';
import { dashboardOf } from '../../src/explain/dashboard.ts';
import { linkId } from '../../src/model/ids.ts';
import type { RouteStatus } from '../../src/model/route-status.ts';
import { updateOf } from '../contract/store/samples.ts';
import { failing, statusWith } from '../http/status.ts';

/**
 * What a repository shows to all its readers: what needs a person, without a word of what is hidden, and without
 * notifying anybody.
 */
const [open, hidden] = [linkId(3), linkId(4)];
const titles = ['Secret of @alice', 'Search fails, see #5'];
const about = (link: number) => `bug ${link} = acme/widget#${link}`;

const conflictOf = (link: typeof open, kept: 'tracker' | null = null) => ({
  link,
  about: about(link),
  field: 'title' as const,
  tracker: titles[0] ?? '',
  github: titles[1] ?? '',
  kept,
});
const skipOf = (link: typeof open, needsPerson = true) => ({
  link,
  about: about(link),
  reason: `no value ${titles[0]}`,
  needsPerson,
});
const parkedOf = (link: typeof open, number: number) => ({
  number,
  about: about(link),
  operation: updateOf(link, `update ${number}`, titles[0] ?? ''),
  attempts: 5,
  why: titles[0] ?? null,
});

const troubled: RouteStatus = statusWith({
  isInStep: false,
  needsPerson: true,
  contact: '@ada',
  rest: null,
  failures: [
    failing({ side: 'tracker', why: 'https://bugs.internal.example refused 10.0.0.5' }),
    failing({ kind: 'later', needsPerson: false }),
  ],
  refusals: [{ of: 'plan', at: 0, why: '32 of 50 pairs' }],
  conflicts: [conflictOf(open), conflictOf(hidden), conflictOf(linkId(5), 'tracker')],
  parked: [parkedOf(open, 7), parkedOf(hidden, 8)],
  skips: [skipOf(open), skipOf(open), skipOf(hidden), skipOf(linkId(6), false)],
});

const many = statusWith({ skips: Array.from({ length: 30 }, (_, index) => skipOf(linkId(100 + index))) });

const shown = () => {
  const { title, text } = dashboardOf(troubled, (link) => link === hidden);
  return {
    title,
    lines: text.split('\n').filter((line) => line !== ''),
    many: dashboardOf(many, () => false)
      .text.match(/^- .*$/gmu)
      ?.slice(24),
  };
};

const first = 'bugferry keeps this list for route `widget` up to date until you close this issue.';
const expected = {
  title: 'What needs a person (widget)',
  lines: [
    first,
    '**Stopped**',
    '- The tracker refuses the credentials: `bugferry status`',
    '- The brake holds back a plan: `bugferry plan`',
    '**Both sides changed the same field**',
    '- `bug 3 = acme/widget#3`: title, `bugferry decide bug 3 --keep tracker (or github)`',
    '**These writes were refused, and are not tried again**',
    '- `bug 3 = acme/widget#3`: `bugferry retry 7`',
    '**A value has no counterpart on the other side**',
    '- `bug 3 = acme/widget#3`: `bugferry explain bug 3`',
  ],
  many: ['- `bug 124 = acme/widget#124`: `bugferry explain bug 124`', '- and 5 more'],
};

test('the dashboard issue lists what needs a person, and nothing about hidden bugs', () => {
  expect(shown()).toEqual(expected);
});

test('the dashboard issue has no titles, values or addresses, and mentions and references only as code', () => {
  const { text } = dashboardOf(troubled, () => false);
  expect(text).not.toMatch(/Secret|Search|internal|10\.0|ada/u);
  expect(text.replace(/`[^`]*`/gu, '')).not.toMatch(/[@#]|https?:/u);
});

test('the dashboard issue says so if nothing needs a person, and contains no times', () => {
  const calm = (change: Partial<RouteStatus>) => dashboardOf(statusWith(change), () => false).text;
  expect(calm({})).toBe(`${first}\n\nNothing public needs a person.`);
  expect(calm({ lagMs: 5_000, catchUpMs: 9, outbox: { planned: 7, sent: 1, parked: 0 } })).toBe(calm({}));
});
