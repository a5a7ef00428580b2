import type { AttachmentLink } from '../model/attachment.ts';
import type { Side } from '../model/ids.ts';
import type { FieldName, Fields } from '../model/item.ts';
import type { CommentLink, Link } from '../model/link.ts';
import type { Plan } from '../model/operation.ts';
import type { Route, Vocabulary } from '../model/route.ts';
import type { Withdrawal } from '../model/withdrawal.ts';
import type { PublicNeighbour, PublicTarget } from '../privacy/gate.ts';

/** A link with all that planning it needs, as it is remembered: what of it may leave the tracker, `gate` decides. */
export interface PlanInput {
  readonly link: Link;
  readonly commentLinks: readonly CommentLink[];
  readonly attachmentLinks: readonly AttachmentLink[];
  /** What the texts refer to that are to be written. */
  readonly targets: readonly PublicTarget[];
  /** The bug whose issue this one is said to duplicate on GitHub, when that can be told. */
  readonly duplicateOf: Link['bug'];
  /** What was last asked of the tracker, and refused field by field; empty when nothing was. */
  readonly refused: Fields;
  /** The links that its relations point to. */
  readonly neighbours: readonly PublicNeighbour[];
  /** On a one-way route: the fields that were put right on its mirror within `correctionsMs`, one for each time; absent where none was. */
  readonly corrected?: readonly FieldName[];
  /** Whether the tracker takes Markdown from us. */
  readonly takesMarkdown?: boolean;
}

/** What a look at both sides asks for. */
export interface Wanted {
  readonly plan: Plan;
  /** What of the plan could be written now, in order. */
  readonly ready: Plan['operations'];
  /** As much of that as one cycle may write. */
  readonly operations: Plan['operations'];
  /** What is parked, or waits for its time. */
  readonly held: Plan['operations'];
  /** The links that were planned, the most urgent first. */
  readonly selected: readonly Link[];
  /** How many links of the route have two ends; 0 when nothing is to be done. */
  readonly links: number;
  /** What has to go from GitHub before anything else is written, or may come back. */
  readonly withdrawals: ReadonlyMap<Link['id'], readonly Withdrawal[]>;
}

/** What holds for all links of a route during one planning. */
export interface PlanContext {
  readonly route: Route;
  readonly vocabulary: Vocabulary;
  /** Sides that have been read from end to end: only then is a missing counterpart really missing. */
  readonly isComplete: Readonly<Record<Side, boolean>>;
  /** Our accounts, as far as the sides tell. */
  readonly own: Readonly<Record<Side, string | null>>;
  /** Fields of the organisation that rules name and GitHub does not have; those rules are not among the route's. */
  readonly missing?: readonly string[];
}
