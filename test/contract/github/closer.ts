import { describe, expect, it } from 'vitest';
import { type GithubSession, repo } from './bench.ts';

export function closerCases(on: GithubSession): void {
  describe('what closed an issue', () => {
    const tools = 'acme/gadget';
    const opened = () => on.mona.open(repo, { title: 'It fails' });

    it('is a pull request, with its commit and its author', async () => {
      const number = opened();
      const pull = on.mona.openPull(tools, { title: 'A fix', body: `Fixes ${repo}#${number}` });
      on.mona.merge(tools, pull);
      const commit = expect.stringMatching(/^[0-9a-f]{7}$/u);
      expect(await on.replica.closer(number)).toMatchObject({
        repo: tools,
        isPrivate: false,
        pull,
        commit,
        login: 'mona',
      });
      expect((await on.replica.closer(number))?.url).toMatch(new RegExp(`/${tools}/pull/${pull}$`, 'u'));
    });

    it('is a pull request of an App, by the name that it has elsewhere', async () => {
      const number = opened();
      on.world.addUser('updater[bot]');
      on.world.allow(tools, 'updater[bot]', 'write');
      const pull = on.world.as('updater[bot]').openPull(tools, { title: 'A fix', body: `Fixes ${repo}#${number}` });
      on.mona.merge(tools, pull);
      expect(await on.replica.closer(number)).toMatchObject({ pull, login: 'updater[bot]' });
    });

    it('is a commit', async () => {
      const number = opened();
      const sha = on.mona.push(repo, `Closes #${number}`);
      expect(await on.replica.closer(number)).toMatchObject({
        repo,
        pull: null,
        commit: sha.slice(0, 7),
        login: 'mona',
      });
    });

    it('is nothing where a person did it, where it is open, and where it was closed by a person since', async () => {
      const number = opened();
      expect(await on.replica.closer(number)).toBeNull();
      on.mona.push(repo, `Closes #${number}`);
      on.mona.reopen(repo, number);
      expect(await on.replica.closer(number)).toBeNull();
      on.mona.close(repo, number);
      expect(await on.replica.closer(number)).toBeNull();
    });

    it('says whether its repository is private, and is nothing where we may not read that', async () => {
      const number = opened();
      on.world.setPrivate(tools, true);
      on.world.allow(tools, 'bugferry', null);
      on.mona.merge(tools, on.mona.openPull(tools, { title: 'A fix', body: `Fixes ${repo}#${number}` }));
      expect(await on.replica.closer(number)).toBeNull();
      on.world.allow(tools, 'bugferry', 'read');
      expect(await on.replica.closer(number)).toMatchObject({ isPrivate: true });
    });
  });
}
