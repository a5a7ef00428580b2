import type { Hint } from '../model/hint.ts';
import type { Side } from '../model/side.ts';
import type { Standing } from '../model/standing.ts';
import type { Readiness } from './health.ts';

/** What the door shows of a bridge, and what people may ask of it there. */
export interface Panel {
  now(): number;
  standings(): readonly Standing[];
  readiness(): Readiness;
  metrics(): Promise<{ readonly type: string; readonly text: string }>;
  hint(hint: Hint): void;
  /** Counts a webhook by what was made of it. */
  hinted(side: Side, outcome: string): void;
}
