import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bugId, issueNumber, linkId, type Side } from '../../../src/model/ids.ts';
import type { Link, LinkState, Urgency } from '../../../src/model/link.ts';
import {
  buried,
  frozen,
  fullLink,
  halfLink,
  halfLinkOfIssue,
  lineOf,
  sampleBug,
  sampleCommentLink,
  sampleIssue,
  skipOf,
  updateOf,
  wholeLink,
} from './samples.ts';
import type { StoreUnderTest } from './store.ts';

const idsOf = (links: readonly Link[]): readonly number[] => links.map((link) => link.id);
const sorted = (ids: readonly number[]): readonly number[] => [...ids].sort((one, other) => one - other);

export function linksContract(subject: StoreUnderTest): void {
  describe('links', () => {
    test('a link comes back as it was added, and as it was saved', () => {
      const { links } = subject.store;
      const added = links.add(fullLink);
      expect(added).toStrictEqual({ ...fullLink, id: added.id });
      expect(links.byId(added.id)).toStrictEqual(added);
      const saved: Link = { ...halfLink(13, { repo: 'tea/pot', route: 'pot' }), id: added.id };
      links.save(saved);
      expect(links.byId(added.id)).toStrictEqual(saved);
      links.save(added);
      expect(links.byId(added.id)).toStrictEqual(added);
    });

    test('a link is found by its bug and by its issue, and only by these', () => {
      const { links } = subject.store;
      const one = links.add(wholeLink(12, 5));
      const other = links.add(wholeLink(5, 12, { repo: 'tea/pot' }));
      expect(links.byBug(bugId(12))).toStrictEqual(one);
      expect(links.byBug(bugId(13))).toBeNull();
      expect(links.byIssue('tea/kettle', issueNumber(5))).toStrictEqual(one);
      expect(links.byIssue('Tea/Kettle', issueNumber(5))).toStrictEqual(one);
      expect(links.byIssue('tea/pot', issueNumber(12))).toStrictEqual(other);
      expect(links.byIssue('tea/pot', issueNumber(5))).toBeNull();
      expect(links.byId(linkId(999))).toBeNull();
    });

    test('links that wait for a bug or are blocked by an issue are found by it, within their repository', () => {
      const { links } = subject.store;
      const waits = links.add(wholeLink(12, 5, { tracker: { ...sampleBug, dependsOn: [bugId(20), bugId(21)] } }));
      const blocked = links.add(wholeLink(13, 6, { github: { ...sampleIssue, blockedBy: [issueNumber(9)] } }));
      links.add(
        wholeLink(14, 7, { tracker: { ...sampleBug, dependsOn: [] }, github: { ...sampleIssue, blockedBy: [] } }),
      );
      links.add(wholeLink(15, 5, { repo: 'tea/pot', tracker: { ...sampleBug, dependsOn: [bugId(21)] } }));
      expect(links.dependents('tea/kettle', bugId(21), null)).toStrictEqual([waits]);
      expect(links.dependents('tea/kettle', null, issueNumber(9))).toStrictEqual([blocked]);
      expect(idsOf(links.dependents('tea/kettle', bugId(20), issueNumber(9)))).toStrictEqual(idsOf([waits, blocked]));
      expect(links.dependents('tea/kettle', bugId(9), issueNumber(21))).toStrictEqual([]);
    });

    test('a bug, and an issue of a repository, belong to one link only', () => {
      const { links } = subject.store;
      links.add(wholeLink(12, 5));
      const pot = links.add(wholeLink(13, 5, { repo: 'tea/pot' }));
      expect(() => links.add(halfLink(12, { route: 'pot', repo: 'tea/pot' }))).toThrow(/bug 12/i);
      expect(() => links.add(halfLinkOfIssue(5, { route: 'pot' }))).toThrow(/tea\/kettle#5/);
      expect(() => links.save({ ...pot, bug: bugId(12) })).toThrow(/bug 12/i);
      expect(() => links.save({ ...pot, repo: 'tea/kettle' })).toThrow(/tea\/kettle#5/);
      expect(links.byId(pot.id)).toStrictEqual(pot);
      expect(links.count('kettle').byState.live).toBe(2);
    });

    test('many half links may differ by nothing but their one end', () => {
      const { links } = subject.store;
      const added = [
        links.add(halfLink(1)),
        links.add(halfLink(2)),
        links.add(halfLinkOfIssue(1)),
        links.add(halfLinkOfIssue(2)),
      ];
      expect(idsOf(links.after('kettle', null, 10))).toStrictEqual(idsOf(added));
    });

    test('a link that was removed cannot be saved', () => {
      const { links } = subject.store;
      const link = links.add(halfLink(1));
      links.remove(link.id);
      expect(() => links.save(link)).toThrow(new RegExp(`link ${link.id}`, 'i'));
    });

    test('a removed link takes its comment links, findings and operations along, leaves its story, and its id is not used again', () => {
      const { links, commentLinks, findings, outbox, ledger } = subject.store;
      const kept = links.add(halfLink(1));
      const gone = links.add(halfLink(2));
      for (const link of [kept, gone]) {
        commentLinks.add(sampleCommentLink(link.id, 1));
        findings.replace(link.id, [], [skipOf(link.id, 'private')], 5);
        outbox.replace('kettle', [link.id], [updateOf(link.id, 'a', 'x')]);
        ledger.add(lineOf(link.id, 7));
      }
      links.remove(gone.id);
      expect(links.byBug(bugId(2))).toBeNull();
      expect([commentLinks.ofLink(kept.id).length, commentLinks.ofLink(gone.id).length]).toStrictEqual([1, 0]);
      expect([findings.ofLink(kept.id).skips.length, findings.ofLink(gone.id).skips.length]).toStrictEqual([1, 0]);
      expect(findings.ofRoute('kettle', 10).skips).toHaveLength(1);
      expect([outbox.ofLink(kept.id).length, outbox.ofLink(gone.id).length]).toStrictEqual([1, 0]);
      expect(ledger.ofLink(gone.id)).toHaveLength(1);
      expect(links.add(halfLink(3)).id).toBeGreaterThan(gone.id);
    });

    test('claiming finds the one-ended links that name a ref, on that side and in that repository only', () => {
      const { links } = subject.store;
      const first = links.add(halfLink(1, { claim: 7 }));
      const second = links.add(halfLink(2, { claim: 7 }));
      links.add(halfLink(3, { claim: 8 }));
      links.add(halfLink(4));
      links.add(halfLink(5, { claim: 7, repo: 'tea/pot' }));
      links.add(wholeLink(6, 6, { claim: 7 }));
      const issue = links.add(halfLinkOfIssue(9, { claim: 7 }));
      expect(links.claiming('tea/kettle', 'tracker', 7)).toStrictEqual([first, second]);
      expect(links.claiming('tea/kettle', 'github', 7)).toStrictEqual([issue]);
      expect(links.claiming('tea/kettle', 'tracker', 9)).toStrictEqual([]);
    });

    test('links that want planning: urgent ones first, then by id, tombstones never', () => {
      const { links } = subject.store;
      const add = (bug: number, urgency: Urgency, change: Parameters<typeof halfLink>[1] = {}) =>
        links.add(halfLink(bug, { urgency, ...change })).id;
      const backfill = add(1, 'backfill');
      const live = add(2, 'live');
      const laterLive = add(3, 'live');
      const laterBackfill = add(4, 'backfill');
      const frozenLink = add(5, 'live', frozen);
      add(6, 'live', buried);
      add(7, 'live', { route: 'pot' });
      add(8, 'none');
      expect(idsOf(links.wanting('kettle', 10))).toStrictEqual([live, laterLive, frozenLink, backfill, laterBackfill]);
      expect(idsOf(links.wanting('kettle', 4))).toStrictEqual([live, laterLive, frozenLink, backfill]);
    });

    test('of those, all issues that name a bug which no reading has shown', () => {
      const { links } = subject.store;
      const unmet = links.add(halfLinkOfIssue(1, { urgency: 'backfill', claim: 7 })).id;
      const later = links.add(halfLinkOfIssue(2, { urgency: 'live', claim: 8 })).id;
      links.add(halfLinkOfIssue(3, { urgency: 'none', claim: 9 }));
      links.add(halfLinkOfIssue(4, { urgency: 'live' }));
      links.add(halfLinkOfIssue(5, { urgency: 'live', claim: 9, ...frozen }));
      links.add(halfLinkOfIssue(6, { urgency: 'live', claim: 9, route: 'pot' }));
      links.add(halfLink(7, { urgency: 'live', claim: 9 }));
      expect(idsOf(links.unmet('kettle'))).toStrictEqual([unmet, later]);
    });

    test('whatever the links are, wanting, after and count agree with a plain reading', () => {
      const anyLink = fc.record({
        urgency: fc.constantFrom<Urgency>('none', 'backfill', 'live'),
        standing: fc.constantFrom({ state: 'live', reason: null, frozenBy: null } as const, frozen, buried),
        route: fc.constantFrom('kettle', 'pot'),
        isWhole: fc.boolean(),
      });
      let bug = 0;
      const check = (drafts: readonly (typeof anyLink extends fc.Arbitrary<infer T> ? T : never)[], limit: number) => {
        const { links } = subject.store;
        for (const { id } of [...links.after('kettle', null, 1_000), ...links.after('pot', null, 1_000)])
          links.remove(id);
        const all = drafts.map(({ isWhole, standing, ...change }) => {
          bug += 1;
          return links.add(halfLink(bug, { ...change, ...standing, issue: isWhole ? issueNumber(bug) : null }));
        });
        const mine = all.filter(({ route }) => route === 'kettle');
        const wanting = mine.filter(({ urgency, state }) => urgency !== 'none' && state !== 'tombstone');
        const ranked = [
          ...wanting.filter(({ urgency }) => urgency === 'live'),
          ...wanting.filter(({ urgency }) => urgency === 'backfill'),
        ];
        expect(idsOf(links.wanting('kettle', limit))).toStrictEqual(idsOf(ranked.slice(0, limit)));
        const ends = ranked.map(({ id, issue }) => ({ id, hasBug: true, hasIssue: issue !== null }));
        expect([...links.eachWanting('kettle')]).toStrictEqual(ends);
        // Whoever has enough stops, and may store again.
        for (const { id } of links.eachWanting('kettle')) if (id === ends[0]?.id) break;
        const middle = mine[Math.floor(mine.length / 2)]?.id ?? null;
        const later = mine.filter(({ id }) => middle === null || id > middle);
        expect(links.after('kettle', middle, limit)).toStrictEqual(later.slice(0, limit));
        const inState = (state: LinkState) => mine.filter((link) => link.state === state);
        expect(links.count('kettle')).toStrictEqual({
          byState: {
            live: inState('live').length,
            frozen: inState('frozen').length,
            tombstone: inState('tombstone').length,
          },
          whole: inState('live').filter(({ issue }) => issue !== null).length,
          alone: { tracker: inState('live').filter(({ issue }) => issue === null).length, github: 0 },
          wanting: wanting.length,
          waiting: wanting.length,
          halves: {
            tracker: wanting.filter(({ state, issue }) => state === 'live' && issue === null).length,
            github: 0,
          },
        });
        const whole = inState('live').filter(({ issue }) => issue !== null);
        const by = (login: string) => whole.filter(({ tracker }) => tracker?.creator.login === login).length;
        for (const login of ['alice@example.test', 'nobody@example.test'])
          expect(links.madeBy('kettle', { tracker: login, github: null })).toBe(by(login));
      };
      fc.assert(fc.property(fc.array(anyLink, { maxLength: 12 }), fc.integer({ min: 1, max: 13 }), check), {
        numRuns: 60,
      });
    });
  });
}

export function sweepsContract(subject: StoreUnderTest): void {
  describe('sweeps', () => {
    const unswept = (side: Side, sweepAt: number, limit = 10, route = 'kettle') =>
      sorted(idsOf(subject.store.links.unswept(route, side, sweepAt, limit)));

    test('a sweep leaves over the live links whose end on its side it did not meet', () => {
      const { links } = subject.store;
      const met = links.add(wholeLink(1, 101));
      const missed = links.add(wholeLink(2, 102));
      const half = links.add(halfLink(3));
      links.add(halfLink(4, frozen));
      links.add(halfLink(5, buried));
      const pot = links.add(wholeLink(6, 1, { route: 'pot', repo: 'tea/pot' }));
      links.markSwept('kettle', 'tracker', [1, 77], 2_000);
      expect(unswept('tracker', 2_000)).toStrictEqual([missed.id, half.id]);
      expect(unswept('tracker', 2_000, 1)).toHaveLength(1);
      expect(unswept('github', 2_000)).toStrictEqual([met.id, missed.id]);
      expect(unswept('tracker', 2_000, 10, 'pot')).toStrictEqual([pot.id]);
    });

    test('an issue is met in its own route only, though another repository has the same number', () => {
      const { links } = subject.store;
      const kettle = links.add(wholeLink(1, 5));
      const pot = links.add(wholeLink(2, 5, { route: 'pot', repo: 'tea/pot' }));
      links.markSwept('kettle', 'github', [5], 2_000);
      expect(unswept('github', 2_000)).toStrictEqual([]);
      expect(unswept('github', 2_000, 10, 'pot')).toStrictEqual([pot.id]);
      links.markSwept('kettle', 'tracker', [2], 2_000);
      expect(unswept('tracker', 2_000)).toStrictEqual([kettle.id]);
      expect(unswept('tracker', 2_000, 10, 'pot')).toStrictEqual([pot.id]);
    });

    test('a later sweep must meet everything anew', () => {
      const { links } = subject.store;
      const link = links.add(halfLink(1));
      links.markSwept('kettle', 'tracker', [1], 2_000);
      expect(unswept('tracker', 2_000)).toStrictEqual([]);
      expect(unswept('tracker', 3_000)).toStrictEqual([link.id]);
    });

    test('a link made while the sweep runs is not missed by it, but by the next one', () => {
      const { links } = subject.store;
      subject.clock.nowAt = 2_000;
      const atStart = links.add(halfLink(1));
      subject.clock.nowAt = 2_001;
      const during = links.add(halfLink(2));
      expect(unswept('tracker', 2_000)).toStrictEqual([]);
      expect(unswept('tracker', 3_000)).toStrictEqual([atStart.id, during.id]);
    });

    test('an old link that got its other end while the sweep runs is missed on its old side only', () => {
      const { links } = subject.store;
      const link = links.add(halfLink(1));
      subject.clock.nowAt = 2_500;
      links.save({ ...link, issue: issueNumber(5) });
      subject.clock.nowAt = 2_600;
      links.save({ ...link, issue: issueNumber(5), urgency: 'live' });
      expect(unswept('github', 2_000)).toStrictEqual([]);
      expect(unswept('tracker', 2_000)).toStrictEqual([link.id]);
      expect(unswept('github', 2_550)).toStrictEqual([link.id]);
    });

    test('an old link that moves to another repository or route while the sweep runs is not missed there', () => {
      const { links } = subject.store;
      const link = links.add(wholeLink(1, 5));
      subject.clock.nowAt = 2_500;
      links.save({ ...link, repo: 'tea/pot' });
      expect([unswept('tracker', 2_000), unswept('github', 2_000)]).toStrictEqual([[link.id], []]);
      subject.clock.nowAt = 2_700;
      links.save({ ...link, repo: 'tea/pot', route: 'pot' });
      expect([unswept('tracker', 2_600, 10, 'pot'), unswept('github', 2_600, 10, 'pot')]).toStrictEqual([[], []]);
      expect(unswept('tracker', 3_000, 10, 'pot')).toStrictEqual([link.id]);
    });

    test('a link without an end on the side is never missed there', () => {
      subject.store.links.add(halfLink(1));
      expect(unswept('github', 9_000)).toStrictEqual([]);
    });
  });
}
