import { describe, expect, it } from 'vitest';
import { trackerServer } from '../../../src/sandbox/tracker/server/server.ts';
import { loadTrackerWorld } from '../../../src/sandbox/tracker/world/load.ts';
import { createTrackerWorld, type TrackerWorld } from '../../../src/sandbox/tracker/world/world.ts';
import insider from '../../../src/sandbox/world-data/insider.json' with { type: 'json' };

const now = Date.UTC(2026, 10, 21, 12);
const fixed = { status: 'RESOLVED', resolution: 'FIXED' };

function world(at = now): TrackerWorld & { advance(ms: number): void } {
  let time = at;
  const made = createTrackerWorld({ now: () => time, url: 'http://tracker.example.test' });
  return Object.assign(made, {
    advance: (ms: number): void => {
      time += ms;
    },
  });
}

function loaded(): TrackerWorld {
  const made = world();
  loadTrackerWorld(made);
  return made;
}

async function read(made: TrackerWorld, path: string, caller: string | null): Promise<unknown> {
  const key = caller === null ? '' : `${path.includes('?') ? '&' : '?'}api_key=${made.user(caller).apiKey}`;
  return (await trackerServer(made).request(`http://tracker.example.test${path}${key}`)).json();
}

const hiddenBugs = [25, 26];
const hoursOf = ({ actual_time, estimated_time, remaining_time, ...bug }: (typeof insider.bugs)[number]) => ({
  bug,
  hours: { actual_time, estimated_time, remaining_time },
});

describe('the loaded world', () => {
  it('shows an insider exactly what an insider was shown by the real tracker', async () => {
    const made = loaded();
    expect(await read(made, '/rest/bug?limit=0', 'alice')).toEqual({ bugs: insider.bugs });
    for (const { id, history, alias } of insider.history) {
      expect(await read(made, `/rest/bug/${id}/comment`, 'alice')).toEqual({
        bugs: { [id]: insider.comments[`${id}` as '1'] },
        comments: {},
      });
      expect(await read(made, `/rest/bug/${id}/history`, 'alice')).toEqual({ bugs: [{ id, alias, history }] });
    }
  });

  it.each(['bridge', 'bob', null])('hides from %s two bugs, three comments and all hours', async (caller) => {
    const made = loaded();
    const bugs = insider.bugs.map((bug) => hoursOf(bug).bug).filter(({ id }) => !hiddenBugs.includes(id));
    expect(await read(made, '/rest/bug?limit=0', caller)).toEqual({ bugs });
    let privateCount = 0;
    for (const { id } of bugs) {
      const { comments } = insider.comments[`${id}` as '1'];
      const open = comments.filter(({ is_private }) => !is_private);
      privateCount += comments.length - open.length;
      expect(await read(made, `/rest/bug/${id}/comment`, caller)).toEqual({
        bugs: { [id]: { comments: open } },
        comments: {},
      });
    }
    expect(privateCount).toBe(3);
  });

  it('goes on counting where the real tracker stopped', () => {
    const made = loaded();
    const bug = made.as('bob').file({ summary: 'new' });
    expect([bug, made.commentsOf(bug)[0]?.id]).toEqual([58, 177]);
  });
});

