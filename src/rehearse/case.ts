import type { Scratch } from './scratch.ts';

/** One assumption that the bridge makes of GitHub. */
export interface Case {
  readonly id: string;
  /** As one sentence. */
  readonly assumes: string;
  /** The files below `src` that rely on it. */
  readonly usedIn: readonly string[];
  /** What has to be seen, in words; `fits` decides if it is given, otherwise the words have to be equal. */
  readonly expects: string;
  readonly fits?: RegExp;
  /** What a difference means for the operator. */
  readonly means: string;
  readonly needs?: readonly Need[];
  /** May run again after a crash, so it uses new names. */
  readonly observe: (scratch: Scratch) => Promise<Observation>;
}

/** What was seen, in words; or why nothing could be. */
export type Observation = string | { readonly untried: string };

export const untried = (why: string): Observation => ({ untried: why });

/** What a case needs that not every repository or account has. */
export type Need = 'admin' | 'types' | 'fields' | 'commits' | 'second';

export interface Family {
  readonly name: string;
  readonly cases: readonly Case[];
}
