import type { Leave, Left } from './notice.ts';

/** When so many are refused for one reason before any is closed, it is the status that the tracker does not take. */
const refusalsMax = 3;

/** Whether the tracker takes what bugs are to be closed with: the first ones show it, before every other one is asked in vain. */
export class Trial {
  readonly #closing: Leave['closing'];
  readonly #refusals: string[] = [];
  #isOver = false;

  constructor(closing: Leave['closing']) {
    this.#closing = closing;
  }

  /** Takes down what became of one bug. Answers why no other is to be asked; null while there is hope. */
  judge(outcome: Left): string | null {
    if (this.#closing === null || this.#isOver) return null;
    if (outcome.kind === 'done' && outcome.isClosed) this.#isOver = true;
    if (outcome.kind !== 'refused' || !outcome.isClosing) return null;
    this.#refusals.push(outcome.why);
    if (this.#refusals.length < refusalsMax) return null;
    this.#isOver = true;
    // The tracker may name the bug in its words.
    const reasons = new Set(this.#refusals.map((why) => why.replaceAll(/\d+/gu, '0')));
    if (reasons.size > 1) return null;
    const { status, resolution } = this.#closing;
    const what = `the first ${refusalsMax} bugs that were to be closed with ${status}/${resolution}`;
    return `the tracker refused ${what}, so no other was asked; name another status with --status, or mend what it tells: ${outcome.why}`;
  }
}
