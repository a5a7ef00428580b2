import { cycle } from '../../src/engine/cycle.ts';
import { sweep } from '../../src/engine/sweep.ts';
import { simulate } from './simulate.ts';

const [seed, bug] = process.argv.slice(2).map(Number);
const run = await simulate({ cycle, sweep }, seed ?? 1, async (_c, world) => {
  const l = world.store.links.byBug(bug as never);
  if (l === null) return [];
  for (const e of world.store.entries.ofLink(l.id))
    console.log(
      [e.id, e.origin, e.source, e.count, e.copy, e.part, e.parts, e.state, e.reason, e.digest, e.mirrored, e.copyDigest].join(' '),
    );
  for (const c of world.github.commentsOf('acme/widget', l.issue ?? 0))
    console.log('G', c.id, c.author, c.body.slice(0, 150).replaceAll('\n', '|'), c.body.slice(-60).replaceAll('\n', '|'));
  for (const c of world.tracker.commentsOf(l.bug ?? 0))
    console.log('T', c.id, c.creator, c.isPrivate, c.text.slice(0, 150).replaceAll('\n', '|'), c.text.length);
  for (const x of world.store.ledger.ofLink(l.id)) console.log('L', JSON.stringify(x).slice(0, 330));
  return [];
});
console.log(run.violations);
