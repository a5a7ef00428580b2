import { beforeEach, describe, expect, it } from 'vitest';
import { type GithubSession, itemOf, minuteMs, repo } from './bench.ts';

export function typeCases(on: GithubSession): void {
  describe('types of issues', () => {
    const typed = { title: 'A', body: '', labels: [] };

    describe('where the organisation has some', () => {
      beforeEach(() => on.world.setTypes(repo, ['Bug', 'Feature']));

      it('show with the issue, and are given to a new one', async () => {
        const number = on.mona.open(repo, { title: 'A', type: 'Bug' });
        expect((await on.seen(number)).type).toBe('Bug');
        expect((await on.replica.list(null)).items).toMatchObject([{ type: 'Bug' }]);
        const made = itemOf(await on.replica.create({ ...typed, type: 'feature' }));
        expect([made.type, on.stored(made.number).type]).toEqual(['Feature', 'Feature']);
      });

      it('change with the rest of an update, and are taken away', async () => {
        const number = on.mona.open(repo, { title: 'A' });
        const seen = itemOf(await on.replica.update(await on.seen(number), { title: 'B', type: 'Bug' }));
        expect(seen).toMatchObject({ title: 'B', type: 'Bug' });
        on.clock.advance(minuteMs);
        expect(itemOf(await on.replica.update(seen, { type: null })).type).toBeNull();
        expect(on.stored(number)).toMatchObject({ title: 'B', type: null });
      });

      it('that are unknown are left out, and the rest is written', async () => {
        const made = itemOf(await on.replica.create({ ...typed, type: 'Nope' }));
        expect(made).toMatchObject({ title: 'A', type: null });
        expect(itemOf(await on.replica.update(made, { title: 'B', type: 'Nope' }))).toMatchObject({
          title: 'B',
          type: null,
        });
      });

      it('that are unknown are left out where nothing else is to be written', async () => {
        const number = on.mona.open(repo, { title: 'A', type: 'Bug' });
        expect(itemOf(await on.replica.update(await on.seen(number), { type: 'Nope' }))).toMatchObject({
          title: 'A',
          type: 'Bug',
        });
      });

      it('that changed meanwhile make an update stale', async () => {
        const number = on.mona.open(repo, { title: 'A' });
        const seen = await on.seen(number);
        on.mona.type(repo, number, 'Feature');
        expect(await on.replica.update(seen, { type: 'Bug' })).toMatchObject({ kind: 'stale' });
        expect(on.stored(number).type).toBe('Feature');
      });
    });

    it('tell who chose one, and who took it away', async () => {
      on.world.setTypes(repo, ['Bug', 'Feature']);
      const number = on.mona.open(repo, { title: 'A', labels: ['Feature'] });
      const who = (event: 'typed' | 'untyped', label: string) => on.replica.whoDid(number, { event, label });
      expect(await who('typed', 'Feature')).toBeNull();
      on.mona.type(repo, number, 'Bug');
      on.world.as('bugferry').type(repo, number, 'Feature');
      expect([(await who('typed', 'bug'))?.login, (await who('untyped', 'Bug'))?.login]).toEqual(['mona', 'bugferry']);
      on.mona.type(repo, number, null);
      expect([(await who('typed', 'Feature'))?.login, (await who('untyped', 'Feature'))?.login]).toEqual([
        'bugferry',
        'mona',
      ]);
    });

    it('are dropped in silence where there are none', async () => {
      const made = itemOf(await on.replica.create({ ...typed, type: 'Bug' }));
      expect(made.type).toBeNull();
      expect(itemOf(await on.replica.update(made, { title: 'B', type: 'Bug' }))).toMatchObject({
        title: 'B',
        type: null,
      });
    });
  });
}