describe('a write', () => {
  it('that is refused while filing burns a bug id, unless a value is refused before', () => {
    const made = world();
    const first = made.as('alice').file({ summary: 'a' });
    expect(() => made.as('alice').file({ summary: 'b', keywords: ['nope'] })).toThrow(/no keyword named 'nope'/);
    expect(() => made.as('alice').file({ summary: 'b', see_also: ['https://example.test/x'] })).toThrow(
      /not a valid URL/,
    );
    expect(made.as('alice').file({ summary: 'c' })).toBe(first + 2);
  });

  it('that changes nothing moves no time and leaves no history', () => {
    const made = world();
    const bug = made.as('alice').file({ summary: 'a', keywords: ['crash'] });
    const before = made.bug(bug);
    made.advance(5000);
    made.as('alice').change(bug, {
      summary: 'a',
      keywords: { add: ['CRASH'], remove: ['security'] },
      see_also: { remove: ['https://x.test/'] },
    });
    expect(made.bug(bug)).toBe(before);
  });

  it('is stamped at whole seconds, or some seconds back', () => {
    const made = world(now + 999);
    const bug = made.as('alice').file({ summary: 'a', stampedMsAgo: 60_000 });
    expect(made.bug(bug)?.changedAt).toBe(now - 60_000);
    made.as('alice').change(bug, { summary: 'b', stampedMsAgo: 1500 });
    expect(made.bug(bug)?.changedAt).toBe(now - 1000);
    made.as('alice').comment(bug, 'c');
    expect(made.bug(bug)?.changedAt).toBe(now);
  });

  it('to several bugs happens to all of them or to none', async () => {
    const made = world();
    const [open, closed] = [made.as('alice').file({ summary: 'a' }), made.as('alice').file({ summary: 'b' })];
    made.as('alice').change(closed, fixed);
    const answer = await trackerServer(made).request(`/rest/bug/${open}`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ids: [open, closed], status: 'IN_PROGRESS', api_key: made.user('alice').apiKey }),
    });
    expect([answer.status, await answer.json()]).toMatchObject([400, { code: 123 }]);
    expect([made.bug(open)?.status, made.bug(closed)?.status]).toEqual(['CONFIRMED', 'RESOLVED']);
  });
});

describe('time and history', () => {
  it('a comment that is stamped earlier stands earlier, and moves the numbers of the others', () => {
    const made = world();
    const bug = made.as('bob').file({ summary: 'a', description: 'd', stampedMsAgo: 60_000 });
    made.as('alice').comment(bug, 'seen first');
    made.as('carol').comment(bug, 'stamped first', { stampedMsAgo: 2000 });
    expect(made.commentsOf(bug).map(({ text }) => text)).toEqual(['d', 'stamped first', 'seen first']);
  });

  it('changes of one person in one second are one changeset, and repeats of a field are joined', async () => {
    const made = world();
    const bug = made.as('alice').file({ summary: 'a' });
    made.as('alice').change(bug, fixed);
    made.as('alice').change(bug, { status: 'CONFIRMED', keywords: { add: ['crash'] } });
    made.as('alice').change(bug, { keywords: { add: ['security'] } });
    made.as('bridge').change(bug, { whiteboard: 'w' });
    const when = '2026-11-21T12:00:00Z';
    expect(await read(made, `/rest/bug/${bug}/history`, 'bob')).toEqual({
      bugs: [
        {
          id: bug,
          alias: [],
          history: [
            {
              when,
              who: 'alice@example.test',
              changes: [
                { field_name: 'status', removed: 'CONFIRMED', added: 'RESOLVED' },
                { field_name: 'resolution', removed: '', added: 'FIXED' },
                { field_name: 'status', removed: 'RESOLVED', added: 'CONFIRMED' },
                { field_name: 'resolution', removed: 'FIXED', added: '' },
                { field_name: 'keywords', removed: '', added: 'crash security' },
              ],
            },
            { when, who: 'bridge@example.test', changes: [{ field_name: 'whiteboard', removed: '', added: 'w' }] },
          ],
        },
      ],
    });
  });
});

