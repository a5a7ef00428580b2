export interface Verdict {
  readonly level: 'ok' | 'warning' | 'failure';
  readonly about: string;
  /** The finding, and what to do about it. */
  readonly words: string;
}

/** A finding of one topic; `judge` adds `about`. */
export type Finding = Omit<Verdict, 'about'>;

export const fine = (words: string): Finding => ({ level: 'ok', words });
export const warning = (words: string): Finding => ({ level: 'warning', words });
export const failure = (words: string): Finding => ({ level: 'failure', words });
