/**
 * What people did on both sides, as far as it must not be lost or must not be seen. Every text is unique, so that it
 * can be looked for.
 */
export interface Actions {
  /** The last title that people gave on each side: by bug, and by the address of the issue. */
  readonly bugTitles: Map<number, string>;
  readonly issueTitles: Map<string, string>;
  /** Public comments by bug, and comments by the address that the issue had then, as they stand. */
  readonly bugComments: Map<string, number>;
  readonly issueComments: Map<string, Said>;
  /** Contents of public files, by bug. */
  readonly files: Map<string, number>;
  /** What must not stand on GitHub while its bug is private; null: never. */
  readonly secrets: Map<string, number | null>;
  /**
   * Bugs that are private at the end, and those that were private at some time: what is said on the latter comes back
   * in another order.
   */
  readonly hidden: Set<number>;
  readonly onceHidden: Set<number>;
  /** Bugs that people moved to another product. */
  readonly onceMoved: Set<number>;
  /** Addresses of issues that people opened. */
  readonly opened: Set<string>;
  /** Where people transferred the issue at an address. */
  readonly transferred: Map<string, string>;
  /** Addresses of issues whose bugs were lost with a tracker that went back. */
  readonly letGo: Set<string>;
  acts: number;
}

export interface Said {
  readonly repo: string;
  readonly issue: number;
  readonly id: number;
}

/** How an issue is called across repositories. */
export const addressOf = (repo: string, number: number): string => `${repo}/issues/${number}`;

export const noActions = (): Actions => ({
  bugTitles: new Map(),
  issueTitles: new Map(),
  bugComments: new Map(),
  issueComments: new Map(),
  files: new Map(),
  secrets: new Map(),
  hidden: new Set(),
  onceHidden: new Set(),
  onceMoved: new Set(),
  opened: new Set(),
  transferred: new Map(),
  letGo: new Set(),
  acts: 0,
});

/** An act of people, drawn by its weight. */
export interface Act {
  readonly weight: number;
  readonly act: () => Promise<void> | void;
}
