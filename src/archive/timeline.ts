import { html } from 'hono/html';
import type { ReadChange, ReadComment } from '../model/archive/ports.ts';
import type { BugRecord } from './bug-record.ts';
import { joinedMarkup, type Markup, momentHtml } from './page.ts';
import { attachmentPath } from './paths.ts';
import type { PageReferences } from './references.ts';
import { commentHtml, wordsHtml } from './words.ts';

/** Comments and changes, oldest first. Changes by one person at one time form one block. */
export function timelineHtml(record: BugRecord, references: PageReferences, root: string): Markup {
  const blocks = [
    ...record.comments.map((comment, index) => ({
      at: comment.at,
      order: 0,
      index,
      block: commentBlock(comment, references),
    })),
    ...groupsOf(record.changes).map((changes, index) => ({
      at: changes[0]?.at ?? 0,
      order: 1,
      index,
      block: changesBlock(changes, references, root),
    })),
  ];
  const ordered = blocks.sort((one, other) => one.at - other.at || one.order - other.order || one.index - other.index);
  return joinedMarkup(
    ordered.map(({ block }) => block),
    '\n',
  );
}

function commentBlock(
  { id, count, author, at, text, isMarkdown, tags }: ReadComment,
  references: PageReferences,
): Markup {
  const name = count === null ? '' : count === 0 ? 'Description' : `Comment ${count}`;
  const anchor = count === null ? `comment-${id}` : `c${count}`;
  const shownTags = joinedMarkup(
    tags.map((tag) => html`<span class="tag">${tag}</span>`),
    ' ',
  );
  const body = text.trim() === '' ? '' : commentHtml({ text, isMarkdown }, references);
  return html`<article class="comment" id="${anchor}">
<header><b>${author}</b> <a class="anchor" href="#${anchor}">${name}</a> ${shownTags} ${momentHtml(at)}</header>
${body}
</article>`;
}

function groupsOf(changes: readonly ReadChange[]): readonly (readonly ReadChange[])[] {
  const groups: ReadChange[][] = [];
  for (const change of changes) {
    const last = groups.at(-1);
    if (last?.[0] !== undefined && last[0].at === change.at && last[0].author === change.author) last.push(change);
    else groups.push([change]);
  }
  return groups;
}

function changesBlock(changes: readonly ReadChange[], references: PageReferences, root: string): Markup {
  const [first] = changes;
  if (first === undefined) return html``;
  const items = changes.map(({ field, removed, added, attachment }) => {
    const about =
      attachment === null ? '' : html` <a href="${root}${attachmentPath(attachment)}">of attachment ${attachment}</a>`;
    const old = removed === '' ? [] : [html`<del>${value(field, removed, references)}</del>`];
    const fresh = added === '' ? [] : [html`<ins>${value(field, added, references)}</ins>`];
    return html`<li><b>${fieldWords(field)}</b>${about}: ${joinedMarkup([...old, ...fresh], ' → ')}</li>`;
  });
  return html`<div class="changes"><p>${first.author} ${momentHtml(first.at)}</p><ul>${items}</ul></div>`;
}

/** The numbers in these fields name bugs. */
const namesBugs: ReadonlySet<string> = new Set(['depends_on', 'blocks', 'dupe_of']);

function value(field: string, text: string, references: PageReferences): Markup | string {
  if (!namesBugs.has(field)) return text;
  return joinedMarkup(
    text.split(', ').map((id) => wordsHtml(`bug ${id}`, references)),
    ', ',
  );
}

const words: Readonly<Record<string, string>> = {
  op_sys: 'operating system',
  target_milestone: 'target milestone',
  assigned_to: 'assignee',
  qa_contact: 'QA contact',
  depends_on: 'depends on',
  dupe_of: 'duplicate of',
  see_also: 'see also',
  is_confirmed: 'confirmed',
  'flagtypes.name': 'flags',
  'attachments.description': 'description',
  'attachments.filename': 'file name',
  'attachments.mimetype': 'type',
  'attachments.ispatch': 'patch',
  'attachments.isobsolete': 'obsolete',
};

const fieldWords = (field: string): string => words[field] ?? field;
