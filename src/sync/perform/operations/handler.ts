import type { Context, Performed } from '../../../kernel/context.ts';
import type { Link } from '../../../model/link.ts';
import type { Operation, OperationKind } from '../../../model/plan/operation.ts';
import type { OutboxRow } from '../../../model/plan/outbox.ts';
import type { PlanInput } from '../../../model/plan/plan-input.ts';
import type { RenderContext, Wording } from '../../../rules/comments/render.ts';

/**
 * How operations of one kind are performed. What else the program knows of it is in the file of the same name in
 * `rules/operations`.
 */
export interface OperationHandler<Kind extends OperationKind> {
  /** Sends and records it. The link is live. */
  perform(context: Context, row: OutboxRow, link: Link, operation: Operation<Kind>): Promise<Performed>;
  /** Whether a request without an answer took effect, by what the sides show now. */
  hasArrived(context: Context, link: Link, operation: Operation<Kind>): boolean;
  /** The text that a printed plan shows with it. New bugs and issues contain their texts in their drafts. */
  printed(stage: RenderContext, input: PlanInput, operation: Operation<Kind>): Wording;
}

export const wordless = (): Wording => ({});

export const applied: Performed = { result: { kind: 'applied', why: null }, isBlocking: false, wantsPlan: false };

/** The answer shows the whole item: edits made meanwhile are known now, and no poll will bring them as news. */
export const answered: Performed = { ...applied, wantsPlan: true };
