import type { ShownEntry } from '../attachments/notice.ts';
import { attachmentMention, issueReferencesOf, referencesOf } from '../links/targets.ts';
import { bodyId } from '../model/link.ts';
import type { Route } from '../model/route.ts';
import type { PublicSight } from '../privacy/gate.ts';
import { bugComment, issueBody, issueComment } from './write.ts';

/** What is known of a link when its comments are written. */
export type Talk = Pick<PublicSight, 'link' | 'entries' | 'targets' | 'takesMarkdown'>;

/** What the copy of an entry is to say, in one part or several, and what it refers to that may look different one day. */
export interface Copy {
  readonly texts: readonly string[];
  readonly mentions: readonly string[];
  /** True for texts of GitHub on a tracker that takes Markdown. */
  readonly isMarkdown: boolean;
}

export function copyOf(
  route: Route,
  { link, targets, takesMarkdown: isMarkdown = false }: Pick<Talk, 'link' | 'targets' | 'takesMarkdown'>,
  entry: ShownEntry,
): Copy {
  if (entry.origin === 'github') {
    const issues = issueReferencesOf(link.repo, targets);
    return { texts: bugComment(entry, issues, isMarkdown), mentions: [], isMarkdown };
  }
  const mentions = new Set<string>();
  if (entry.about !== undefined) mentions.add(attachmentMention(entry.about));
  const references = { ...referencesOf(link.bug, targets, (what) => mentions.add(what)), webHost: route.webHost };
  const texts =
    entry.copy === bodyId && link.tracker !== null
      ? issueBody(route, link.tracker, entry, references)
      : issueComment(route, link.bug ?? 0, entry, references);
  return { texts, mentions: [...mentions], isMarkdown: false };
}
