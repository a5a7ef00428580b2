/** Where texts may lead: who is whose counterpart, by ids alone. */
export interface Places {
  /** Pages that may be meant by a bug: its issue, and its own page. None for one that is hidden. */
  bug(id: number): readonly string[];
  /** Pages that may be meant by a comment of a bug, by its number there. */
  comment(bug: number, count: number): readonly string[];
  attachment(id: number): readonly string[];
  /** Whether the copy of a comment was given up, so that links to where it stood lead nowhere now. */
  isGivenUp(bug: number, count: number): boolean;
  /** The bug that an issue mirrors; the repository is null for the route's own. Null when there is none. */
  bugOf(repo: string | null, issue: number): number | null;
}
