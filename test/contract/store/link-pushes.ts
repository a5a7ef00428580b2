import { describe, expect, test } from 'vitest';
import type { LinkId } from '../../../src/model/ids.ts';
import type { LinkPush } from '../../../src/model/pulls/push.ts';
import { halfLink } from './samples.ts';
import type { StoreUnderTest } from './store.ts';

const commit = { sha: 'abc', url: 'https://github.com/acme/kettle/commit/abc', title: 'Bug 12: a new lid', by: null };
const samplePush = (link: LinkId, change: Partial<LinkPush> = {}): LinkPush => ({
  ...{ link, url: commit.url, branch: 'main', commits: [commit, { ...commit, by: 'mona' }], unread: 3, isTold: false },
  ...change,
});

export function linkPushesContract(subject: StoreUnderTest): void {
  describe('pushes', () => {
    test('a push comes back as it was saved, and keeps its place once it is reported', () => {
      const { links, pushes } = subject.store;
      const { id } = links.add(halfLink(1));
      const [first, second] = [samplePush(id, { url: 'z' }), samplePush(id, { url: 'a' })];
      for (const push of [first, second]) pushes.save(push);
      expect(pushes.ofLink(id)).toStrictEqual([first, second]);
      pushes.save({ ...first, isTold: true });
      expect(pushes.ofLink(id)).toStrictEqual([{ ...first, isTold: true }, second]);
    });

    test('all of one link move to another, which keeps its own version of the same', () => {
      const { links, pushes } = subject.store;
      const [from, to] = [links.add(halfLink(1)).id, links.add(halfLink(2)).id];
      const own = samplePush(to, { isTold: true });
      for (const push of [own, samplePush(from), samplePush(from, { url: 'a' })]) pushes.save(push);
      pushes.move(from, to);
      expect(pushes.ofLink(to)).toStrictEqual([own, samplePush(to, { url: 'a' })]);
    });

    test('a link that is removed takes them along, and none is kept of a link that is not there', () => {
      const { links, pushes } = subject.store;
      const { id } = links.add(halfLink(1));
      pushes.save(samplePush(id));
      links.remove(id);
      expect(pushes.ofLink(id)).toStrictEqual([]);
      expect(() => pushes.save(samplePush(id))).toThrow();
    });
  });
}
