/** A kind of flag. All kinds here are active, may be requested by everybody and set by everybody, in every product. */
export interface FlagType {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly target: 'bug' | 'attachment';
  /** One thing may carry several flags of the kind. */
  readonly isMultiplicable: boolean;
  /** A request may be addressed to somebody. */
  readonly isRequesteeble: boolean;
}

/** The kinds of the measured installation, by name, which is the order in which flags are shown. */
export const flagTypes: readonly FlagType[] = [
  { id: 4, name: 'approval', description: 'approve', target: 'attachment', isMultiplicable: true, isRequesteeble: false },
  { id: 2, name: 'blocker', description: 'blocks the release', target: 'bug', isMultiplicable: false, isRequesteeble: false },
  { id: 1, name: 'needinfo', description: 'more info wanted', target: 'bug', isMultiplicable: true, isRequesteeble: true },
  { id: 3, name: 'review', description: 'review me', target: 'attachment', isMultiplicable: false, isRequesteeble: true },
];

export const flagTypesOf = (target: FlagType['target']): readonly FlagType[] => flagTypes.filter((type) => type.target === target);

/** The name of a kind by its number; empty for a number that stands for none. */
export const flagName = (typeId: number): string => flagTypes.find((type) => type.id === typeId)?.name ?? '';
