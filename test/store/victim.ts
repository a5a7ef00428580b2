import { openStore } from '../../src/store/open.ts';
import { halfLink, sampleCommentLink } from '../contract/store/samples.ts';
import { scrub } from '../support/scrub.ts';

/**
 * A process to be killed: `node victim.ts <file> <how>`. It commits a link for bug 1, says `ready` and stays; with the
 * second argument `in-transaction` it stays in the middle of a transaction so large that much of it has already been
 * written to the disk, and with `unhurried` in the middle of such work, with bug 2.
 */
const [, , file = '', how = ''] = process.argv;
const store = openStore(file, { mode: 'write', now: () => 1_000, scrub });
const committed = store.links.add(halfLink(1));
if (how === 'in-transaction') {
  store.transaction(() => {
    for (let bug = 2; bug < 400; bug += 1) {
      const { id } = store.links.add(halfLink(bug));
      store.commentLinks.add(sampleCommentLink(id, bug, { text: 'x'.repeat(100_000) }));
    }
    store.links.save({ ...committed, urgency: 'live' });
    stay();
  });
}
if (how === 'unhurried') {
  void store.unhurried(async () => {
    store.links.add(halfLink(2));
    stay();
  });
}
stay();

function stay(): void {
  process.stdout.write('ready\n');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
