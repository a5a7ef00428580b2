export interface Verdict {
  readonly level: 'ok' | 'warning' | 'failure';
  readonly about: string;
  /** What was found, and what to do about it. */
  readonly words: string;
}

/** A finding of one topic; what it is about is added by the list of topics. */
export type Finding = Omit<Verdict, 'about'>;

export const fine = (words: string): Finding => ({ level: 'ok', words });
export const warning = (words: string): Finding => ({ level: 'warning', words });
export const failure = (words: string): Finding => ({ level: 'failure', words });
