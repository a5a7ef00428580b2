/**
 * What the documents say about notifications of GitHub and mails of the tracker is what the sandboxes send, act by act.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Route } from '../../src/model/route.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { bot, contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';
import { root } from './documents.ts';

interface Play {
  readonly world: Stage;
  readonly bug: number;
  readonly issue: number;
}

interface Act {
  /** What comes before it, and is not counted. */
  readonly before?: (play: Play) => void;
  readonly act: (play: Play) => void;
  readonly route?: Partial<Route>;
}

const alice = ({ world }: Play) => world.tracker.as('alice');
const mona = ({ world }: Play) => world.github.as('mona');
const firstComment = ({ world, issue }: Play): number => world.github.commentsOf(repo, issue)[0]?.id ?? 0;
const says = (play: Play): void => void mona(play).comment(repo, play.issue, 'Works for me.');
const closes = (play: Play): void => mona(play).close(repo, play.issue, 'not_planned');

const acts: Readonly<Record<string, Act>> = {
  'a bug is filed': { act: (play) => void alice(play).file({ summary: 'Another', description: 'Sometimes.' }) },
  'a comment on a bug': { act: (play) => void alice(play).comment(play.bug, 'Said on the tracker.') },
  'a comment with a file': {
    act: (play) =>
      void alice(play).attach(play.bug, {
        bytes: new Uint8Array([1]),
        file_name: 'a.log',
        summary: 'A log',
        comment: 'Look.',
      }),
  },
  'title, severity or keywords of a bug': {
    act: (play) =>
      alice(play).change(play.bug, { summary: 'It fails at noon', severity: 'major', keywords: { add: ['crash'] } }),
  },
  'a bug is closed': { act: (play) => alice(play).change(play.bug, { status: 'RESOLVED', resolution: 'FIXED' }) },
  'a bug is opened again': {
    before: (play) => alice(play).change(play.bug, { status: 'RESOLVED', resolution: 'FIXED' }),
    act: (play) => alice(play).change(play.bug, { status: 'CONFIRMED' }),
  },
  'a comment is tagged as spam': {
    before: (play) => void alice(play).comment(play.bug, 'Buy this.'),
    act: (play) => alice(play).tag(play.world.tracker.commentsOf(play.bug)[1]?.id ?? 0, { add: ['spam'] }),
  },
  'an issue is opened': { act: (play) => void mona(play).open(repo, { title: 'Another', body: 'Sometimes.' }) },
  'a comment on an issue': { act: says },
  'a comment is edited': {
    before: says,
    act: (play) => mona(play).editComment(repo, firstComment(play), 'Does not work for me.'),
  },
  'a comment is deleted': { before: says, act: (play) => mona(play).deleteComment(repo, firstComment(play)) },
  'title and labels of an issue': {
    act(play) {
      mona(play).edit(repo, play.issue, { title: 'It fails at noon' });
      mona(play).label(repo, play.issue, 'crash');
    },
  },
  'an issue is closed': { act: closes },
  'a comment and the closing': {
    act(play) {
      says(play);
      closes(play);
    },
  },
  'two comments and the closing': {
    act(play) {
      says(play);
      play.world.clock.advance(1000);
      says(play);
      closes(play);
    },
  },
  'a pull request closes an issue': {
    act: (play) => mona(play).merge(repo, mona(play).openPull(repo, { title: 'A fix', body: `Fixes #${play.issue}` })),
  },
  'a label that the tracker cannot store': { act: (play) => mona(play).label(repo, play.issue, 'component: Cellar') },
  'an issue where `visitors` is `redirect`': {
    route: { direction: 'to-github', visitors: 'redirect' },
    act: (play) => void mona(play).open(repo, { title: 'Help', body: 'It crashes.' }),
  },
};

/** What both sides sent because of the bridge: notifications of GitHub, and mails of the tracker. */
async function sentAfter({ before, act, route = {} }: Act): Promise<readonly [notifications: number, mails: number]> {
  const world = stage();
  const on: Route = { ...widgetRoute, pointer: 'with-next-change', ...route };
  const bug = world.tracker.as('alice').file({ summary: 'It fails', description: 'Always.' });
  const mailing = { count: 0 };
  countMails(world, mailing);
  const turns = async (): Promise<void> => {
    for (let index = 0; index < 5; index += 1) {
      world.clock.advance(61_000);
      await cycle(contextOn(world, on, { limits: testLimits }), { isForced: false });
    }
  };
  await turns();
  expect(mailing.count).toBe(0);
  const play = { world, bug, issue: world.github.issues(repo)[0]?.number ?? 0 };
  before?.(play);
  await turns();
  const [notified, mailed] = [notifications(world), mailing.count];
  act(play);
  await turns();
  return [notifications(world) - notified, mailing.count - mailed];
}

/** A request is one mail about each bug that it changes, to those of its people who did not make it. */
function countMails(world: Stage, mailing: { count: number }): void {
  const { state } = world.tracker;
  let seen = state.nextEvent;
  world.between = (side, _method, when) => {
    if (side !== 'tracker') return;
    const events = [...state.events.values()].filter(
      ({ id, who, recipients }) => id >= seen && recipients.some((login) => login !== who),
    );
    if (when === 'after') mailing.count += new Set(events.map(({ bug }) => bug)).size;
    seen = state.nextEvent;
  };
}

function notifications(world: Stage): number {
  const issues = [...world.github.state.repos.values()]
    .flatMap(({ issues: all }) => [...all.values()])
    .filter(({ isPull }) => !isPull);
  const isOwn = (login: string | undefined): boolean => login === bot;
  return issues.reduce((sum, { author, comments, events }) => {
    const said = comments.filter((comment) => isOwn(comment.author.login)).length;
    const done = events.filter(
      ({ action, actor }) => isOwn(actor.login) && ['closed', 'reopened', 'assigned'].includes(action),
    ).length;
    return sum + (isOwn(author.login) ? 1 : 0) + said + done;
  }, 0);
}

const rows = readFileSync(join(root, 'docs/notifications.md'), 'utf8')
  .split('\n')
  .flatMap((line): (readonly [string, number, number])[] => {
    const [, act = '', notified, mailed] = /^\| (.+?) \| .+ \| (\d) \| (\d) \|$/u.exec(line) ?? [];
    return notified === undefined ? [] : [[act, Number(notified), Number(mailed)]];
  });

describe('docs/notifications.md', () => {
  test('names every act that is tried, and no other', () => {
    expect(rows.map(([act]) => act).sort()).toEqual(Object.keys(acts).sort());
  });

  test.each(rows)('%s: GitHub notifies %i times, the tracker sends %i mails', async (name, notified, mailed) => {
    const act = acts[name];
    expect(act && (await sentAfter(act))).toEqual([notified, mailed]);
  });
});
