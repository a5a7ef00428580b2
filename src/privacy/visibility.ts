import { digestOf } from '../kernel/digest.ts';
import type { Attachment, AttachmentLink } from '../model/attachment.ts';
import type { Bug } from '../model/item.ts';

/** Digest of everything about a bug that may be published: what is proved of one version says nothing of another. */
export function bugDigest(bug: Bug): string {
  const { dupeOf, seeAlso, dependsOn = [], details = {}, customs = {}, whiteboard = '' } = bug;
  const further = [Object.entries(details), Object.entries(customs), whiteboard];
  return digestOf(JSON.stringify([coreOf(bug), dupeOf, seeAlso, dependsOn, further]));
}

/** Whether a reader without credentials was shown the same bug: what everybody sees of one, without people, whose names he may not be told. */
export const isSameBug = (ours: Bug, theirs: Bug): boolean => JSON.stringify(coreOf(ours)) === JSON.stringify(coreOf(theirs));

/** What a reader without credentials vouches for by having been shown this bug. */
export const vouched = ({ details = {}, customs = {}, whiteboard }: Bug) => ({
  details,
  labels: [...Object.keys(customs), ...(whiteboard === undefined ? [] : ['whiteboard'])],
});

const coreOf = ({ product, summary, status, resolution, values, keywords, milestone }: Bug) => [
  ...[product, summary, status, resolution, milestone],
  Object.entries(values).sort(),
  [...keywords].sort(),
];

/** Digest of what is published of a file besides its content, which never changes. */
export const fileDigest = ({
  name,
  summary,
  type,
  size,
  flags,
}: Pick<AttachmentLink | Attachment, 'name' | 'summary' | 'type' | 'size' | 'flags'>): string =>
  digestOf(JSON.stringify([name, summary, type, size, ...flags]));