describe('what a write does to other bugs', () => {
  const moved = (
    made: TrackerWorld & { advance(ms: number): void },
    bugs: readonly number[],
    write: () => void,
  ): readonly boolean[] => {
    const before = bugs.map((bug) => made.bug(bug)?.changedAt);
    made.advance(5000);
    write();
    return bugs.map((bug, index) => made.bug(bug)?.changedAt !== before[index]);
  };
  const three = (made: TrackerWorld): readonly [number, number, number] => [
    made.as('bob').file({ summary: 'a' }),
    made.as('alice').file({ summary: 'b' }),
    made.as('carol').file({ summary: 'c' }),
  ];

  it('a dependency moves the time at both ends, and a blocker that is resolved does not', () => {
    const made = world();
    const [one, two, three_] = three(made);
    const all = [one, two, three_];
    expect(moved(made, all, () => made.as('alice').change(one, { depends_on: { add: [two] } }))).toEqual([
      true,
      true,
      false,
    ]);
    expect(made.bug(two)?.blocks).toEqual([one]);
    expect(moved(made, all, () => made.as('alice').change(two, fixed))).toEqual([false, true, false]);
    expect(moved(made, all, () => made.as('alice').change(two, { blocks: { remove: [one] } }))).toEqual([
      true,
      true,
      false,
    ]);
    expect(made.bug(one)?.depends_on).toEqual([]);
  });

  it('a link to a bug of this tracker is put on the other one too, and taken off again', () => {
    const made = world();
    const [one, two, three_] = three(made);
    expect(
      moved(made, [one, two, three_], () => made.as('alice').change(one, { see_also: { add: [String(two)] } })),
    ).toEqual([true, true, false]);
    expect(made.bug(two)?.see_also).toEqual([`http://tracker.example.test/show_bug.cgi?id=${one}`]);
    made.as('alice').change(one, { see_also: { remove: made.bug(one)?.see_also } });
    expect(made.bug(two)?.see_also).toEqual([]);
  });

  it('a duplicate moves its target, and leaving the target does not', () => {
    const made = world();
    const [one, two, three_] = three(made);
    const all = [one, two, three_];
    expect(moved(made, all, () => made.as('alice').change(one, { dupe_of: two }))).toEqual([true, true, false]);
    expect(made.bug(two)?.cc).toEqual(['bob@example.test']);
    expect(moved(made, all, () => made.as('alice').change(one, { dupe_of: three_ }))).toEqual([true, false, true]);
    expect(moved(made, all, () => made.as('alice').change(one, { status: 'CONFIRMED' }))).toEqual([true, false, false]);
  });

  it('a comment of the same write carries the words about the duplicate', () => {
    const made = world();
    const [one, two] = three(made);
    made.as('alice').change(one, { dupe_of: two, comment: { body: 'yes, the same' } });
    const texts = made.commentsOf(one).map(({ text }) => text);
    expect(texts.slice(1)).toEqual([`yes, the same\n\n*** This bug has been marked as a duplicate of bug ${two} ***`]);
  });
});

describe('rights', () => {
  const refused = (made: TrackerWorld, who: string, bug: number, change: Record<string, unknown>): unknown => {
    try {
      made.as(who).change(bug, change);
      return 'allowed';
    } catch (error) {
      return (error as { code?: number }).code;
    }
  };

  it.each([
    ['bob may not edit another’s bug', 'bob', { summary: 'x' }, 115],
    ['bob may not close it either', 'bob', { status: 'RESOLVED', resolution: 'FIXED' }, 123],
    ['bob may not add keywords to it', 'bob', { keywords: { add: ['crash'] } }, 115],
    ['bob may comment on it', 'bob', { comment: { body: 'hello' } }, 'allowed'],
    ['the bridge may edit it', 'bridge', { summary: 'x' }, 'allowed'],
    ['the bridge may not hide it', 'bridge', { groups: { add: ['security'] } }, 120],
    ['the bridge may not write a private comment', 'bridge', { comment: { body: 'x', is_private: true } }, 113],
    ['alice may hide it', 'alice', { groups: { add: ['security'] } }, 'allowed'],
  ])('%s', (_name, who, change, outcome) => {
    const made = world();
    expect(
      refused(
        made,
        who,
        made.as('alice').file({ summary: 'a', component: 'Core', assigned_to: 'admin@example.test' }),
        change,
      ),
    ).toBe(outcome);
  });

  it('a reporter without rights files unconfirmed bugs, and cannot confirm them', () => {
    const made = world();
    const bug = made.as('bob').file({ summary: 'a', status: 'CONFIRMED' });
    expect(made.bug(bug)?.status).toBe('UNCONFIRMED');
    expect(refused(made, 'bob', bug, { status: 'CONFIRMED' })).toBe(123);
    expect(refused(made, 'carol', bug, { status: 'CONFIRMED' })).toBe('allowed');
  });

  it.each([
    ['without the extension that it asks, no bug leaves a group', false, ['security']],
    ['with it, a bug does', true, []],
  ])('on harmony, %s', (_what, hasGroupExtension, left) => {
    const made = createTrackerWorld({
      now: () => now,
      url: 'http://tracker.example.test',
      version: 'harmony',
      hasGroupExtension,
    });
    const bug = made.as('alice').file({ summary: 'Hidden', groups: ['security'] });
    const leave = () => made.as('alice').change(bug, { groups: { remove: ['security'] } });
    if (hasGroupExtension) leave();
    else expect(leave).toThrow('An extension is missing.');
    expect(made.bug(bug)?.groups).toEqual(left);
  });
});
