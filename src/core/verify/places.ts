/** Where texts may lead: who is whose counterpart, by ids alone. */
export interface Places {
  /** Pages that may be meant by a bug: its issue, and its own page. None for one that is hidden. */
  bug(id: number): readonly string[];
  /** Pages that may be meant by a comment of a bug, by its number there. */
  comment(bug: number, count: number): readonly string[];
  attachment(id: number): readonly string[];
  /**
   * Issues in which something stood once that is hidden or deleted now, so that links to it lead nowhere: a bug that became private, or
   * with a number one of its comments. None for what stands, or never did.
   */
  formerly(bug: number, count: number | null): readonly string[];
  /** The bug that an issue mirrors; the repository is null for the route's own. Null when there is none. */
  bugOf(repo: string | null, issue: number): number | null;
}
