import type { Difference, LeftOut } from '../../model/reports/verification.ts';
import type { SeenLink } from './read-markdown.ts';
import type { Places } from './seen-pair.ts';
import type { IssueNamed } from './seen-text.ts';
import { unbroken } from './words.ts';

interface LinkFindings {
  readonly differences: readonly Difference[];
  readonly leftOut: readonly LeftOut[];
  readonly compared: number;
}

/**
 * Links in a copy on GitHub: each leads to the mirror of the item it names (the issue, comment or file), or to the
 * tracker. Tracker text contains only bare URLs, so any other link was written by no one.
 */
export function compareLinks(about: string, bug: number, links: readonly SeenLink[], places: Places): LinkFindings {
  const differences: Difference[] = [];
  const leftOut: LeftOut[] = [];
  for (const { text, url } of links) {
    // A person's address is a separate finding.
    if (url.startsWith('mailto:')) continue;
    const words = unbroken(text).replace(/\s+/gu, ' ').trim();
    const meant = meantBy(words, bug, places);
    if (meant === null ? isSamePage(words, url) : meant.some((page) => isSamePage(page, url))) continue;
    if (isSamePage(words, url) || leadsToFile(words, url) || leadsBefore(words, url, bug, places)) continue;
    if (leadsToFormer(words, url, bug, places)) {
      leftOut.push({ about, why: 'it links to an item that was hidden or deleted later' });
      continue;
    }
    const why = meant === null ? 'leads where no one meant it to lead' : 'does not lead where it says';
    differences.push({
      aspect: 'reference',
      about,
      words: `"${words}" ${why}`,
      tracker: meant?.join(' or ') ?? null,
      github: url,
    });
  }
  return { differences, leftOut, compared: links.length };
}

/** The words of a reference; a number alone stands in a list of bugs or of comments. */
const named =
  /^(?:bug ?:? ?#? ?(\d+)(?: ?,? ?(?:comment|c) ?#?(\d+))?|comment ?:? ?#? ?(\d+)|attachment ?:? ?#? ?(\d+)|#?(\d+))$/iu;

/** The pages that this text may link to; null if it refers to nothing. */
function meantBy(words: string, own: number, places: Places): readonly string[] | null {
  const [, bug, bugComment, comment, attachment, listed] = named.exec(words) ?? [];
  if (bug !== undefined)
    return bugComment === undefined ? places.bug(Number(bug)) : places.comment(Number(bug), Number(bugComment));
  if (comment !== undefined) return places.comment(own, Number(comment));
  if (attachment !== undefined) return places.attachment(Number(attachment));
  if (listed !== undefined) return [...places.bug(Number(listed)), ...places.comment(own, Number(listed))];
  const [, page, count] = /^https?:\/\/\S+?\/show_bug\.cgi\?id=(\d+)(?:#c(\d+))?$/iu.exec(words) ?? [];
  if (page !== undefined)
    return count === undefined ? places.bug(Number(page)) : places.comment(Number(page), Number(count));
  const [, file] = /^https?:\/\/\S+?\/attachment\.cgi\?id=(\d+)/iu.exec(words) ?? [];
  return file === undefined ? null : places.attachment(Number(file));
}

/** Copies of files are named after their attachment, in any store. */
export const isCopyOf = (attachment: number, url: string): boolean =>
  url.slice(url.lastIndexOf('/') + 1).startsWith(`${attachment}-`);

/** The file may belong to another bug. */
function leadsToFile(words: string, url: string): boolean {
  const [, id] = /^attachment ?:? ?#? ?(\d+)$|\/attachment\.cgi\?id=\d+/iu.exec(words) ?? [];
  const attachment = id ?? /\/attachment\.cgi\?id=(\d+)/iu.exec(words)?.[1];
  return attachment !== undefined && isCopyOf(Number(attachment), url);
}

/** The address that the meant issue, or the issue of the meant comment, had before people transferred it. */
function leadsBefore(words: string, url: string, own: number, places: Places): boolean {
  const [, bug, , comment, , listed] = named.exec(words) ?? [];
  const [page = ''] = url.split('#', 1);
  const meant = [bug, listed, comment === undefined && listed === undefined ? undefined : String(own)];
  return meant.some((id) => id !== undefined && places.before(Number(id)).some((was) => isSamePage(was, page)));
}

/** An item that was hidden or deleted after the link was written: the link leads to its former place. */
function leadsToFormer(words: string, url: string, own: number, places: Places): boolean {
  const page = /^https?:\/\/\S+?\/show_bug\.cgi\?id=(\d+)(?:#c(\d+))?$/iu.exec(words);
  const [, bug, bugComment, comment, , listed] = page ?? named.exec(words) ?? [];
  const count = bugComment ?? comment ?? listed;
  if (bug === undefined && count === undefined) return false;
  const former = [
    ...(listed === undefined ? [] : places.formerly(Number(listed), null)),
    ...places.formerly(bug === undefined ? own : Number(bug), count === undefined ? null : Number(count)),
  ];
  return former.some((page) => isSamePage(url.replace(/#issuecomment-\d+$/u, ''), page));
}

/**
 * The text `bug 12` in a copy on the tracker, which turns it into a link: each is the bug of an issue that the source
 * names.
 */
export function compareBugWords(
  about: string,
  copy: string,
  named: readonly IssueNamed[],
  places: Places,
): LinkFindings {
  const bugs = [...copy.matchAll(/\bbug (\d{1,9})\b/giu)].map(([, id]) => Number(id));
  const meant = named.map(({ repo, number }) => places.bugOf(repo, number));
  const wrong = bugs.filter((id) => !meant.includes(id));
  const differences = wrong.map((id): Difference => {
    const issues = named.map(({ number }) => `#${number}`).join(', ');
    return {
      aspect: 'reference',
      about,
      words: 'refers to a different bug than its original',
      tracker: `bug ${id}`,
      github: issues,
    };
  });
  return { differences, leftOut: [], compared: bugs.length };
}

export const isSamePage = (one: string, other: string): boolean => address(one) === address(other);

function address(url: string): string {
  const full = /^www\./iu.test(url) ? `http://${url}` : url;
  try {
    return decodeURI(full).toLowerCase();
  } catch {
    return full.toLowerCase();
  }
}
