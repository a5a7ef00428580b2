import type { Leave, NoticeOutcome } from './notice.ts';

/** After this many refusals for one reason before any bug is closed, the tracker does not accept the status. */
const refusalsMax = 3;

/**
 * Finds out with the first bugs whether the tracker accepts the closing status, before all others are tried in vain.
 */
export class Trial {
  readonly #closing: Leave['closing'];
  readonly #refusals: string[] = [];
  #isOver = false;

  constructor(closing: Leave['closing']) {
    this.#closing = closing;
  }

  /** Records the outcome for one bug. Returns why no other should be tried; null to go on. */
  judgeFirst(outcome: NoticeOutcome): string | null {
    if (this.#closing === null || this.#isOver) return null;
    if (outcome.kind === 'done' && outcome.isClosed) this.#isOver = true;
    if (outcome.kind !== 'refused' || !outcome.isClosing) return null;
    this.#refusals.push(outcome.why);
    if (this.#refusals.length < refusalsMax) return null;
    this.#isOver = true;
    // The tracker's message may contain the number of the bug.
    const reasons = new Set(this.#refusals.map((why) => why.replaceAll(/\d+/gu, '0')));
    if (reasons.size > 1) return null;
    const { status, resolution } = this.#closing;
    const what = `the first ${refusalsMax} bugs that were to be closed with ${status}/${resolution}`;
    return `the tracker refused ${what}, so no other was asked; pass another status with --status, or fix the cause: ${outcome.why}`;
  }
}
