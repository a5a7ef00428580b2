import { expect, onTestFinished, test } from 'vitest';
import { bugId, issueNumber, type LinkId } from '../../src/model/ids.ts';
import { openDatabase } from '../../src/store/database.ts';
import { sqliteStore } from '../../src/store/open.ts';
import { halfLink } from '../contract/store/samples.ts';
import { random } from '../support/random.ts';
import { scrub } from '../support/scrub.ts';

test.each([1, 2, 3, 4])('links are counted as they come, change and go (seed %i)', (seed) => {
  const draw = random(seed);
  const { db, close } = openDatabase(':memory:', 'write');
  onTestFinished(close);
  const { links } = sqliteStore(db, { now: () => 1_000, scrub, close });
  const held: LinkId[] = [];
  const drawn = (number: number) =>
    halfLink(number, {
      route: draw.pick(['kettle', 'pot']),
      ...draw.pick([
        { bug: bugId(number), issue: issueNumber(number) },
        { bug: bugId(number), issue: null },
        { bug: null, issue: issueNumber(number) },
      ]),
      ...draw.pick([
        { state: 'live', reason: null, frozenBy: null },
        { state: 'frozen', reason: 'It moved.', frozenBy: 'tracker' },
        { state: 'tombstone', reason: 'It is gone.', frozenBy: null },
      ] as const),
    });
  let number = 0;
  const add = () => {
    number += 1;
    held.push(links.add(drawn(number)).id);
  };
  const change = () => {
    const id = draw.pick(held);
    links.save({ ...drawn(1_000 + id), id });
  };
  const remove = () => {
    for (const id of held.splice(draw.below(held.length), 1)) links.remove(id);
  };
  for (let count = 0; count < 300; count += 1) (held.length < 3 ? add : draw.pick([add, add, change, remove]))();
  const counted = db.prepare('select * from link_counts where links > 0').all();
  const there = db
    .prepare(
      `select route, state, bug is not null as has_bug, issue is not null as has_issue, count(*) as links
       from links group by 1, 2, 3, 4`,
    )
    .all();
  expect(there.length).toBeGreaterThan(8);
  expect(counted).toEqual(there);
});
