import { describe, expect, it } from 'vitest';
import { openWriting, type Writing } from '../recorded/writes.ts';

/** All notifications since the world was made, except its first three: `kind BUG by who to names (what)`. */
const notified = ({ world }: Writing): readonly string[] =>
  [...world.state.events.values()].slice(3).map(({ kind, bug, who, recipients, fields, comment }) => {
    const names = [who, ...recipients].map((login) => login.split('@')[0]);
    const what = comment === null ? fields.join(' ') : `comment ${comment}`;
    return `${kind} ${bug} by ${names[0]} to ${names.slice(1).join(' ')}${what === '' ? '' : ` (${what})`}`;
  });

describe('who is notified', () => {
  it('of a new bug: its reporter, assignee, QA contact and cc', async () => {
    const writing = openWriting();
    await writing.file('bob', { cc: ['bridge@example.test'] });
    expect(notified(writing)).toEqual(['filed 3 by bob to alice bob bridge carol']);
  });

  it('of changes and comments: also those who have just left the bug', async () => {
    const writing = openWriting();
    await writing.put('alice', 1, { assigned_to: 'bridge@example.test', qa_contact: '', comment: { body: 'x' } });
    expect(notified(writing)).toEqual([
      'changed 1 by alice to alice bob bridge carol (assigned_to qa_contact)',
      'commented 1 by alice to alice bob bridge carol (comment 4)',
    ]);
  });

  it('of private comments: insiders only', async () => {
    const writing = openWriting();
    await writing.put('alice', 1, { comment: { body: 'x', is_private: true } });
    expect(notified(writing)).toEqual(['commented 1 by alice to alice (comment 4)']);
  });

  it('of a hidden bug: those who may see it', async () => {
    const writing = openWriting();
    await writing.put('alice', 1, {
      cc: { add: ['bridge@example.test'] },
      is_cc_accessible: false,
      groups: { add: ['security'] },
    });
    expect(notified(writing)).toEqual(['changed 1 by alice to alice bob carol (is_cc_accessible cc groups)']);
  });

  it('of hours: the time-tracking group only', async () => {
    const writing = openWriting();
    await writing.put('alice', 1, { estimated_time: 3, deadline: '2027-01-01' });
    await writing.put('alice', 1, { estimated_time: 4, whiteboard: 'w' });
    expect(notified(writing)).toEqual([
      'changed 1 by alice to alice (deadline estimated_time)',
      'changed 1 by alice to alice bob carol (whiteboard estimated_time)',
    ]);
  });

  it('of the other end: the people of that bug', async () => {
    const writing = openWriting();
    await writing.put('alice', 1, { dupe_of: 2, cc: { add: ['bridge@example.test'] } });
    expect(notified(writing).map((line) => line.replace(/ \(.*/, ''))).toEqual([
      'changed 1 by alice to alice bob bridge carol',
      'commented 1 by alice to alice bob bridge carol',
      'commented 2 by alice to alice bob carol',
    ]);
  });

  it('of nothing: nobody', async () => {
    const writing = openWriting();
    await writing.put('alice', 1, { priority: '---', comment: { body: ' ' } });
    expect(await writing.put('alice', 1, { whiteboard: 'w', priority: 'nope' })).toBe('404 51');
    expect(notified(writing)).toEqual([]);
  });

  it('of a closed account’s bug: everybody else', async () => {
    const writing = openWriting();
    const { users } = writing.world.state;
    const index = users.findIndex(({ login }) => login === 'carol@example.test');
    const carol = users[index];
    if (carol !== undefined) users[index] = { ...carol, disabledText: 'gone' };
    await writing.put('bob', 1, { whiteboard: 'w' });
    expect(notified(writing)).toEqual(['changed 1 by bob to alice bob (whiteboard)']);
  });
});
