import { accessTo, type StoredAt, storedAt } from '../kernel/stored-at.ts';
import type { Link } from '../model/link.ts';
import type { Difference, LeftOut } from '../model/reports/verification.ts';
import { placesIn } from '../rules/attachments/path.ts';
import { type Inspection, reading } from './inspection.ts';
import { whyOf, withBackoff } from './read-files.ts';

/** Copies in the attachment store that no row of the state has, and that the tracker does not show to everyone. */
export interface StoredFiles {
  /** Null for a file whose name alone is known, as a release has it. */
  readonly found: readonly { readonly link: Link | null; readonly difference: Difference }[];
  readonly notJudged: readonly LeftOut[];
}

/** Lists the attachment store and asks the tracker about each file that the comparison of known files leaves out. */
export async function compareStore(inspection: Inspection): Promise<StoredFiles> {
  const { files, route } = inspection.context;
  const attachmentStore = files?.attachmentStore ?? null;
  if (attachmentStore === null || route.direction === 'to-tracker') return { found: [], notJudged: [] };
  const listed = await withBackoff(inspection, 'github', () => attachmentStore.list());
  if (listed.kind !== 'applied')
    return { found: [], notJudged: [{ about: 'the attachment store', why: `it cannot be listed: ${whyOf(listed)}` }] };
  const suspects = placesIn(route.attachments?.store, listed.item).flatMap(
    (place) => storedAt(inspection.context, place) ?? [],
  );
  const found: { link: Link | null; difference: Difference }[] = [];
  const notJudged: LeftOut[] = [];
  for (const suspect of suspects) {
    const { path, attachment, link } = suspect;
    const about = `attachment ${attachment}`;
    const why = await whyWithheld(inspection, suspect);
    const words = 'is not public on the tracker, and its copy is on GitHub';
    if (why?.isKnown)
      found.push({ link, difference: { aspect: 'private', about, words, tracker: why.why, github: path } });
    else if (why !== null) notJudged.push({ about, why: why.why });
  }
  return { found, notJudged };
}

/** Null for a file that everyone may see, and for one that the tracker does not have: that is somebody else's. */
async function whyWithheld(
  inspection: Inspection,
  { attachment, link, bug }: StoredAt,
): Promise<{ readonly why: string; readonly isKnown: boolean } | null> {
  const { context } = inspection;
  const { files, anonymousReader } = context;
  const reader = anonymousReader ?? files?.attachmentClient;
  if (reader === undefined) return null;
  // Our own account may see files of a hidden bug.
  const isAsked = link === null || anonymousReader === null;
  const access =
    bug === null || !isAsked ? null : await reading(inspection, 'tracker', 'files', () => accessTo(context, bug));
  if (link === null && access === 'missing') return null;
  const outcome = await withBackoff(inspection, 'tracker', () => reader.content(attachment));
  if (outcome.kind === 'refused') return { why: outcome.why, isKnown: true };
  if (outcome.kind === 'gone') return outcome.gone.kind === 'hidden' ? { why: outcome.gone.why, isKnown: true } : null;
  if (outcome.kind !== 'applied') return { why: whyOf(outcome), isKnown: false };
  return access === 'hidden' ? { why: 'its bug is not public', isKnown: true } : null;
}
