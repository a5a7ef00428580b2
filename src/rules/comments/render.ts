import type { CommentLinkId } from '../../model/ids.ts';
import type { Link } from '../../model/link.ts';
import type { CommentOperation, Operation, RemarkOperation, RewriteOperation } from '../../model/plan/operation.ts';
import type { TextInput } from '../../model/plan/plan-input.ts';
import type { Public } from '../../model/plan/public.ts';
import type { Route, Vocabulary } from '../../model/route.ts';
import { remarkMarker } from '../../text/marker.ts';
import { shownCommentLinks } from '../attachments/notice.ts';
import { labelRemark } from '../labels/wrong-labels.ts';
import { redirectText } from '../people/people.ts';
import { fromGithub, gate } from '../privacy/gate.ts';
import { type Copy, copyOf, textsOf } from './copy.ts';

/**
 * Operations name the comment to show. Its text is written here, from current knowledge: when it is sent, and when a
 * plan is printed.
 *
 *   text    the text to write
 *   hidden  it may not be shown, or no longer
 *   moved   its text has changed, or needs a different number of comments: it must be planned again
 */
export type Rendering =
  | { readonly kind: 'text'; readonly text: string; readonly isMarkdown: boolean }
  | { readonly kind: 'hidden' }
  | { readonly kind: 'moved' };

/** An operation with its text. */
export type Rendered<Wish extends Operation> = Wish & { readonly text: string };

type Renderer = (operation: CommentOperation | RewriteOperation) => Rendering;

/** Comments that were written a moment ago can already be linked to. */
export const render = (route: Route, input: TextInput, operation: CommentOperation | RewriteOperation): Rendering =>
  rendererOf(route, input)(operation);

/** For many texts of one link. */
export function rendererOf(route: Route, input: TextInput): Renderer {
  const open = openFor(route, input);
  if (open === null) return () => ({ kind: 'hidden' });
  const commentLinks = shownCommentLinks(route.attachments, open.commentLinks, open.attachmentLinks);
  const shown = { ...open, commentLinks };
  return (operation) => {
    if (!open.commentLinks.some(({ id }) => id === operation.commentLink)) return { kind: 'hidden' };
    const row = commentLinks.find(({ id }) => id === operation.commentLink);
    const head = commentLinks.find(
      ({ part, origin, source }) => part === 1 && origin === row?.origin && source === row.source,
    );
    if (row === undefined || head === undefined) return { kind: 'moved' };
    const [tells, part] =
      operation.kind === 'comment' ? [operation.tells, operation.part] : (['copy', row.part] as const);
    // A mirrored text is not kept forever, and is read again when it is needed.
    const isForgotten = tells === 'copy' && head.text === null && head.state !== 'pending';
    const written = isForgotten ? null : textsOf(route, shown, head, tells);
    const text = written?.texts[part - 1];
    const isSame = written?.digest === operation.digest && written.texts.length === operation.parts;
    return isSame && text !== undefined ? { kind: 'text', text, isMarkdown: written.isMarkdown } : { kind: 'moved' };
  };
}

/** The part of the link that may be shown now. */
function openFor(route: Route, input: TextInput): Public<TextInput> | null {
  const gated = gate(route, input);
  if (gated.kind === 'hidden') return null;
  return gated.kind === 'open' ? gated.input : fromGithub(input);
}

/** The current text of a comment's copy; null if it may not be shown. */
export function copyNow(route: Route, input: TextInput, id: CommentLinkId): Copy | null {
  const gated = gate(route, input);
  if (gated.kind !== 'open') return null;
  const { commentLinks, attachmentLinks } = gated.input;
  const commentLink = shownCommentLinks(route.attachments, commentLinks, attachmentLinks).find(
    (each) => each.id === id,
  );
  return commentLink === undefined || commentLink.text === null ? null : copyOf(route, gated.input, commentLink);
}

export interface RenderContext {
  readonly route: Route;
  readonly vocabulary: Vocabulary;
}

/** The text of an explanation; null if its subject is unknown. */
export function renderRemark(
  { route, vocabulary }: RenderContext,
  { tracker }: Link,
  { answers, remark }: RemarkOperation,
): string | null {
  const words = answers === null ? redirectText(route) : tracker && labelRemark(answers, tracker, vocabulary);
  return words === null ? null : `${words}\n\n${remarkMarker(route.instance, remark)}`;
}

/** What a printed plan shows of an operation's text. */
export interface Wording {
  readonly text?: string;
  readonly isMarkdown?: true;
}

export function printedText(
  { route }: RenderContext,
  input: TextInput,
  operation: CommentOperation | RewriteOperation,
): Wording {
  const rendering = render(route, input, operation);
  if (rendering.kind !== 'text') return {};
  return { text: rendering.text, ...(rendering.isMarkdown ? { isMarkdown: true } : {}) };
}
