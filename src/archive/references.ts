import type { References } from '../text/references.ts';
import { attachmentOnPage, type BugRecord, bugOnPage, leadsToHidden, type Surroundings } from './bug-record.ts';
import { attachmentPath, bugPath } from './paths.ts';

/** What the texts of one page lead to. */
export interface PageReferences extends References {
  /** Whether an address is that of a bug which is not public: it must not become a link. */
  isHidden(url: string): boolean;
  /** An address as it was meant on the tracker's own page of the bug, where it may leave out the beginning. */
  whole(url: string): string;
}

/** What "bug 12", "comment 3" and "attachment 4" on the page of a bug lead to. What is not public stays plain text. */
export function referencesOf(
  record: Pick<BugRecord, 'comments' | 'attachments'>,
  root: string,
  around: Surroundings,
): PageReferences {
  const counts = new Set(record.comments.map(({ count }) => count));
  const files = new Set(record.attachments.map(({ id }) => id));
  const bug = (id: number): string | null => (around.bugs.has(id) ? `${root}${bugPath(id)}` : null);
  const attachment = (id: number): string | null => (files.has(id) ? `${root}${attachmentPath(id)}` : null);
  return {
    bug,
    comment(id, count) {
      if (id === null) return counts.has(count) ? `#c${count}` : null;
      const page = bug(id);
      return page === null ? null : `${page}#c${count}`;
    },
    attachment,
    page(url) {
      const [id, file] = [bugOnPage(url, around), attachmentOnPage(url, around)];
      if (file !== null) return attachment(file);
      const page = id === null ? null : bug(id);
      return page === null ? null : page + (/#c\d+$/u.exec(url)?.[0] ?? '');
    },
    isHidden: (url) => leadsToHidden(url, around),
    whole: (url) => wholeAddress(url, around),
  };
}

/**
 * A place on the page itself stays one. Parsers of Markdown let no other kind of address through than these and
 * relative ones.
 */
function wholeAddress(url: string, { tracker }: Pick<Surroundings, 'tracker'>): string {
  if (url === '' || /^(?:#|[a-z][a-z\d+.-]*:)/iu.test(url)) return url;
  try {
    return new URL(url, `${tracker}/show_bug.cgi`).href;
  } catch {
    return url;
  }
}
