/**
 * Provenance in what the bridge writes, by which a copy is found again when its creation is in doubt or the state
 * database is lost. It is a means of recovery only: what is recorded in the database always wins.
 *
 *   on GitHub   the last line of a body is an invisible comment: <!-- bugferry:1 acme bug=12 comment=34 -->
 *   on tracker  the first line names the source: GitHub user mona wrote (https://github.com/o/r/issues/5#issuecomment-9):
 */
export interface GithubMarker {
  readonly bug: number;
  /** The tracker comment that was copied; null when the issue itself is meant. */
  readonly comment: number | null;
}

export function githubMarker(instance: string, { bug, comment }: GithubMarker): string {
  return `<!-- bugferry:1 ${instance} bug=${bug}${comment === null ? '' : ` comment=${comment}`} -->`;
}

/** Reads the marker at the very end of a body. One that somebody quoted in the middle does not count. */
export function parseGithubMarker(instance: string, body: string): GithubMarker | null {
  const match = /<!-- bugferry:1 (\S+) bug=(\d+)(?: comment=(\d+))? -->\s*$/u.exec(body);
  if (!match || match[1] !== instance) return null;
  return { bug: Number(match[2]), comment: match[3] === undefined ? null : Number(match[3]) };
}

/** The body without the lines that the bridge put under it. The website saves bodies with CRLF. */
export function withoutFooter(body: string): string {
  return body.replace(/\s*(?:(?:^|\n)---\r?\n[^\n]*\n+\s*)?<!-- bugferry:1 [^\n]*-->\s*$/u, '');
}

/**
 *   wrote     a comment or an issue, copied
 *   edited    a report that it was edited; `revision` is the digest of the new text
 *   mirrored  the line by which a bug names its issue where see_also does not take the URL
 */
export interface TrackerMarker {
  readonly kind: 'wrote' | 'edited' | 'mirrored';
  readonly url: string;
  readonly revision: string | null;
}

export const wroteLine = (login: string, url: string): string => `GitHub user ${login} wrote (${url}):`;
export const editedLine = (login: string, url: string, revision: string): string =>
  `GitHub user ${login} edited (${url}, revision ${revision}):`;
export const mirroredLine = (url: string): string => `This bug is mirrored on GitHub (${url}).`;

/** Reads the first line of a tracker comment. */
export function parseTrackerMarker(text: string): TrackerMarker | null {
  const line = text.split('\n', 1)[0] ?? '';
  const match = /^GitHub user \S+ (wrote|edited) \((https?:[^\s,)]+)(?:, revision ([0-9a-f]+))?\):$/u.exec(line);
  if (match?.[2]) return { kind: match[1] === 'wrote' ? 'wrote' : 'edited', url: match[2], revision: match[3] ?? null };
  const mirrored = /^This bug is mirrored on GitHub \((https?:[^\s)]+)\)\.$/u.exec(line);
  return mirrored?.[1] ? { kind: 'mirrored', url: mirrored[1], revision: null } : null;
}
