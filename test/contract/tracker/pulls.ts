import { describe, expect, it } from 'vitest';
import { trackerVersions } from '../../../src/sandbox/tracker/installation/versions.ts';
import { inScenario, type OpenTracker, type TrackerScenario } from './scenario.ts';

const url = 'https://github.com/acme/widget/pull/14';
const pull = { number: 14, url, title: 'Ä fix', text: 'It was opened.' };

/** Attachments as the world has them. */
const attached = ({ world }: TrackerScenario) => [...world.state.attachments.values()];

export function trackerPulls(open: OpenTracker): void {
  describe('pull requests', () => {
    it('become one public attachment of their own type, with a comment', () =>
      inScenario(
        open,
        async (scenario) => {
          const { replica, world } = scenario;
          const bug = world.as('alice').file({ summary: 'a' });
          expect(await replica.attachPull(bug, pull)).toEqual({ kind: 'applied', item: null });
          const file = {
            bug,
            summary: 'Ä fix',
            contentType: 'text/x-github-pull-request',
            isPatch: false,
            isPrivate: false,
          };
          expect(attached(scenario)).toMatchObject([
            { ...file, isObsolete: false, content: Buffer.from(url).toString('base64') },
          ]);
          expect(world.commentsOf(bug).slice(1)).toMatchObject([
            { text: 'Created attachment 1\nÄ fix\n\nIt was opened.', isPrivate: false },
          ]);
        },
        { version: 'harmony' },
      ));

    it('change their attachment, with a comment or without one', () =>
      inScenario(
        open,
        async (scenario) => {
          const { replica, world } = scenario;
          const bug = world.as('alice').file({ summary: 'a' });
          await replica.attachPull(bug, pull);
          expect(await replica.changePull(1, { title: 'Better', isObsolete: false }, null)).toEqual({
            kind: 'applied',
            item: null,
          });
          expect(await replica.changePull(1, { title: 'Better', isObsolete: true }, 'It was closed.')).toMatchObject({
            kind: 'applied',
          });
          expect(attached(scenario)).toMatchObject([{ summary: 'Better', isObsolete: true }]);
          expect(world.commentsOf(bug).map(({ text }) => text.split('\n').at(-1))).toEqual([
            '',
            'It was opened.',
            'It was closed.',
          ]);
          // Said again, it is no change: nothing moves, and nobody gets mail.
          const before = world.bug(bug)?.changedAt;
          scenario.clock.advance(5_000);
          await replica.changePull(1, { title: 'Better', isObsolete: true }, null);
          expect(world.bug(bug)?.changedAt).toBe(before);
        },
        { version: 'harmony' },
      ));

    it('are read as their attachments show them now, with those of bugs that our account may see', () =>
      inScenario(
        open,
        async ({ replica, world }) => {
          const alice = world.as('alice');
          const [bug, other, hidden] = [
            alice.file({ summary: 'a' }),
            alice.file({ summary: 'b' }),
            alice.file({ summary: 'c' }),
          ];
          for (const each of [bug, hidden]) await replica.attachPull(each, pull);
          await replica.changePull(1, { title: 'Better', isObsolete: true }, null);
          world.hide(hidden);
          const found = await replica.shownPulls([bug, other, hidden]);
          expect([...found].map(([each, shown]) => [each, [...shown]])).toEqual([
            [bug, [[1, { title: 'Better', isObsolete: true }]]],
            [other, []],
          ]);
        },
        { version: 'harmony' },
      ));

    it.each(trackerVersions.filter((version) => version !== 'harmony'))(
      'are refused without a write by a %s',
      (version) =>
        inScenario(
          open,
          async (scenario) => {
            const bug = scenario.world.as('alice').file({ summary: 'a' });
            expect(await scenario.replica.attachPull(bug, pull)).toMatchObject({ kind: 'refused' });
            expect([attached(scenario), scenario.world.commentsOf(bug).length]).toEqual([[], 1]);
          },
          { version },
        ),
    );

    it('are refused where the attachment is not ours to change', () =>
      inScenario(
        open,
        async ({ replica }) => {
          expect(await replica.changePull(1, { title: 'Better', isObsolete: false }, null)).toMatchObject({
            kind: 'refused',
          });
        },
        { version: 'harmony' },
      ));

    it.each(['create', 'edit'] as const)('are in doubt if the answer is lost (%s)', (cost) =>
      inScenario(
        open,
        async (scenario) => {
          const { replica, world, fail } = scenario;
          const bug = world.as('alice').file({ summary: 'a' });
          if (cost === 'edit') await replica.attachPull(bug, pull);
          fail(cost, { kind: 'drop', after: true });
          const outcome =
            cost === 'create'
              ? replica.attachPull(bug, pull)
              : replica.changePull(1, { title: 'B', isObsolete: true }, null);
          expect(await outcome).toMatchObject({ kind: 'unknown' });
          expect(attached(scenario)).toMatchObject([{ summary: cost === 'create' ? 'Ä fix' : 'B' }]);
        },
        { version: 'harmony' },
      ),
    );
  });
}
