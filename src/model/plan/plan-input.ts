import type { AttachmentLink } from '../attachment.ts';
import type { Side } from '../ids.ts';
import type { FieldName, Fields } from '../item.ts';
import type { CommentLink, Link, SettledFields } from '../link.ts';
import type { Authors, OwnAccounts } from '../people.ts';
import type { LinkPull } from '../pulls/pull.ts';
import type { LinkPush } from '../pulls/push.ts';
import type { Route, Vocabulary } from '../route.ts';
import type { Operation, Plan } from './operation.ts';
import type { PublicNeighbour, PublicTarget } from './public.ts';
import type { Withdrawal } from './withdrawal.ts';

/** A link with everything needed to plan it, from the state. `gate` decides which of it may leave the tracker. */
export interface PlanInput {
  readonly link: Link;
  readonly commentLinks: readonly CommentLink[];
  readonly attachmentLinks: readonly AttachmentLink[];
  /** The targets of references in the texts that have to be written. */
  readonly targets: readonly PublicTarget[];
  /** The bug whose issue this issue duplicates according to GitHub, if known. */
  readonly duplicateOf: Link['bug'];
  /** Whether its issue was closed as a duplicate of nothing, and its original can be named now. */
  readonly isToName?: boolean;
  /** The issue of the bug that an issue of ours names, if it is another one. */
  readonly double?: { readonly issue: number; readonly isArriving: boolean };
  /** The values that the tracker last refused field by field; empty if there are none. */
  readonly refused: Fields;
  /** What became of its differences, if its state was older than what both sides show. */
  readonly settled?: SettledFields;
  /** The links that its relations point to. */
  readonly neighbours: readonly PublicNeighbour[];
  /**
   * On a one-way route: the fields that were corrected on its mirror within `correctionsMs`, once per correction;
   * absent if there are none.
   */
  readonly corrected?: readonly FieldName[];
  /** Pull requests that name it; absent if the route does not report them. */
  readonly pulls?: readonly LinkPull[];
  /** Pushes with commits that name it; absent if the route does not report them. */
  readonly pushes?: readonly LinkPush[];
  /** Whether the tracker takes Markdown from us. */
  readonly takesMarkdown?: boolean;
  /** Whether a comment of the issue that GitHub has not listed yet may precede those that have no copy. */
  readonly isOutrun?: boolean;
}

/** The part of it that a text is written from. */
export type TextInput = Pick<PlanInput, 'link' | 'commentLinks' | 'attachmentLinks' | 'targets' | 'takesMarkdown'>;

/** The result of planning: what both sides need. */
export interface CyclePlan {
  readonly plan: Plan;
  /** Whose change it carries, for each link that it changes in what is mirrored. */
  readonly changed: readonly (Authors & Pick<Operation, 'link'>)[];
  /** The operations that could be performed now, in order. */
  readonly ready: Plan['operations'];
  /** As many of those as one cycle may write. */
  readonly operations: Plan['operations'];
  /** The operations that are parked or not yet due. */
  readonly held: Plan['operations'];
  /** Until when reports of edits wait that are held, because others left shortly before; by key. */
  readonly spaced: ReadonlyMap<string, number>;
  /** The links that were planned, the most urgent first. */
  readonly selected: readonly Link[];
  /** How many links of the route have two ends; 0 when there is nothing to do. */
  readonly links: number;
  /** Withdrawals and restorations on GitHub, which come before all other writes. */
  readonly withdrawals: ReadonlyMap<Link['id'], readonly Withdrawal[]>;
}

/** Everything that is the same for all links of a route during one planning. */
export interface PlanContext {
  readonly route: Route;
  readonly vocabulary: Vocabulary;
  /** Sides that have been read completely: only then is a missing counterpart really missing. */
  readonly isComplete: Readonly<Record<Side, boolean>>;
  /** Our accounts, as far as the sides say. */
  readonly own: OwnAccounts;
  /** The organisation's fields that rules name and GitHub does not have; `route` does not contain those rules. */
  readonly missing?: readonly string[];
}
