/** The pull request or commit that closed an issue. */
export interface Closer {
  readonly url: string;
  /** `owner/name`; it may be another repository than that of the issue. */
  readonly repo: string;
  readonly isPrivate: boolean;
  /** The number of the pull request; null for a commit. */
  readonly pull: number | null;
  /** The beginning of the commit's digest; null if GitHub does not name the commit of a pull request. */
  readonly commit: string | null;
  /** Its author on GitHub; null if that account is unknown. */
  readonly login: string | null;
}
