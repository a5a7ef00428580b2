import { pullType } from '../../../src/model/attachment.ts';
import type { Link } from '../../../src/model/link.ts';
import type { Route } from '../../../src/model/route.ts';
import type { TrackerAttachment } from '../../../src/sandbox/tracker/world/state.ts';
import { type Random, random } from '../../support/random.ts';
import { repo, type Stage } from '../stage.ts';

const [tools, vault] = ['acme/tools', 'acme/vault'];

/** One of six seeds, so that the others run as they did. */
const hasFixers = (seed: number): boolean => seed % 6 === 4;

/** Of those, every second one. */
const hasPushers = (seed: number): boolean => seed % 12 === 10;

/** Bugs are told of pull requests, and of commits. */
export function withPulls(seed: number, route: Route): Route {
  const commits = { branch: null, patterns: ['bug {bug}'] };
  return hasFixers(seed) ? { ...route, pulls: ['bug {bug}'], ...(hasPushers(seed) ? { commits } : {}) } : route;
}

/**
 * Pull requests and commits close issues: those of the repository itself, of another public one, and of a private one
 * that our account may read. And pull requests of the repository name bugs and issues. Draws of its own.
 */
export function fixers(seed: number, stage: Stage): () => void {
  if (!hasFixers(seed)) return () => undefined;
  const { github, tracker } = stage;
  const draw = random(seed + 130_000_000);
  github.addRepo(tools, { permissions: { mona: 'admin' } });
  github.addRepo(vault, { isPrivate: true, permissions: { 'bugferry-bot': 'read', mona: 'admin' } });
  const mona = github.as('mona');
  const pulls = pullers(draw, stage);
  const stirs = tracker.state.version === 'harmony' ? stirrers(random(seed + 150_000_000), stage) : () => undefined;
  const pushes = hasPushers(seed) ? pushers(random(seed + 140_000_000), stage) : () => undefined;
  return () => {
    pulls();
    stirs();
    pushes();
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

/** Commits that name bugs come one by one, many at once, with a merge, and by force. */
function pushers(draw: Random, { github, tracker }: Stage): () => void {
  const mona = github.as('mona');
  let serial = 0;
  const commit = (place = {}): string => {
    serial += 1;
    return mona.push(repo, draw.pick([`Bug ${draw.pick(tracker.bugs()).id}: step ${serial}`, `Step ${serial}`]), place);
  };
  return () => {
    if (draw.chance(0.4)) return;
    const first = commit();
    for (let more = draw.below(4); more > 0; more -= 1) commit();
    if (draw.chance(0.3)) commit({ parents: [commit(), commit({ branch: `side-${serial}` })] });
    if (draw.chance(0.15)) commit({ parents: [first] });
  };
}

/** Where pull requests are attachments, which follow them, many get another title, and are taken up again. */
function stirrers(draw: Random, { github }: Stage): () => void {
  const mona = github.as('mona');
  let serial = 0;
  return () => {
    const pulls = github.issues(repo).filter(({ isPull }) => isPull);
    if (pulls.length === 0 || draw.chance(0.3)) return;
    const { number, state, isMerged } = draw.pick(pulls);
    serial += 1;
    if (state === 'closed' && !isMerged && draw.chance(0.5)) mona.reopen(repo, number);
    else mona.edit(repo, number, { title: `Stirred ${serial}` });
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
      else
        draw.pick([
          () => mona.merge(repo, number),
          () => mona.close(repo, number),
          () => mona.comment(repo, number, 'Nice.'),
        ])();
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

const wordsFor = { open: 'opened a pull request', merged: 'was merged', closed: 'was closed' } as const;

/**
 * I4, I9 and I3: a bug says at most once what fixed it, never names what is private, and what it says is no comment on
 * GitHub. What counts as told stands there.
 */
export function fixerViolations({ tracker, github, store }: Stage, links: readonly Link[]): readonly string[] {
  const found = links.filter(({ state }) => state === 'live').flatMap(untold);
  for (const { id } of tracker.bugs()) {
    const lines = tracker.commentsOf(id).map(({ text }) => text.split('\n', 1)[0] ?? '');
    // Where it is attached, the tracker's heading stands above.
    const told = tracker
      .commentsOf(id)
      .flatMap(({ text }) => text.match(/^.* pull request (?:of .*)?\(\S+\)[:.]$/gmu) ?? []);
    if (new Set(told).size < told.length) found.push(`I4: bug ${id} is told twice of a pull request`);
    const attached = [...tracker.state.attachments.values()].filter(
      ({ bug, contentType }) => bug === id && contentType === pullType,
    );
    if (new Set(attached.map(({ content }) => content)).size < attached.length)
      found.push(`I4: bug ${id} has a pull request twice`);
    if (links.some(({ bug, state }) => bug === id && state === 'live'))
      found.push(...attached.flatMap((each) => lateFor(each)));
    const named = tracker.commentsOf(id).flatMap(({ text }) => text.match(/^- [0-9a-f]{7}\b/gmu) ?? []);
    if (new Set(named).size < named.length) found.push(`I4: bug ${id} is told twice of a commit`);
    const said = lines.filter((line) => line.startsWith('Fixed by '));
    if (new Set(said).size < said.length) found.push(`I4: bug ${id} says twice what fixed it`);
    if (said.some((text) => text.includes(vault))) found.push(`I9: bug ${id} names a private repository`);
  }
  for (const { number } of github.issues(repo)) {
    if (
      github
        .commentsOf(repo, number)
        .some(({ body }) => /Fixed by |opened a pull request|The pull request of|names? this bug/u.test(body))
    )
      found.push(`I3: issue ${number} repeats what its bug was told`);
  }
  return found;

  /** I3: what fixed a bug was said by its closing, and needs no other comment. */
  function untold({ id, bug }: Link): readonly string[] {
    const texts = bug === null ? [] : tracker.commentsOf(bug).map(({ text }) => text);
    const isFixed = texts.some((text) => text.startsWith('Fixed by '));
    const stands = (words: string, url: string): boolean => texts.some((text) => text.includes(`${words} (${url})`));
    const pulls = store.pulls
      .ofLink(id)
      .flatMap(({ told, url }) => told.flatMap((state) => (stands(wordsFor[state], url) ? [] : url)));
    const pushes = store.pushes
      .ofLink(id)
      .flatMap(({ isTold, url }) => (!isTold || stands('this bug', url) ? [] : url));
    return bug === null || isFixed
      ? []
      : [...pulls, ...pushes].map((url) => `I3: bug ${bug} counts as told of ${url}, and was not`);
  }

  /** I1: what a pull request became shows in its attachment. */
  function lateFor({ bug, summary, isObsolete, content }: TrackerAttachment): readonly string[] {
    const number = Number(/\d+$/u.exec(Buffer.from(content ?? '', 'base64').toString())?.[0]);
    const pull = github.issue(repo, number);
    const isLate =
      pull !== null && (summary !== pull.title || isObsolete !== (pull.state === 'closed' && !pull.isMerged));
    return isLate ? [`I1: bug ${bug} shows pull request ${number} as it was`] : [];
  }
}
