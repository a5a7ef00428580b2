import { describe, expect, it } from 'vitest';
import { applied, draft, inScenario, type OpenTracker, seenBug } from './scenario.ts';

const options = { labels: ['whiteboard', 'cf_area', 'cf_impact', 'cf_branch'] };

/** The whiteboard and custom fields, which are read only where labels show them. */
export function trackerLabels(open: OpenTracker): void {
  describe('the fields that labels show', () => {
    it('come with every bug, a choice as it is and several as a list', () =>
      inScenario(
        open,
        async ({ replica, world }) => {
          const bug = world
            .as('alice')
            .file({ summary: 'a', whiteboard: '[easy] later', cf_area: ['ui', 'net'], cf_impact: 'high' });
          const shown = {
            whiteboard: '[easy] later',
            customs: { cf_area: ['net', 'ui'], cf_impact: 'high', cf_branch: '' },
          };
          expect(await seenBug({ replica }, bug)).toMatchObject(shown);
          expect((await replica.list(null)).items).toMatchObject([shown]);
        },
        options,
      ));

    it('are absent unless requested', () =>
      inScenario(open, async ({ replica, world }) => {
        const bug = world.as('alice').file({ summary: 'a', whiteboard: '[easy]', cf_area: ['ui'] });
        const seen = await seenBug({ replica }, bug);
        expect([seen.whiteboard, seen.customs]).toEqual([undefined, undefined]);
      }));

    it('are given to a new bug', () =>
      inScenario(
        open,
        async ({ replica, world }) => {
          const wish = { whiteboard: '[easy]', customs: { cf_area: ['docs'], cf_impact: 'low' } };
          const item = applied(await replica.create({ ...draft, ...wish }));
          expect(item).toMatchObject(wish);
          expect(world.bug(item.id)).toMatchObject({ whiteboard: '[easy]', custom: wish.customs });
        },
        options,
      ));

    it('change with the rest of an update, in the spelling of the tracker', () =>
      inScenario(
        open,
        async ({ replica, world }) => {
          const bug = world
            .as('alice')
            .file({ summary: 'a', whiteboard: 'old', cf_area: ['ui', 'net'], cf_impact: 'high' });
          const seen = await seenBug({ replica }, bug);
          const outcome = await replica.update(seen, {
            summary: 'b',
            whiteboard: 'old [easy]',
            customs: { cf_area: ['ui', 'docs'], cf_impact: 'Low' },
          });
          const item = applied(outcome);
          expect(outcome).not.toHaveProperty('lost');
          expect(item).toMatchObject({
            summary: 'b',
            whiteboard: 'old [easy]',
            customs: { cf_area: ['docs', 'ui'], cf_impact: 'low' },
          });
          expect(world.bug(bug)?.custom).toMatchObject({ cf_area: ['docs', 'ui'], cf_impact: 'low' });
          expect(await seenBug({ replica }, bug)).toMatchObject({ whiteboard: item.whiteboard, customs: item.customs });
        },
        options,
      ));

    it('show a value written a moment before', () =>
      inScenario(
        open,
        async ({ replica, world }) => {
          const bug = world.as('alice').file({ summary: 'a', cf_area: ['ui'] });
          const seen = await seenBug({ replica }, bug);
          world.as('alice').change(bug, { whiteboard: 'a note', cf_area: ['ui', 'net'], cf_impact: 'high' });
          const outcome = await replica.update(seen, {
            whiteboard: '[easy]',
            customs: { cf_area: ['docs', 'ui'], cf_impact: 'low' },
          });
          expect(outcome).toMatchObject({
            kind: 'applied',
            lost: expect.arrayContaining([
              { field: 'whiteboard', value: 'a note' },
              { field: 'cf_impact', value: 'high' },
              { field: 'cf_area', value: 'net' },
            ]),
          });
        },
        options,
      ));

    it.each([{ cf_impact: 'huge' }, { cf_area: ['ui', 'nowhere'] }])('are refused as a whole for %j', (customs) =>
      inScenario(
        open,
        async ({ replica, world }) => {
          const bug = world.as('alice').file({ summary: 'a', cf_area: ['ui'], cf_impact: 'low' });
          expect(await replica.update(await seenBug({ replica }, bug), { customs })).toMatchObject({ kind: 'refused' });
          expect(world.bug(bug)?.custom).toMatchObject({ cf_area: ['ui'], cf_impact: 'low' });
        },
        options,
      ),
    );

    it('have their kinds and permitted values', () =>
      inScenario(open, async ({ replica }) => {
        const { values, customs } = await replica.vocabulary();
        expect(customs).toEqual({
          cf_branch: 'other',
          cf_area: 'several',
          cf_due: 'other',
          cf_notes: 'other',
          cf_impact: 'one',
          deadline: 'day',
        });
        expect([values['cf_area'], values['cf_impact'], values['cf_branch']]).toEqual([
          ['docs', 'net', 'ui'],
          ['---', 'high', 'low'],
          undefined,
        ]);
      }));
  });
}
