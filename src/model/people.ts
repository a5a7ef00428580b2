/** Who on the tracker is who on GitHub. Neither side tells logins apart by case; each login stands here at most once. */
export interface People {
  /** GitHub login by tracker login in lower case. */
  readonly github: ReadonlyMap<string, string>;
  /** Tracker login by GitHub login in lower case. */
  readonly tracker: ReadonlyMap<string, string>;
  /** Tracker accounts that stand for nobody. A bug from which everybody was taken goes to the first of them. */
  readonly nobody: readonly string[];
}
