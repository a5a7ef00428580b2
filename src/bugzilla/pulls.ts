import * as z from 'zod';
import { pullType } from '../model/attachment.ts';
import type { Outcome } from '../model/outcome.ts';
import type { ShownPull } from '../model/pulls/pull.ts';
import type { AttachedPull } from '../model/replica.ts';
import { type Kept, nothingKept } from '../model/survey.ts';
import { recalled } from '../runtime/recall.ts';
import {
  type Attachment,
  createAttachment,
  getAttachment,
  getAttachments,
  updateAttachments,
} from './api/attachment.ts';
import { type BulkInTime, readAttachments } from './api/bulk.ts';
import type { TrackerClient } from './connection/client.ts';
import { isNotTold, isUnanswered } from './connection/errors.ts';
import { attachmentRow, mappedOrNone } from './connection/rows.ts';
import { outcomeOf, outcomeOfLook } from './outcome.ts';

/**
 * Pull requests as attachments. Harmony and BMO have a type for them, which redirects readers to the pull request. A
 * stock tracker takes any type, and shows the address as a text file. Source: the extension BMO of
 * both, in lib/Data.pm and Extension.pm. It knows github.com only, and addresses of up to 256 characters.
 */
interface PullContext {
  readonly client: TrackerClient;
  /** The version that the tracker reported. */
  readonly version: string;
  readonly kept?: Kept;
}

const address = /^https:\/\/github\.com\/[^/]+\/[^/]+\/pull\/\d+$/u;

const extensionsSchema = z.object({ extensions: z.record(z.string(), z.unknown()) });

export async function attachPull(context: PullContext, ref: number, pull: AttachedPull): Promise<Outcome<null>> {
  const { number, url, title, text } = pull;
  try {
    if (!address.test(url) || url.length > 256 || !(await knowsPulls(context)))
      return { kind: 'refused', why: 'the tracker shows no attachment as a pull request' };
    if (await isAttached(context.client, ref, url))
      return { kind: 'refused', why: `bug ${ref} has the pull request already` };
  } catch (failure) {
    return outcomeOfLook(failure);
  }
  const file = {
    data: url,
    file_name: `pull-request-${number}.txt`,
    summary: title,
    content_type: pullType,
    is_patch: false,
    comment: text,
  };
  return outcomeOfWrite(createAttachment(context.client, [ref], file));
}

export const changePull = (
  { client }: PullContext,
  attachment: number,
  { title, isObsolete }: ShownPull,
  text: string | null,
): Promise<Outcome<null>> =>
  outcomeOfWrite(
    updateAttachments(client, [attachment], {
      summary: title,
      is_obsolete: isObsolete,
      ...(text === null ? {} : { comment: text }),
    }),
  );

/** Throws `TrackerError`. */
export async function shownPulls(
  { client }: PullContext,
  refs: readonly number[],
  asking: Pick<BulkInTime, 'found' | 'inTime'>,
): Promise<ReadonlyMap<number, ReadonlyMap<number, ShownPull>>> {
  const { found } = await readAttachments(client, refs, asking);
  const shown = new Map<number, ReadonlyMap<number, ShownPull>>();
  for (const [bug, attachments] of found) {
    const left: number[] = [];
    const pulls = attachments.flatMap((each) =>
      mappedOrNone(
        client.rows,
        attachmentRow({ ...each, bug_id: bug }),
        () => [each.id, shownBy(each)] as const,
        () => left.push(each.id),
      ),
    );
    if (left.length === 0) shown.set(bug, new Map(pulls));
  }
  return shown;
}

const shownBy = ({ summary, is_obsolete: isObsolete }: Attachment): ShownPull => ({
  title: summary ?? '',
  isObsolete: isObsolete === true,
});

async function outcomeOfWrite(write: Promise<unknown>): Promise<Outcome<null>> {
  try {
    await write;
    return { kind: 'applied', item: null };
  } catch (failure) {
    return outcomeOf(failure);
  }
}

/**
 * Whether the tracker has the type. The answer is kept for a day, and versions that never had it are not asked. Throws
 * `TrackerError`.
 */
async function knowsPulls({ client, version, kept = nothingKept }: PullContext): Promise<boolean> {
  if (/^(?:[34]\.|5\.[0-8](?!\d))/u.test(version)) return false;
  return recalled(kept, 'pull requests', () => hasExtension(client), isUnanswered);
}

/** Whether a person or a program of the tracker has already attached it. Throws `TrackerError`. */
async function isAttached(client: TrackerClient, ref: number, url: string): Promise<boolean> {
  const all = [...(await getAttachments(client, [ref], { data: false })).values()].flat();
  for (const { id, content_type: type, is_obsolete: isObsolete } of all) {
    if (type !== pullType || isObsolete === true) continue;
    const { data } = await getAttachment(client, id, { data: true });
    if (data && new TextDecoder().decode(data).trim().replace(/\/$/u, '') === url) return true;
  }
  return false;
}

async function hasExtension(client: TrackerClient): Promise<boolean> {
  try {
    const { body } = await client.read(['extensions'], {}, extensionsSchema);
    return Object.hasOwn(body.extensions, 'BMO');
  } catch (failure) {
    if (isNotTold(failure)) return false;
    throw failure;
  }
}
