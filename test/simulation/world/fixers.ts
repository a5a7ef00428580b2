import type { Route } from '../../../src/model/route.ts';
import { type Random, random } from '../../support/random.ts';
import { repo, type Stage } from '../stage.ts';

const [tools, vault] = ['acme/tools', 'acme/vault'];

/** One of six seeds, so that the others run as they did. */
const hasFixers = (seed: number): boolean => seed % 6 === 4;

/** Bugs are told of pull requests. */
export const withPulls = (seed: number, route: Route): Route => (hasFixers(seed) ? { ...route, pulls: ['bug {bug}'] } : route);

/**
 * Pull requests and commits close issues: those of the repository itself, of another public one, and of a private one that our account may
 * read. And pull requests of the repository name bugs and issues. Draws of its own.
 */
export function fixers(seed: number, stage: Stage): () => void {
  if (!hasFixers(seed)) return () => undefined;
  const { github } = stage;
  const draw = random(seed + 130_000_000);
  github.addRepo(tools, { permissions: { mona: 'admin' } });
  github.addRepo(vault, { isPrivate: true, permissions: { 'bugferry-bot': 'read', mona: 'admin' } });
  const mona = github.as('mona');
  const pulls = pullers(draw, stage);
  return () => {
    pulls();
    const issues = github.issues(repo).filter(({ state, isPull }) => state === 'open' && !isPull);
    if (issues.length === 0 || draw.chance(0.4)) return;
    const { number } = draw.pick(issues);
    if (draw.chance(0.4)) mona.push(repo, `Fixes #${number}`);
    else {
      const home = draw.pick([tools, vault]);
      mona.merge(home, mona.openPull(home, { title: 'A fix', body: `It fixes ${repo}#${number}.` }));
    }
  };
}

function pullers(draw: Random, { github, tracker }: Stage): () => void {
  const mona = github.as('mona');
  let serial = 0;
  return () => {
    const all = github.issues(repo);
    const pulls = all.filter(({ isPull }) => isPull);
    if (pulls.length > 0 && draw.chance(0.5)) {
      const { number, state } = draw.pick(pulls);
      if (state === 'closed') mona.edit(repo, number, { title: `Retitled ${number}` });
      else draw.pick([() => mona.merge(repo, number), () => mona.close(repo, number), () => mona.comment(repo, number, 'Nice.')])();
    }
    if (draw.chance(0.6)) return;
    serial += 1;
    const bug = draw.pick(tracker.bugs()).id;
    const issue = all.length === 0 ? 1 : draw.pick(all).number;
    mona.openPull(repo, {
      title: `Pull ${serial}`,
      body: draw.pick([`Bug ${bug}`, `Fixes #${issue}`, `Bug ${bug}, fixes #${issue}`, 'None']),
    });
  };
}

/** I4, I9 and I3: a bug says at most once what fixed it, never names what is private, and what it says is no comment on GitHub. */
export function fixerViolations({ tracker, github }: Stage): readonly string[] {
  const found: string[] = [];
  for (const { id } of tracker.bugs()) {
    const lines = tracker.commentsOf(id).map(({ text }) => text.split('\n', 1)[0] ?? '');
    const told = lines.filter((line) => / pull request .*:$/u.test(line));
    if (new Set(told).size < told.length) found.push(`I4: bug ${id} is told twice of a pull request`);
    const said = lines.filter((line) => line.startsWith('Fixed by '));
    if (new Set(said).size < said.length) found.push(`I4: bug ${id} says twice what fixed it`);
    if (said.some((text) => text.includes(vault))) found.push(`I9: bug ${id} names a private repository`);
  }
  for (const { number } of github.issues(repo)) {
    if (github.commentsOf(repo, number).some(({ body }) => /Fixed by |opened a pull request|The pull request of/u.test(body)))
      found.push(`I3: issue ${number} repeats what its bug was told`);
  }
  return found;
}
