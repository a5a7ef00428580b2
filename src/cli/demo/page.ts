import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Config } from '../../config/config.ts';
import { parseConfig } from '../../config/load.ts';
import { counted } from '../../explain/words.ts';
import { type Bridge, statusOf } from '../../wire/bridge.ts';
import type { Demo } from '../../wire/sandbox.ts';
import { summaryLine } from '../summary.ts';
import type { Terminal } from '../terminal.ts';

/** The texts that the demo prints before and after the bridge has worked. */

interface DemoPlaces extends Demo {
  readonly dashboardUrl: string;
}

export function printOpening(terminal: Terminal, show: DemoPlaces): void {
  const { out, paint } = terminal;
  out(paint('bold', 'bugferry demo: a tracker, a GitHub, and a bridge between them'));
  out('Both servers run in the memory of this process; the real bridge talks to them over HTTP.');
  out('');
  printPlaces(terminal, show);
  out('');
  out(paint('bold', `1. ${show.publicBugs()} public bugs become issues, with status, labels and comments`));
}

/** Prints how both sides compare; true if they agree. */
export function printResult(
  terminal: Terminal,
  { compare }: Demo,
  bridge: Bridge,
  after: { readonly writes: number } | null,
): boolean {
  const { out, paint } = terminal;
  const { pairs, comments, hidden, differences } = compare();
  const now = bridge.clock.now();
  const statuses = bridge.routes.map(({ route }) => statusOf(bridge.store, route, bridge.allowances, now));
  out('');
  out(paint('bold', 'What the bridge reports'));
  for (const status of statuses) out(`  ${summaryLine(status, terminal)}`);
  out(paint('bold', 'What both sides show'));
  for (const difference of differences) out(paint('red', `  ${difference}`));
  const verdict =
    differences.length === 0 ? paint('green', 'in step') : paint('red', counted(differences.length, 'difference'));
  out(
    `  ${verdict}: ${pairs} bugs and issues compared, ${counted(comments, 'comment')}, each exactly once; ${counted(hidden, 'private item')} stayed hidden`,
  );
  if (after !== null)
    out(`  one more cycle: ${paint(after.writes === 0 ? 'green' : 'red', counted(after.writes, 'write'))}`);
  return differences.length === 0 && statuses.every(({ isInStep }) => isInStep);
}

function printPlaces({ out, paint }: Terminal, { stage, routes, dashboardUrl }: DemoPlaces): void {
  out(`  tracker     ${paint('cyan', `${stage.trackerUrl}/`)}`);
  for (const { product, repo } of routes)
    out(`  GitHub      ${paint('cyan', issuesPage(stage.githubUrl, repo))}   product ${product}`);
  out(`  dashboard   ${paint('cyan', `${dashboardUrl}/`)}`);
}

/** @param show with the folder of an archive of the tracker, if there is one */
export function printNotice(
  terminal: Terminal,
  show: DemoPlaces & { readonly site: string | null },
  bridge: Bridge,
): void {
  const { out, paint } = terminal;
  const { stage, site } = show;
  printResult(terminal, show, bridge, null);
  out('');
  out(paint('bold', 'Look around'));
  printPlaces(terminal, show);
  if (site !== null)
    out(
      `  archive     ${paint('cyan', pathToFileURL(join(site, 'index.html')).href)}   the tracker as pages, for the day it is switched off`,
    );
  out(paint('bold', 'Write something on either side, and see it cross within a second'));
  out(
    `  curl -X POST ${stage.githubUrl}/repos/acme/widget/issues/1/comments -H 'authorization: Bearer token-of-mona' -d '{"body": "Hello from GitHub"}'`,
  );
  out(
    `  curl -X POST '${stage.trackerUrl}/rest/bug/1/comment?api_key=${stage.tracker.user('alice').apiKey}' -H 'content-type: application/json' -d '{"comment": "Hello from the tracker"}'`,
  );
  out(paint('bold', 'Start a bridge yourself: bugferry demo --try prints the lines'));
  out('');
  out(paint('dim', 'The bridge keeps running. Press Ctrl-C to stop it.'));
}

const issuesPage = (url: string, repo: string): string => `${url}/${repo}/issues`;

/**
 * A configuration for the two sandbox servers: as an operator would write it, but without the pauses that the real
 * GitHub needs.
 */
export function demoConfig({ stage, routes }: Demo, state: string): Config {
  const text = JSON.stringify({
    instance: 'demo',
    tracker: { url: stage.trackerUrl, apiKey: stage.apiKey, login: stage.tracker.user('bridge').login },
    github: { url: stage.githubUrl, token: stage.token },
    http: { port: 0 },
    schedule: { poll: '*/1 * * * * *' },
    limits: {
      settleSeconds: 1,
      // The demo changes half of its few pairs at once.
      brakeShare: 1,
      github: { createsPerMinute: 5000, createsPerHour: 5000, pointsPerMinute: 50_000, pauseBetweenWritesMs: 15 },
      tracker: { requestsPerSecond: 500, concurrency: 2 },
    },
    routes: routes.map(({ name, product, component, repo }) => ({
      name,
      tracker: { product },
      github: { repo },
      // Visitors should see links in both directions at once.
      pointer: 'now',
      // The sandbox tracker is a Harmony, which uses these names.
      create: { component, type: 'defect', priority: '--' },
      table: ['votes'],
      pulls: true,
      commits: true,
      status: {
        toGithub: {
          UNCONFIRMED: 'open',
          CONFIRMED: 'open',
          IN_PROGRESS: { open: { label: 'status: in progress' } },
          RESOLVED: closed,
          VERIFIED: closed,
        },
      },
    })),
  });
  return { ...parseConfig(text, 'the configuration of the demo', {}), state };
}

const closed = { FIXED: 'completed', DUPLICATE: 'duplicate', '*': 'not_planned' };
