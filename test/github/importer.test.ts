import { createGithubClient } from '../../src/github/connection/client.ts';
import { githubImporter } from '../../src/github/imports/importer.ts';
import { serveGithub } from '../../src/sandbox/github/server/server.ts';
import { importerContract } from '../contract/github/importer.ts';
import { openLane } from './open-lane.ts';

importerContract('the importer over HTTP', async ({ world, clock, faults }) => {
  const server = await serveGithub(world, { port: 0, faults });
  const client = createGithubClient({
    url: server.url,
    token: 'token-of-bugferry',
    lane: openLane(),
    timeoutMs: 5_000,
    now: clock.now,
  });
  return { importer: githubImporter({ client, owner: 'acme', repo: 'widget' }), close: () => server.close() };
});
