import type { LinkPull, PullState } from '../model/pulls/pull.ts';
import type { LinkPush } from '../model/pulls/push.ts';

/**
 * Provenance in the bridge's texts, which identifies a copy if its creation is in doubt or the state database is lost.
 * It is a means of recovery only: the database always takes precedence.
 *
 *   on GitHub   the last line of a body is an invisible comment: <!-- bugferry:1 acme bug=12 comment=34 -->
 *   on tracker  the first line names the source: GitHub user mona wrote
 *               (https://github.com/o/r/issues/5#issuecomment-9):
 */
export interface GithubMarker {
  readonly bug: number;
  /** The tracker comment that was copied; null for the issue itself. */
  readonly comment: number | null;
  /** Absent if the text is complete. */
  readonly part?: Part;
}

/** One of several comments that contain one text, counted from 1. */
export interface Part {
  readonly index: number;
  readonly count: number;
}

export function githubMarker(instance: string, { bug, comment, part }: GithubMarker): string {
  const place = `${comment === null ? '' : ` comment=${comment}`}${part === undefined ? '' : ` part=${part.index}/${part.count}`}`;
  return `<!-- bugferry:1 ${instance} bug=${bug}${place} -->`;
}

/** Reads the marker at the very end of a body. A marker that people quoted in the middle does not count. */
export function parseGithubMarker(instance: string, body: string): GithubMarker | null {
  const match = /<!-- bugferry:1 (\S+) bug=(\d+)(?: comment=(\d+))?(?: part=(\d+)\/(\d+))? -->\s*$/u.exec(body);
  if (!match || match[1] !== instance) return null;
  return {
    bug: Number(match[2]),
    comment: match[3] === undefined ? null : Number(match[3]),
    ...partOf(match[4], match[5]),
  };
}

/**
 * The last line of an issue whose bug moved to another product: another issue may go on with it, and this one is no
 * longer mirrored.
 */
export const movedMarker = (instance: string, bug: number): string =>
  `<!-- bugferry:1 ${instance} bug=${bug} moved -->`;

/** The bug that moved away from an issue that ends with that line. */
export function movedBugIn(instance: string, body: string): number | null {
  const match = /<!-- bugferry:1 (\S+) bug=(\d+) moved -->\s*$/u.exec(body);
  return match?.[1] === instance ? Number(match[2]) : null;
}

export const saysMoved = (instance: string, body: string): boolean => movedBugIn(instance, body) !== null;

/** The bridge of another name that wrote the last line of a body; null if none did. */
export function otherInstanceIn(instance: string, body: string): string | null {
  const [, other] = /<!-- bugferry:1 (\S+) bug=[ \w=/]+ -->\s*$/u.exec(body) ?? [];
  return other === undefined || other === instance ? null : other;
}

/** The last line of a comment that only the bridge wrote: it is not a copy. */
export const remarkMarker = (instance: string, remark: string): string =>
  `<!-- bugferry:1 ${instance} remark=${remark} -->`;

export function parseRemarkMarker(instance: string, body: string): string | null {
  const match = /<!-- bugferry:1 (\S+) remark=(\S+) -->\s*$/u.exec(body);
  return match?.[1] === instance ? (match[2] ?? null) : null;
}

/** The last line of an issue that lists what needs a person. It mirrors nothing. */
export const dashboardMarker = (instance: string, route: string): string =>
  `<!-- bugferry:1 ${instance} dashboard=${encodeURIComponent(route.toWellFormed())} -->`;

