import { digestOf } from '../kernel/digest.ts';
import type { Attachment, AttachmentLink } from '../model/attachment.ts';
import type { Bug } from '../model/item.ts';

/** Digest of all publishable values of a bug: the visibility check of one version says nothing about another. */
export function bugDigest(bug: Bug): string {
  const { dupeOf, seeAlso, dependsOn = [], details = {}, customs = {}, whiteboard = '' } = bug;
  const further = [Object.entries(details), Object.entries(customs), whiteboard];
  return digestOf(JSON.stringify([coreOf(bug), dupeOf, seeAlso, dependsOn, further]));
}

/**
 * Whether the anonymous reader saw the same bug: compares the values that are public in any bug, without people, whose names the
 * anonymous reader may not see.
 */
export const isSameBug = (ours: Bug, theirs: Bug): boolean => JSON.stringify(coreOf(ours)) === JSON.stringify(coreOf(theirs));

/** The fields that the anonymous reader could see in this bug. */
export const vouched = ({ details = {}, customs = {}, whiteboard }: Bug) => ({
  details,
  labels: [...Object.keys(customs), ...(whiteboard === undefined ? [] : ['whiteboard'])],
});

const coreOf = ({ product, summary, status, resolution, values, keywords, milestone }: Bug) => [
  ...[product, summary, status, resolution, milestone],
  Object.entries(values).sort(),
  [...keywords].sort(),
];

/** Digest of the published facts about a file, except its content, which never changes. */
export const fileDigest = ({
  name,
  summary,
  type,
  size,
  flags,
}: Pick<AttachmentLink | Attachment, 'name' | 'summary' | 'type' | 'size' | 'flags'>): string =>
  digestOf(JSON.stringify([name, summary, type, size, ...flags]));
