/** Sends writes to the tracker: new bugs, changes and comments. */

import { bugId } from '../model/ids.ts';
import type { Bug, Comment } from '../model/item.ts';
import type { Outcome } from '../model/outcome.ts';
import type { BugDraft, BugPatch } from '../model/plan/draft.ts';
import { readHistory } from './api/bulk.ts';
import type { Answer } from './connection/answer.ts';
import { isNotTold, isUnreachable, TrackerError } from './connection/errors.ts';
import { bugUrl, kept, personOf, read, written } from './map.ts';
import { isMarkdownRefused } from './markdown.ts';
import { outcomeOf, outcomeOfLook } from './outcome.ts';
import { createdSchema, updatedSchema } from './schema.ts';
import { probe, readBug, type TrackerSession } from './session.ts';
import { asFiled, draftBody, isTouched, lostValues, patchBody, updatedBug } from './write.ts';

/** If the tracker refuses a see_also, it refuses the whole bug, so the bug is filed without it. */
const seeAlsoRefused = 112;

export async function createBug(session: TrackerSession, draft: BugDraft): Promise<Outcome<Bug>> {
  try {
    const created = await session.client.create(
      ['bug'],
      draftBody(written(session.characters, draft), session.markdown),
      createdSchema,
    );
    return await filedBug(session, draft, created);
  } catch (failure) {
    if (!(failure instanceof TrackerError)) throw failure;
    if (isMarkdownRefused(failure) && draft.isMarkdown) {
      const { isMarkdown: _asked, ...plain } = draft;
      return createBug(session, plain);
    }
    if (failure.code === seeAlsoRefused && draft.seeAlso !== null)
      return createBug(session, { ...draft, seeAlso: null });
    return outcomeOf(failure);
  }
}

/**
 * The bug is filed even if it cannot be read back: the draft then replaces it, without a status, until the next poll.
 * But if the tracker does not know the id that it returned, it may have rolled everything back.
 */
async function filedBug(
  session: TrackerSession,
  draft: BugDraft,
  { body: { id }, readAt }: Answer<{ id: number }>,
): Promise<Outcome<Bug>> {
  try {
    const { body: found } = await readBug(session, id);
    return { kind: 'applied', item: isTouched(found, draft) ? await untouched(session, found) : found };
  } catch (failure) {
    if (!(failure instanceof TrackerError)) throw failure;
    if (failure.kind === 'missing')
      return { kind: 'unknown', why: `the tracker says that it filed bug ${id}, but shows no such bug` };
    session.warn(`bug ${id} was filed and cannot be read back yet: ${failure.message}`);
    const at = readAt ?? 0;
    const item: Bug = {
      kind: 'bug',
      id: bugId(id),
      url: bugUrl(session.url, id),
      product: draft.product,
      summary: draft.summary,
      status: '',
      resolution: '',
      dupeOf: null,
      values: draft.values,
      keywords: draft.keywords,
      assignee: null,
      milestone: null,
      seeAlso: draft.seeAlso === null ? [] : [draft.seeAlso],
      isPrivate: false,
      creator: personOf(session.login ?? '', '', session.id),
      createdAt: at,
      changedAt: at,
    };
    return { kind: 'applied', item };
  }
}

/** Without a history, the bug counts as read. Throws `TrackerError`. */
async function untouched({ client, characters }: TrackerSession, found: Bug): Promise<Bug> {
  try {
    const { found: histories, leftOut } = await readHistory(client, [found.id], {});
    const failure = leftOut[0]?.failure;
    if (failure !== undefined && !isUnreachable(failure)) throw failure;
    const changes = (histories.get(found.id) ?? []).flatMap((record) => record.changes);
    return changes.length === 0 ? found : read(characters, asFiled(kept(characters, found), changes));
  } catch (failure) {
    if (isNotTold(failure)) return found;
    throw failure;
  }
}

/**
 * The tracker detects no collisions: the last writer wins. Only the answer to a write shows what it replaced unseen, so
 * nothing is ever stale here, and lost values are reported.
 */
export async function updateBug(session: TrackerSession, seen: Bug, patch: BugPatch): Promise<Outcome<Bug>> {
  try {
    const [before, sent] = [kept(session.characters, seen), written(session.characters, patch)];
    const { body } = await session.client.edit(['bug', seen.id], patchBody(sent, session.markdown), updatedSchema);
    const [updated] = body.bugs;
    const changes = updated?.changes ?? {};
    const item = read(
      session.characters,
      updatedBug(before, sent, changes, updated?.last_change_time ?? seen.changedAt),
    );
    const lost = lostValues(before, changes);
    return lost.length === 0 ? { kind: 'applied', item } : { kind: 'applied', item, lost };
  } catch (failure) {
    if (isUnreachable(failure) && patch.dupeOf !== undefined) return whichIsGone(session, seen.id, failure);
    return outcomeOf(failure);
  }
}

/** The same codes may mean the written bug or the one it should duplicate: reading it shows which. */
async function whichIsGone(session: TrackerSession, ref: number, failure: TrackerError): Promise<Outcome<Bug>> {
  try {
    const found = await probe(session, ref);
    return found.kind === 'gone' ? found : { kind: 'refused', why: failure.message };
  } catch (trouble) {
    return outcomeOfLook(trouble);
  }
}

/**
 * The answer is only an id. The tracker normalises line ends and trims trailing white space. If it refuses Markdown,
 * the text is written as plain text, which is still readable.
 */
export async function commentOn(
  session: TrackerSession,
  ref: number,
  text: string,
  isMarkdown: boolean,
): Promise<Outcome<Comment>> {
  const style = session.markdown === 'none' ? {} : { is_markdown: isMarkdown };
  try {
    const { body, readAt } = await session.client.create(
      ['bug', ref, 'comment'],
      { comment: text, ...style },
      createdSchema,
    );
    const at = readAt ?? 0;
    return {
      kind: 'applied',
      item: {
        side: 'tracker',
        id: body.id,
        ref,
        count: null,
        url: bugUrl(session.url, ref),
        author: personOf(session.login ?? '', '', session.id),
        text: text.replace(/\r\n?/g, '\n').trimEnd(),
        ...(style.is_markdown ? { isMarkdown: true } : {}),
        isPrivate: false,
        createdAt: at,
        changedAt: at,
      },
    };
  } catch (failure) {
    if (isMarkdown && isMarkdownRefused(failure)) {
      session.markdown = 'none';
      return commentOn(session, ref, text, false);
    }
    return outcomeOf(failure);
  }
}
