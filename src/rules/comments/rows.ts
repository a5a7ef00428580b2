import type { Side } from '../../model/ids.ts';
import { bodyId, type CommentLink, type NewCommentLink } from '../../model/link.ts';
import { isSamePart } from './parts.ts';

/** A comment link at its place; it changes while the thread is read. */
interface Slot {
  row: NewCommentLink;
}

/**
 * The comment links of a link while a thread is read, as the comments read so far have left them. Maps find them, so
 * that a long thread costs no more per comment than a short one.
 */
export class ThreadRows {
  readonly #stored: readonly Slot[];
  readonly #added: Slot[] = [];
  readonly #changed = new Set<Slot>();
  readonly #byId = new Map<number, Slot>();
  readonly #byComment = new Map<number, Slot>();
  readonly #bySource = new Map<string, Slot[]>();
  readonly #description: Slot | undefined;

  /** @param side the side whose thread is read */
  constructor(side: Side, commentLinks: readonly CommentLink[]) {
    this.#stored = commentLinks.map((row) => {
      const slot = this.#place({ row });
      const id = idOn(side, row);
      this.#byId.set(row.id, slot);
      if (id !== null && !this.#byComment.has(id)) this.#byComment.set(id, slot);
      return slot;
    });
    this.#description = this.#stored.find(
      ({ row: { origin, part, copy } }) => origin === 'tracker' && part === 1 && copy?.id === bodyId,
    );
  }

  /** The stored comment link of a comment on the side that is read, as its source or as its copy. */
  ofComment(id: number): CommentLink | undefined {
    return stored([this.#byComment.get(id)])[0];
  }

  /** All stored comment links. */
  get stored(): readonly CommentLink[] {
    return stored(this.#stored);
  }

  /** The stored comment links of one text: of its first part and of the further ones. */
  storedParts(origin: Side, source: number): readonly CommentLink[] {
    return stored(this.#bySource.get(key(origin, source)) ?? []);
  }

  /** The comment links of one text, with those that this reading added. */
  parts(origin: Side, source: number): readonly NewCommentLink[] {
    return (this.#bySource.get(key(origin, source)) ?? []).map(({ row }) => row);
  }

  /** The description of the bug, if its copy is the body of the issue, or may be: an older state need not know it yet. */
  get description(): NewCommentLink | undefined {
    const mayBe = ({ row: { origin, count, part, copy } }: Slot): boolean =>
      origin === 'tracker' && count === 0 && part === 1 && copy === null;
    return (this.#description ?? this.#stored.find(mayBe) ?? this.#added.find(mayBe))?.row;
  }

  /** Saves a stored comment link, replaces one that this reading added for the same part, or adds one. */
  put(row: NewCommentLink): void {
    const slot = isStored(row) ? this.#byId.get(row.id) : this.#addedFor(row);
    if (slot === undefined) this.#added.push(this.#place({ row }));
    else {
      slot.row = row;
      if (isStored(row)) this.#changed.add(slot);
    }
  }

  /** The result: the added comment links, and the saved ones. */
  changes(): { readonly add: readonly NewCommentLink[]; readonly save: readonly CommentLink[] } {
    return { add: this.#added.map(({ row }) => row), save: stored([...this.#changed]) };
  }

  #addedFor(row: NewCommentLink): Slot | undefined {
    const slots = this.#bySource.get(key(row.origin, row.source)) ?? [];
    return slots.find((slot) => !isStored(slot.row) && isSamePart(slot.row, row));
  }

  #place(slot: Slot): Slot {
    const at = key(slot.row.origin, slot.row.source);
    const slots = this.#bySource.get(at);
    if (slots === undefined) this.#bySource.set(at, [slot]);
    else slots.push(slot);
    return slot;
  }
}

/** The id of the comment that a comment link has on a side. Further parts share the source of the first part. */
export const idOn = (side: Side, { origin, copy, part, source }: NewCommentLink): number | null =>
  origin !== side ? (copy?.id ?? null) : part === 1 ? source : null;

const key = (origin: Side, source: number): string => `${origin} ${source}`;

export const isStored = (row: NewCommentLink): row is CommentLink => 'id' in row;

const stored = (slots: readonly (Slot | undefined)[]): readonly CommentLink[] =>
  slots.flatMap((slot) => (slot !== undefined && isStored(slot.row) ? [slot.row] : []));
