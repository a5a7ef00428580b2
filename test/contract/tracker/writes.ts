import { describe, expect, it } from 'vitest';
import { bugId } from '../../../src/model/ids.ts';
import type { BugPatch } from '../../../src/model/plan/draft.ts';
import { trackerVersions } from '../../../src/sandbox/tracker/installation/versions.ts';
import { applied, characters, demanded, demanding, draft, inScenario, type OpenTracker, seenBug } from './scenario.ts';

export function trackerWrites(open: OpenTracker): void {
  describe('create', () => {
    it('files the bug as drafted, once', () =>
      inScenario(open, async ({ replica, world }) => {
        const item = applied(await replica.create(draft));
        expect(item).toMatchObject({
          kind: 'bug',
          product: 'Widget',
          summary: 'It leaks',
          values: draft.values,
          keywords: ['regression'],
        });
        expect(world.bugs()).toHaveLength(1);
        expect(world.bug(item.id)).toMatchObject({
          ...draft.values,
          summary: 'It leaks',
          creator: 'bridge@example.test',
          see_also: [draft.seeAlso],
        });
        expect(world.commentsOf(item.id)).toMatchObject([{ text: draft.description, isPrivate: false }]);
      }));

    it('files the bug with an assignee and a milestone', () =>
      inScenario(open, async ({ replica, world }) => {
        const item = applied(await replica.create({ ...draft, assignee: 'carol@example.test', milestone: '2.0' }));
        expect(item).toMatchObject({ assignee: { login: 'carol@example.test' }, milestone: '2.0' });
        expect(world.bug(item.id)).toMatchObject({ assigned_to: 'carol@example.test', target_milestone: '2.0' });
      }));

    it('does without a link that the tracker refuses', () =>
      inScenario(open, async ({ replica, world }) => {
        const item = applied(
          await replica.create({ ...draft, seeAlso: 'https://github.example.test/acme/widget/issues/7' }),
        );
        expect(world.bugs().map(({ id, see_also }) => [id, see_also])).toEqual([[item.id, []]]);
      }));

    it('says what else the tracker wants of a new bug', () =>
      inScenario(
        open,
        async ({ replica, world }) => {
          const item = applied(await replica.create({ ...draft, further: demanded }));
          const { cf_area, cf_branch, cf_impact, type } = { ...demanded };
          expect(world.bug(item.id)).toMatchObject({
            type,
            custom: { cf_branch, cf_impact, cf_area: cf_area.toSorted() },
          });
        },
        demanding,
      ));

    it('lets the draft win over what the route says of every bug', () =>
      inScenario(open, async ({ replica, world }) => {
        const further = {
          cf_impact: 'low',
          cf_branch: 'main',
          whiteboard: 'route',
          severity: 'trivial',
          target_milestone: '1.1',
        };
        const said = { customs: { cf_impact: 'high' }, whiteboard: '[draft]', milestone: '2.0' } as const;
        const item = applied(await replica.create({ ...draft, further, ...said }));
        expect(world.bug(item.id)).toMatchObject({
          custom: { cf_impact: 'high', cf_branch: 'main' },
          whiteboard: '[draft]',
          severity: 'major',
          target_milestone: '2.0',
        });
        const other = applied(await replica.create({ ...draft, further }));
        expect(world.bug(other.id)).toMatchObject({
          custom: { cf_impact: 'low' },
          whiteboard: 'route',
          target_milestone: '1.1',
        });
      }));

    it.each([
      ['type', undefined, /first choose a type: defect, enhancement, task or --/],
      ['type', 'feature', /There is no Type named 'feature'/],
      ['cf_branch', undefined, /A value must be set for the 'Branch' field/],
      ['cf_branch', ' ', /A value must be set for the 'Branch' field/],
      ['cf_area', [], /A value must be set for the 'Area' field/],
      ['cf_impact', '---', /A value must be set for the 'Impact' field/],
    ])('is refused where the tracker wants a %s and gets %j', (name, value, why) =>
      inScenario(
        open,
        async ({ replica, world }) => {
          const { [name as 'type']: _left, ...others } = demanded;
          const further = value === undefined ? others : { ...others, [name]: value };
          expect(await replica.create({ ...draft, further })).toMatchObject({
            kind: 'refused',
            why: expect.stringMatching(why),
          });
          expect(world.bugs()).toEqual([]);
        },
        demanding,
      ),
    );

    it.each(trackerVersions)('keeps every character on %s', (version) =>
      inScenario(
        open,
        async ({ replica, world }) => {
          await replica.hello();
          const further = version === 'harmony' ? { type: 'task' } : {};
          const item = applied(
            await replica.create({ ...draft, summary: characters, description: characters, further }),
          );
          expect(item.summary).toMatch(/^ünï ß 中文 🦊 "q/u);
          expect(world.commentsOf(item.id)[0]?.text).toBe(characters.trim());
          const changed = applied(await replica.update(item, { summary: `renamed ${characters}` }));
          expect(changed.summary).toMatch(/^renamed ünï ß 中文 🦊 "q/u);
          const comment = applied(await replica.comment(item.id, characters));
          expect(comment.text).toBe(characters.trim());
          expect(world.commentsOf(item.id).at(-1)?.text).toBe(characters.trim());
        },
        { version },
      ),
    );

    it.each([
      ['component', { values: { ...draft.values, component: 'Nope' } }],
      ['severity', { values: { ...draft.values, severity: 'awful' } }],
      ['keyword', { keywords: ['nope'] }],
      ['product', { product: 'Nope' }],
      [
        'hidden product',
        { product: 'Secret', values: { ...draft.values, component: 'Vault', version: 'unspecified' } },
      ],
      ['summary', { summary: 'x'.repeat(256) }],
    ])('is refused with an unknown or illegal %s, and says why', (_what, change) =>
      inScenario(open, async ({ replica, world }) => {
        const outcome = await replica.create({ ...draft, ...change });
        expect(outcome).toMatchObject({ kind: 'refused', why: expect.stringMatching(/\w{4}/) });
        expect(world.bugs()).toEqual([]);
      }),
    );
  });

  describe('update', () => {
    it('changes values and answers the bug as it is then', () =>
      inScenario(open, async ({ replica, world, clock }) => {
        const bug = world.as('bob').file({ summary: 'before', severity: 'minor' });
        const seen = await seenBug({ replica }, bug);
        clock.advance(5000);
        const outcome = await replica.update(seen, {
          summary: 'after',
          values: { severity: 'major', component: 'UI' },
        });
        expect(outcome).not.toHaveProperty('lost');
        expect(applied(outcome)).toEqual({
          ...seen,
          summary: 'after',
          values: { ...seen.values, severity: 'major', component: 'UI' },
          changedAt: Math.floor(clock.now() / 1000) * 1000,
        });
        expect(world.bug(bug)).toMatchObject({ summary: 'after', severity: 'major', component: 'UI', priority: '---' });
      }));

    it('sets the assignee and the milestone, and reports the values it replaced', () =>
      inScenario(open, async ({ replica, world }) => {
        const bug = world.as('bob').file({ summary: 'whose' });
        const seen = await seenBug({ replica }, bug);
        expect(seen).toMatchObject({
          assignee: { login: 'alice@example.test', name: 'Alice Anderson' },
          milestone: '---',
        });
        world.as('alice').change(bug, { assigned_to: 'carol@example.test', target_milestone: '1.1' });
        const outcome = await replica.update(seen, { assignee: 'bob@example.test', milestone: '2.0' });
        expect(applied(outcome)).toMatchObject({ assignee: { login: 'bob@example.test' }, milestone: '2.0' });
        expect(outcome).toMatchObject({
          lost: expect.arrayContaining([
            { field: 'assigned_to', value: 'carol@example.test' },
            { field: 'target_milestone', value: '1.1' },
          ]),
        });
        expect(world.bug(bug)).toMatchObject({ assigned_to: 'bob@example.test', target_milestone: '2.0' });
      }));

    it('gives the bug back to whom its component belongs', () =>
      inScenario(open, async ({ replica, world }) => {
        const bug = world.as('alice').file({ summary: 'whose', assigned_to: 'carol@example.test' });
        const item = applied(await replica.update(await seenBug({ replica }, bug), { assignee: null }));
        expect(item.assignee?.login).toBe('alice@example.test');
        expect(world.bug(bug)?.assigned_to).toBe('alice@example.test');
      }));

    it.each([{ assignee: 'nobody-has-this-login@example.test' }, { milestone: 'Sprint 5' }])(
      'is refused for %j',
      (patch) =>
        inScenario(open, async ({ replica, world }) => {
          const bug = world.as('bob').file({ summary: 'whose' });
          expect(await replica.update(await seenBug({ replica }, bug), patch)).toMatchObject({ kind: 'refused' });
          expect(world.bug(bug)).toMatchObject({ assigned_to: 'alice@example.test', target_milestone: '---' });
        }),
    );

    it('that changes nothing is applied and leaves no trace', () =>
      inScenario(open, async ({ replica, world, clock }) => {
        const bug = world.as('bob').file({ summary: 'same' });
        const before = world.bug(bug);
        const seen = await seenBug({ replica }, bug);
        clock.advance(5000);
        expect(applied(await replica.update(seen, { summary: 'same', status: seen.status })).changedAt).toBe(
          seen.changedAt,
        );
        expect(world.bug(bug)).toEqual(before);
      }));

    it('adds and removes keywords one by one, and leaves alone what others added', () =>
      inScenario(open, async ({ replica, world }) => {
        const bug = world.as('bob').file({ summary: 'a', keywords: ['crash'] });
        const seen = await seenBug({ replica }, bug);
        world.as('alice').change(bug, { keywords: { add: ['security'] } });
        const item = applied(await replica.update(seen, { keywords: { add: ['regression'], remove: ['crash'] } }));
        expect(world.bug(bug)?.keywords).toEqual(['regression', 'security']);
        expect(item.keywords).toContain('regression');
        expect(item.keywords).not.toContain('crash');
      }));

    it('adds and removes what a bug waits for one by one, and leaves alone what others added', () =>
      inScenario(open, async ({ replica, world }) => {
        const file = (summary: string) => world.as('bob').file({ summary });
        const [bug, old, other, fresh] = [file('a'), file('b'), file('c'), file('d')];
        world.as('alice').change(bug, { depends_on: { add: [old] } });
        const seen = await seenBug({ replica }, bug);
        world.as('alice').change(bug, { depends_on: { add: [other] } });
        const item = applied(
          await replica.update(seen, { dependsOn: { add: [String(fresh)], remove: [String(old)] } }),
        );
        expect(world.bug(bug)?.depends_on).toEqual([other, fresh]);
        expect(item.dependsOn).toContain(fresh);
        expect(item.dependsOn).not.toContain(old);
      }));

    it('is refused for a circle', () =>
      inScenario(open, async ({ replica, world }) => {
        const [bug, first] = [world.as('bob').file({ summary: 'a' }), world.as('bob').file({ summary: 'b' })];
        world.as('alice').change(first, { depends_on: { add: [bug] } });
        const outcome = await replica.update(await seenBug({ replica }, bug), {
          dependsOn: { add: [String(first)], remove: [] },
        });
        expect(outcome.kind).toBe('refused');
      }));

    it.each<readonly [string, BugPatch]>([
      ['an unknown keyword', { summary: 'x', keywords: { add: ['nope'], remove: [] } }],
      ['an unknown value', { summary: 'x', values: { severity: 'awful' } }],
      ['an unknown status', { summary: 'x', status: 'REOPENED' }],
      ['a status out of reach', { summary: 'x', status: 'VERIFIED', resolution: 'FIXED' }],
      ['a resolution on an open bug', { summary: 'x', resolution: 'FIXED' }],
      ['closing without a resolution', { summary: 'x', status: 'RESOLVED' }],
      ['a link to somewhere unknown', { summary: 'x', seeAlso: 'https://example.test/foo' }],
      ['a link that ends in a slash', { summary: 'x', seeAlso: 'https://github.com/acme/widget/issues/7/' }],
      ['a link to a discussion', { summary: 'x', seeAlso: 'https://github.com/acme/widget/discussions/7' }],
      ['a duplicate of itself', { summary: 'x', dupeOf: bugId(1) }],
      ['a duplicate of nothing', { summary: 'x', dupeOf: bugId(4242) }],
    ])('with %s is refused as a whole', (_what, patch) =>
      inScenario(open, async ({ replica, world }) => {
        const bug = world.as('alice').file({ summary: 'as it was' });
        const before = world.bug(bug);
        const outcome = await replica.update(await seenBug({ replica }, bug), patch);
        expect(outcome).toMatchObject({ kind: 'refused', why: expect.stringMatching(/\w{4}/) });
        expect(world.bug(bug)).toEqual(before);
      }),
    );

    it('to a duplicate of a hidden bug is refused, and does not say that the bug itself is hidden', () =>
      inScenario(open, async ({ replica, world }) => {
        const [bug, hidden] = [world.as('alice').file({ summary: 'a' }), world.as('alice').file({ summary: 'b' })];
        world.hide(hidden);
        const outcome = await replica.update(await seenBug({ replica }, bug), { dupeOf: hidden });
        expect(outcome.kind).toBe('refused');
        expect(world.bug(bug)).toMatchObject({ status: 'CONFIRMED', dupe_of: null });
      }));

    it('replaces a forbidden step by two', () =>
      inScenario(open, async ({ replica, world }) => {
        const bug = world.as('alice').file({ summary: 'a' });
        world.as('alice').change(bug, { status: 'RESOLVED', resolution: 'FIXED' });
        const seen = await seenBug({ replica }, bug);
        expect((await replica.update(seen, { status: 'IN_PROGRESS' })).kind).toBe('refused');
        const between = applied(await replica.update(seen, { status: 'CONFIRMED' }));
        expect(between).toMatchObject({ status: 'CONFIRMED', resolution: '' });
        expect(applied(await replica.update(between, { status: 'IN_PROGRESS' }))).toMatchObject({
          status: 'IN_PROGRESS',
          resolution: '',
        });
        expect(world.bug(bug)?.status).toBe('IN_PROGRESS');
      }));

    it('closes a bug and changes its resolution', () =>
      inScenario(open, async ({ replica, world }) => {
        const bug = world.as('alice').file({ summary: 'a' });
        const closed = applied(
          await replica.update(await seenBug({ replica }, bug), { status: 'RESOLVED', resolution: 'FIXED' }),
        );
        expect(closed).toMatchObject({ status: 'RESOLVED', resolution: 'FIXED' });
        expect(applied(await replica.update(closed, { resolution: 'WONTFIX' }))).toMatchObject({
          status: 'RESOLVED',
          resolution: 'WONTFIX',
        });
        expect(world.bug(bug)).toMatchObject({ status: 'RESOLVED', resolution: 'WONTFIX' });
      }));

    it('marks a duplicate, which both bugs say in a comment', () =>
      inScenario(open, async ({ replica, world }) => {
        const [bug, target] = [world.as('alice').file({ summary: 'a' }), world.as('bob').file({ summary: 'b' })];
        const item = applied(await replica.update(await seenBug({ replica }, bug), { dupeOf: target }));
        expect(item).toMatchObject({ status: 'RESOLVED', resolution: 'DUPLICATE', dupeOf: target });
        expect(world.bug(bug)).toMatchObject({ status: 'RESOLVED', resolution: 'DUPLICATE', dupe_of: target });
        expect(world.commentsOf(bug).at(-1)?.text).toContain(`duplicate of bug ${target}`);
        expect(world.commentsOf(target).at(-1)?.text).toContain(`Bug ${bug} has been marked as a duplicate`);
      }));

    it('also when status and resolution are given with it', () =>
      inScenario(open, async ({ replica, world }) => {
        const [bug, target] = [world.as('alice').file({ summary: 'a' }), world.as('bob').file({ summary: 'b' })];
        const patch = { status: 'RESOLVED', resolution: 'DUPLICATE', dupeOf: target };
        expect(applied(await replica.update(await seenBug({ replica }, bug), patch))).toMatchObject(patch);
      }));

    it('reopens a duplicate, which forgets resolution and target', () =>
      inScenario(open, async ({ replica, world }) => {
        const [bug, target] = [world.as('alice').file({ summary: 'a' }), world.as('bob').file({ summary: 'b' })];
        world.as('alice').change(bug, { dupe_of: target });
        const item = applied(await replica.update(await seenBug({ replica }, bug), { status: 'CONFIRMED' }));
        expect(item).toMatchObject({ status: 'CONFIRMED', resolution: '', dupeOf: null });
        expect(await seenBug({ replica }, bug)).toEqual(item);
      }));

    it('adds a link once, and keeps the others', () =>
      inScenario(open, async ({ replica, world, clock }) => {
        const other = 'https://github.com/acme/gadget/pull/3';
        const bug = world.as('alice').file({ summary: 'a', see_also: [other] });
        const first = applied(await replica.update(await seenBug({ replica }, bug), { seeAlso: draft.seeAlso ?? '' }));
        expect(first.seeAlso).toEqual([other, draft.seeAlso]);
        const before = world.bug(bug);
        clock.advance(5000);
        const again = applied(await replica.update(first, { seeAlso: draft.seeAlso ?? '' }));
        expect(again.seeAlso).toEqual([other, draft.seeAlso]);
        expect(world.bug(bug)).toEqual(before);
      }));

    it('answers a link as the tracker stores it', () =>
      inScenario(open, async ({ replica, world }) => {
        const bug = world.as('alice').file({ summary: 'a' });
        const item = applied(
          await replica.update(await seenBug({ replica }, bug), { seeAlso: 'http://github.com/acme/widget/issues/7' }),
        );
        expect(item.seeAlso).toEqual(['https://github.com/acme/widget/issues/7']);
      }));

    it('overwrites later changes, is never stale, and reports the lost values', () =>
      inScenario(open, async ({ replica, world }) => {
        const bug = world.as('alice').file({ summary: 'first', severity: 'minor' });
        const seen = await seenBug({ replica }, bug);
        world.as('carol').comment(bug, 'a comment alone loses nothing');
        world.as('alice').change(bug, { summary: 'somebody else', priority: 'High' });
        const outcome = await replica.update(seen, { summary: 'ours', values: { severity: 'major' } });
        expect(outcome).toMatchObject({ kind: 'applied', lost: [{ field: 'summary', value: 'somebody else' }] });
        expect(world.bug(bug)).toMatchObject({ summary: 'ours', severity: 'major', priority: 'High' });
      }));

    it('of a bug that is missing or hidden says that it is gone', () =>
      inScenario(open, async ({ replica, world }) => {
        const [deleted, hidden] = [world.as('alice').file({ summary: 'a' }), world.as('alice').file({ summary: 'b' })];
        const [one, two] = [await seenBug({ replica }, deleted), await seenBug({ replica }, hidden)];
        world.remove(deleted);
        world.hide(hidden);
        expect(await replica.update(one, { summary: 'x' })).toMatchObject({ kind: 'gone', gone: { kind: 'missing' } });
        expect(await replica.update(two, { summary: 'x' })).toMatchObject({ kind: 'gone', gone: { kind: 'hidden' } });
        expect(world.bug(hidden)?.summary).toBe('b');
      }));
  });

  describe('comment', () => {
    it('stands on the bug, and the answer has its id', () =>
      inScenario(open, async ({ replica, world }) => {
        const bug = world.as('bob').file({ summary: 'a', description: 'd' });
        const item = applied(await replica.comment(bug, 'line 1\n  line 2'));
        expect(item).toMatchObject({ side: 'tracker', ref: bug, isPrivate: false });
        const last = world.commentsOf(bug).at(-1);
        expect(last).toMatchObject({
          id: item.id,
          text: 'line 1\n  line 2',
          creator: 'bridge@example.test',
          isPrivate: false,
        });
      }));

    it('takes the longest text that fits, in characters and not in code units', () =>
      inScenario(open, async ({ replica, world }) => {
        const bug = world.as('bob').file({ summary: 'a' });
        expect((await replica.comment(bug, '🦊'.repeat(65_535))).kind).toBe('applied');
        expect((await replica.comment(bug, 'x'.repeat(65_536))).kind).toBe('refused');
        expect(world.commentsOf(bug)).toHaveLength(2);
      }));

    it('is refused when it is blank', () =>
      inScenario(open, async ({ replica, world }) => {
        const bug = world.as('bob').file({ summary: 'a' });
        expect((await replica.comment(bug, ' \n ')).kind).toBe('refused');
        expect(world.commentsOf(bug)).toHaveLength(1);
      }));

    it('on a bug that is missing or hidden says that it is gone', () =>
      inScenario(open, async ({ replica, world }) => {
        const hidden = world.as('alice').file({ summary: 'a' });
        world.hide(hidden);
        expect(await replica.comment(4242, 'x')).toMatchObject({ kind: 'gone', gone: { kind: 'missing' } });
        expect(await replica.comment(hidden, 'x')).toMatchObject({ kind: 'gone', gone: { kind: 'hidden' } });
        expect(world.commentsOf(hidden)).toHaveLength(1);
      }));
  });
}
