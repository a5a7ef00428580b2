import type { Issue } from '../model/item.ts';
import { bodyId, type Entry } from '../model/link.ts';
import { withoutFooter } from './marker.ts';
import { isShort } from './text/changes.ts';
import { bodyDigest } from './thread.ts';

/**
 * The description whose copy somebody has edited, with the text of the copy as it was, so that what changed can be told. Null when there is
 * none, when that is kept by now, or when it is too long to be looked through.
 * @param before the issue as it was seen last
 */
export function withBodyBefore(entries: readonly Entry[], before: Issue, after: Issue): Entry | null {
  const copy = entries.find(
    (entry) => entry.origin === 'tracker' && entry.part === 1 && entry.state === 'mirrored' && entry.copy === bodyId,
  );
  const [was, is] = [bodyDigest(before.body), bodyDigest(after.body)];
  if (copy === undefined || copy.copyDigest !== was || is === was || is === copy.wrote) return null;
  const text = withoutFooter(before.body);
  return isShort(text) && copy.before !== text ? { ...copy, before: text } : null;
}