/** Whether an issue is such a list, of whichever bridge. */
export const isDashboard = (body: string): boolean =>
  /<!-- bugferry:1 \S+ dashboard=[\w.!~*'()%-]+ -->\s*$/u.test(body);

/** The end of our line over the text of an issue whose bug has no description, or a private one. */
export const undescribed = ', without a public description.';

/** The bug, with its address, that our line over the text of an issue names; null if there is no such line. */
export function bugOver(body: string): { readonly bug: number; readonly url: string } | null {
  const [line = ''] = body.split('\n', 1);
  // The name of the person who filed the bug comes first, and may contain anything.
  const at = line.startsWith('**') ? line.lastIndexOf('** opened [bug ') : -1;
  const [, bug, url] = (at < 0 ? null : /^\*\* opened \[bug (\d+)\]\((\S+?)\) on /u.exec(line.slice(at))) ?? [];
  return bug === undefined || url === undefined ? null : { bug: Number(bug), url };
}

/** Likewise, the bug that our line under the text of an issue names. */
export function bugUnder(body: string): { readonly bug: number; readonly url: string } | null {
  const [, bug, url] =
    /\n\*Mirrored as \[bug (\d+)\]\((\S+)\)\.\*\s+<!-- bugferry:1 [^\n]*$/u.exec(body.trimEnd()) ?? [];
  return bug === undefined || url === undefined ? null : { bug: Number(bug), url };
}

/**
 *   wrote     a comment or an issue, copied
 *   edited    a report that it was edited; `revision` is the digest of the new text
 *   deleted   a report that a comment was deleted while the bug has a copy
 *   mirrored  the line that names a bug's issue if see_also does not take the URL
 *   fixed     what closed the issue, and so the bug
 *   open, merged, closed   what became of a pull request
 *   commits   which commits name the bug
 */
export interface TrackerMarker {
  readonly kind: 'wrote' | 'edited' | 'deleted' | 'mirrored' | 'fixed' | 'commits' | PullState;
  readonly url: string;
  readonly revision: string | null;
  /** Absent if the text is complete; otherwise the revision is present. */
  readonly part?: Part;
}

export const wroteLine = (login: string, url: string, of?: PartOf): string =>
  `GitHub user ${login} wrote (${url}${of === undefined ? '' : `, revision ${of.revision}${partWords(of)}`}):`;
export const editedLine = (url: string, of: { readonly revision: string } | PartOf): string =>
  `GitHub user ${somebody} edited (${url}, revision ${of.revision}${'index' in of ? partWords(of) : ''}):`;

/** Who edited, until GitHub says: it is not always the author. */
export const somebody = 'somebody';

/** A report with the name of who edited. */
export const withEditor = (report: string, login: string): string =>
  report.replace(`GitHub user ${somebody} edited`, () => `GitHub user ${login} edited`);

export interface PartOf extends Part {
  readonly revision: string;
}

const partWords = ({ index, count }: Part): string => `, part ${index} of ${count}`;

const partOf = (index: string | undefined, count: string | undefined): { readonly part?: Part } =>
  index === undefined || count === undefined ? {} : { part: { index: Number(index), count: Number(count) } };

export const deletedLine = (login: string, url: string): string =>
  `A comment of GitHub user ${login} was deleted on GitHub (${url}).`;
export const mirroredLine = (url: string): string => `This bug is mirrored on GitHub (${url}).`;

/** The line that names a bug's issue once the tracker is retired. */
export const movedLine = (url: string): string => `This bug has moved to GitHub (${url}).`;

/** What closed an issue, as far as the line under it says so. */
export interface Fix {
  readonly url: string;
  readonly repo: string;
  readonly pull: number | null;
  readonly commit: string | null;
  readonly login: string | null;
}

/** `Fixed by acme/widget#34 (abc1234) by mona (https://...).` */
export function fixedLine({ url, repo, pull, commit, login }: Fix): string {
  const place = pull === null ? `${repo}@${commit ?? ''}` : `${repo}#${pull}${commit === null ? '' : ` (${commit})`}`;
  return `Fixed by ${place}${login === null ? '' : ` by ${login}`} (${url}).`;
}

/** The key of the comment that says so: it is said once of each fix. */
export const fixedRemark = (url: string): string => `fixed by ${url}`;

/**
 * What became of a pull request.
 *
 * @param end a colon if its title follows, and a full stop where an attachment already shows the title
 */
export function pullLine({ state, url, login }: Pick<LinkPull, 'state' | 'url' | 'login'>, end: ':' | '.'): string {
  if (state === 'open') return `GitHub user ${login} opened a pull request (${url})${end}`;
  return `The pull request of GitHub user ${login} was ${state} (${url})${end}`;
}

/** The key of the comment that says so. */
export const pullRemark = (state: PullState, url: string): string => `pull ${state} ${url}`;

/** Which commits of a push name the bug; they follow. */
export function pushLine(repo: string, { branch, url, commits }: Pick<LinkPush, 'branch' | 'url' | 'commits'>): string {
  const [count, names] = commits.length === 1 ? ['A commit', 'names'] : [`${commits.length} commits`, 'name'];
  return `${count} on ${branch} of ${repo} ${names} this bug (${url}):`;
}

/** The key of the comment that says so. */
export const pushRemark = (url: string): string => `commits ${url}`;

/** Whether it is about a text on the issue; the other kinds are words of the bridge's own. */
export const isAboutText = ({ kind }: TrackerMarker): boolean =>
  kind === 'wrote' || kind === 'edited' || kind === 'deleted';

/** Whether it says what became of a pull request. */
export const isAboutPull = ({ kind }: TrackerMarker): boolean =>
  kind === 'open' || kind === 'merged' || kind === 'closed';

/** Reads the first line of a tracker comment. */
export function parseTrackerMarker(text: string): TrackerMarker | null {
  const line = text.split('\n', 1)[0] ?? '';
  const match =
    /^GitHub user \S+ (wrote|edited) \((https?:[^\s,)]+)(?:, revision ([0-9a-f]+))?(?:, part (\d+) of (\d+))?\):$/u.exec(
      line,
    );
  if (match?.[2]) {
    const kind = match[1] === 'wrote' ? 'wrote' : 'edited';
    return { kind, url: match[2], revision: match[3] ?? null, ...partOf(match[4], match[5]) };
  }
  const deleted = /^A comment of GitHub user \S+ was deleted on GitHub \((https?:[^\s)]+)\)\.$/u.exec(line);
  if (deleted?.[1]) return { kind: 'deleted', url: deleted[1], revision: null };
  const fixed = /^Fixed by [^\s/]+\/\S+(?: \([0-9a-f]+\))?(?: by \S+)? \((https?:[^\s)]+)\)\.$/u.exec(line);
  if (fixed?.[1]) return { kind: 'fixed', url: fixed[1], revision: null };
  const opened = /^GitHub user \S+ opened a pull request \((https?:[^\s)]+)\)[:.]$/u.exec(line);
  if (opened?.[1]) return { kind: 'open', url: opened[1], revision: null };
  const ended = /^The pull request of GitHub user \S+ was (merged|closed) \((https?:[^\s)]+)\)[:.]$/u.exec(line);
  if (ended?.[2]) return { kind: ended[1] === 'merged' ? 'merged' : 'closed', url: ended[2], revision: null };
  const commits = /^(?:A commit|\d+ commits) on \S+ of [^\s/]+\/\S+ names? this bug \((https?:[^\s)]+)\):$/u.exec(line);
  if (commits?.[1]) return { kind: 'commits', url: commits[1], revision: null };
  const mirrored = /^This bug (?:is mirrored on|has moved to) GitHub \((https?:[^\s)]+)\)\.$/u.exec(line);
  return mirrored?.[1] ? { kind: 'mirrored', url: mirrored[1], revision: null } : null;
}
