import type { RouteState } from '../kernel/context.ts';
import { type NotApplied, SideError } from '../model/outcome.ts';
import type { OutboxRow } from '../model/plan/outbox.ts';

/** So many in a row that GitHub refuses as it refuses an account without rights. */
const closedMax = 5;
/** So many in a row that are refused for what they contain: a firewall may refuse whatever we send. */
const contentMax = 50;

/** An import that was refused. It is planned again, and parked once the bug is the reason. */
export interface Refused {
  readonly row: OutboxRow;
  readonly refusal: string;
}

/**
 * Imports that GitHub refused, one after the other. Its answer may concern a bug alone, our account or all imports, and
 * does not say which. If GitHub takes another import, or took some before, each of these bugs is the reason; but a
 * person has to look before there are many.
 */
export class RefusedInARow {
  readonly #park: (refused: Refused) => Promise<void>;
  #hasTaken: boolean;
  #held: Refused[] = [];
  #why = '';
  #ofContent = 0;

  /** @param park parks the import, because its bug is the reason */
  constructor({ store, route }: RouteState, park: (refused: Refused) => Promise<void>) {
    this.#park = park;
    this.#hasTaken = store.links.count(route.name).whole > 0;
  }

  /** GitHub took an import. */
  async end(): Promise<void> {
    this.#hasTaken = true;
    this.#ofContent = 0;
    await this.#parkHeld();
  }

  /**
   * One more, and the bug or all imports are the reason. Throws `SideError` if a person has to look.
   * @param why what to do if all imports are refused
   */
  async add(refused: Refused, why: string): Promise<void> {
    this.#held.push(refused);
    this.#why = why;
    if (this.#held.length < closedMax) return;
    await this.decide();
    throw new SideError('unauthorized', `${why} The last ${closedMax} bugs were refused so, and are parked.`, {
      side: 'github',
    });
  }

  /** One more, for what it contains. Throws `SideError` if a person has to look. */
  addParked({ why }: Extract<NotApplied, { readonly kind: 'refused' }>): void {
    this.#ofContent += 1;
    if (this.#ofContent < contentMax) return;
    const words = `GitHub refused the last ${contentMax} imports, and their bugs are parked. The last answer: ${why}`;
    throw new SideError('refused', words, { side: 'github' });
  }

  /** No other import will say more. Throws `SideError` if GitHub has never taken one: it takes none of ours. */
  async decide(): Promise<void> {
    if (this.#held.length === 0) return;
    if (!this.#hasTaken) throw new SideError('unauthorized', this.#why, { side: 'github' });
    await this.#parkHeld();
  }

  async #parkHeld(): Promise<void> {
    for (const refused of this.#held.splice(0)) await this.#park(refused);
  }
}
