/** What a reader found, as its program prints it in JSON: ids, so that one reader can be compared with another. */
export interface Found {
  readonly bugs: readonly number[];
  /** Of these, the bugs in a group. */
  readonly privateBugs: readonly number[];
  readonly comments: readonly number[];
  readonly attachments: readonly number[];
  /** Changed fields, as `bug second field`. */
  readonly history: readonly string[];
}

type Kind = keyof Found;

/** How many of each kind others found and this reader did not. Nobody but the readers knows what a live tracker has. */
export function missedBy(found: Found, all: readonly Found[]): Readonly<Record<`missed${Capitalize<Kind>}`, number>> {
  const missed = (kind: Kind, inKind: Kind = kind): number => {
    const own = new Set<number | string>(found[inKind]);
    const known = new Set(all.flatMap((each): readonly (number | string)[] => each[kind]));
    return [...known].filter((each) => !own.has(each)).length;
  };
  return {
    missedBugs: missed('bugs'),
    missedPrivateBugs: missed('privateBugs', 'bugs'),
    missedComments: missed('comments'),
    missedAttachments: missed('attachments'),
    missedHistory: missed('history'),
  };
}
