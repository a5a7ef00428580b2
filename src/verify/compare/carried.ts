import type { Comment } from '../../model/item.ts';
import { bodyId } from '../../model/link.ts';
import { issueNumberIn } from '../../model/named.ts';
import { isBy } from '../../model/people.ts';
import type { Difference, Findings, LeftOut } from '../../model/reports/verification.ts';
import { isAboutText, parseTrackerMarker, type TrackerMarker } from '../../text/marker.ts';
import { joinedFindings, sinceLook, textFindings } from './difference.ts';
import { compareBugWords, isSamePage } from './links.ts';
import { commentName, type KnownComment, type Pair } from './seen-pair.ts';
import { copyReads, markdownReads, type SeenText, saysNothing } from './seen-text.ts';
import { characterGistOf, charactersOf, partingOf, unbroken } from './words.ts';

/** GitHub comments, including the body of the issue, and their copies on the tracker. */
export function compareCarried(pair: Pair): Findings {
  const copies = new Set(
    pair.commentLinks.flatMap(({ origin, copy }) => (origin === 'tracker' && copy !== null ? [copy] : [])),
  );
  const written = pair.texts.filter(
    (text) =>
      text.head === null && !copies.has(text.id) && (text.marker === null || text.id === bodyId) && !isOurs(pair, text),
  );
  return joinedFindings([...written.map((text) => compareText(pair, text)), orphans(pair)]);
}

/** A state that was lost while a description is private does not know whose body says so. */
const isOurs = ({ link }: Pair, text: SeenText): boolean => link.origin === 'tracker' && saysNothing(text);

/** The name of a GitHub text for people. */
const callOf = ({ id }: SeenText): string => (id === bodyId ? 'body of the issue' : `comment ${id} on GitHub`);

const urlOf = ({ issue }: Pick<Pair, 'issue'>, id: number): string =>
  id === bodyId ? issue.url : `${issue.url}#issuecomment-${id}`;

interface Marked {
  readonly comment: Comment;
  readonly marker: TrackerMarker;
}

/** Comments whose first line says that the bridge wrote them; in doubt, that is believed. */
function marked(pair: Pair): readonly Marked[] {
  const { thread, own, link } = pair;
  return thread.flatMap((comment) => {
    const said = parseTrackerMarker(comment.text);
    const marker = said === null ? null : { ...said, url: addressNow(pair, comment, said.url) };
    const mayBe =
      own.tracker === null || isBy(comment.author, own.tracker) || (comment.count === 0 && link.origin === 'github');
    return marker === null || !mayBe || comment.isPrivate ? [] : [{ comment, marker }];
  });
}

/**
 * The address of the text of a copy as it is now: the copy may be from before people transferred the issue, which may
 * have given its comments other ids.
 */
function addressNow({ places, bug, issue, texts, commentLinks }: Pair, { id: copy }: Comment, url: string): string {
  const [page = '', anchor = ''] = url.split('#', 2);
  if (isSamePage(page, issue.url) || !places.before(bug.id).some((was) => isSamePage(was, page))) return url;
  const known = commentLinks.find((each) => each.origin === 'github' && each.copy === copy)?.source;
  const id = known ?? Number(/^issuecomment-(\d+)$/u.exec(anchor)?.[1] ?? bodyId);
  return texts.some((text) => text.id === id) ? urlOf({ issue }, id) : url;
}

function compareText(pair: Pair, text: SeenText): Findings {
  const { route, commentLinks } = pair;
  const about = callOf(text);
  const commentLink = commentLinks.find(
    ({ origin, source, part }) => origin === 'github' && source === text.id && part === 1,
  );
  const url = urlOf(pair, text.id);
  const own = marked(pair).filter(({ marker }) => isSamePage(marker.url, url) && isAboutText(marker));
  const first = own.find(({ comment }) => comment.id === commentLink?.copy);
  if (first === undefined) {
    const given =
      commentLink?.state === 'gone' || commentLink?.state === 'skipped'
        ? (commentLink.reason ?? 'it was given up')
        : null;
    const why = given ?? (route.direction === 'to-github' ? 'the route goes to GitHub only' : null);
    if (why !== null) return textFindings([], [{ about, why }], 0);
    return textFindings([missing(pair, text, commentLink)]);
  }
  const { login } = authorIn(first.comment);
  const differences: Difference[] = [];
  const leftOut: LeftOut[] = [];
  // A comment on the tracker cannot be edited.
  if (login !== text.author && login === commentLink?.author.login && isRenamed(pair, login, text.author))
    leftOut.push({ about, why: `its author was called ${login} on GitHub when it crossed` });
  else if (login !== text.author) {
    differences.push({
      aspect: 'author',
      about,
      words: 'names another author on the tracker',
      tracker: login,
      github: text.author,
    });
  }
  const latest = latestOf(own, first);
  const copy = latest.map(({ comment }) => saidIn(comment)).join('\n');
  const isMarkdown = latest.every(({ comment }) => comment.isMarkdown);
  differences.push(
    ...doubled(about, own, commentLinks),
    ...wordsOf(text, isMarkdown ? markdownReads(copy) : copy, latest, about),
  );
  const current = latest[0]?.marker.kind === 'edited' ? asRevised(copy) : copy;
  const links = compareBugWords(about, current, text.issuesNamed, pair.places);
  return textFindings([...differences, ...links.differences], leftOut, 1, links.compared);
}

/**
 * Whether a person changed the login, as far as the pair can show it: no text here has the old login as its author, and
 * every copy that names the old login is of a text by the new one. Otherwise the bridge may have named a wrong author.
 */
function isRenamed(pair: Pair, old: string, author: string | null): boolean {
  const copies = marked(pair).filter(({ comment, marker }) => isAboutText(marker) && authorIn(comment).login === old);
  const sources = pair.texts.filter(({ id }) => copies.some(({ marker }) => isSamePage(marker.url, urlOf(pair, id))));
  return pair.texts.every((text) => text.author !== old) && sources.every((text) => text.author === author);
}

function missing(pair: Pair, text: SeenText, commentLink: KnownComment | undefined): Difference {
  const aspect = text.id === bodyId ? 'description' : 'comment';
  const stray = pair.thread.find(({ id }) => id === commentLink?.copy);
  const github = text.characters.text === null ? null : partingOf(text.characters.text, '')[0];
  const words = `is missing on the tracker${sinceLook(text.createdAt > pair.lookedAt.github)}`;
  if (stray === undefined) return { aspect, about: callOf(text), words, tracker: null, github };
  const line = stray.text.split('\n', 1)[0] ?? '';
  return {
    aspect: 'marker',
    about: callOf(text),
    words: 'has a copy that names another source',
    tracker: line,
    github: urlOf(pair, text.id),
  };
}

const authorIn = ({ text }: Comment): { login: string } => ({ login: /^GitHub user (\S+) /u.exec(text)?.[1] ?? '' });

/** The comments with the newest text: the copy, or the last report of an edit, each with its further parts. */
function latestOf(own: readonly Marked[], first: Marked): readonly Marked[] {
  const last =
    own.filter(({ marker }) => marker.kind === 'edited').sort((one, other) => other.comment.id - one.comment.id)[0] ??
    first;
  const { revision, part } = last.marker;
  if (part === undefined) return [last];
  const rest = own.filter(
    ({ marker }) => marker.kind === 'wrote' && marker.revision === revision && (marker.part?.index ?? 0) > 1,
  );
  return [last, ...rest.sort((one, other) => (one.marker.part?.index ?? 0) - (other.marker.part?.index ?? 0))];
}

const saidIn = ({ text }: Comment): string => text.split('\n').slice(1).join('\n');

/** The current text, according to a report of an edit, which shows deletions and insertions. */
const asRevised = (report: string): string => report.replace(/\[-[\s\S]*?-\]/gu, '').replace(/\{\+|\+\}/gu, '');

function wordsOf(text: SeenText, copy: string, latest: readonly Marked[], about: string): readonly Difference[] {
  const parts = latest[0]?.marker.part?.count ?? 1;
  const aspect = text.id === bodyId ? 'description' : 'comment';
  if (latest.length < parts) {
    return [
      {
        aspect,
        about,
        words: `lacks a part on the tracker: ${latest.length} of ${parts} are there`,
        tracker: null,
        github: null,
      },
    ];
  }
  const isEdit = latest[0]?.marker.kind === 'edited';
  const whole = copyReads(copy);
  const now = asRevised(whole);
  const emptied = isEdit && /^\s*\(The text was emptied\.\)\s*$/u.test(copy) ? [''] : [];
  const readings = isEdit ? [now, whole, ...emptied] : [whole];
  if (readings.some((each) => characterGistOf(each, false).digest === text.characters.digest)) return [];
  const shown = isEdit ? now : whole;
  const [tracker, github] =
    text.characters.text === null
      ? [partingOf(shown, '')[0], null]
      : partingOf(charactersOf(shown), charactersOf(text.characters.text));
  return [{ aspect, about, words: 'reads differently on the tracker', tracker, github }];
}

/** A text is copied once; later comments about it report edits, or continue it. */
function doubled(about: string, own: readonly Marked[], commentLinks: readonly KnownComment[]): readonly Difference[] {
  const copies = own.filter(({ marker }) => marker.kind === 'wrote');
  const keys = Map.groupBy(copies, ({ marker }) => `${marker.revision ?? ''} ${marker.part?.index ?? 1}`);
  return [...keys.values()].flatMap((twins): readonly Difference[] => {
    if (twins.length < 2) return [];
    const known = twins.find(({ comment }) => commentLinks.some(({ copy }) => copy === comment.id));
    const names = twins.filter((each) => each !== known).map(({ comment }) => commentName(comment));
    return [
      { aspect: 'double', about, words: 'is on the tracker more than once', tracker: names.join(', '), github: null },
    ];
  });
}

/** The bridge's comments on the bug without a source: from another issue, or from a comment that no longer exists. */
function orphans(pair: Pair): Findings {
  const urls = new Set(pair.texts.map(({ id }) => unbroken(urlOf(pair, id)).toLowerCase()));
  // What came from an issue that the bug left, or from another repository, is a comment of the bug like any other.
  const isOfTracker = ({ id }: Comment): boolean =>
    pair.commentLinks.some(({ origin, source }) => origin === 'tracker' && source === id);
  const isLeft = (page: string): boolean => pair.places.before(pair.bug.id).some((was) => isSamePage(was, page));
  const isFromElsewhere = ({ comment, marker: { url } }: Marked): boolean =>
    isOfTracker(comment) && (issueNumberIn(pair.route, url) === null || isLeft(url.replace(/#.*/u, '')));
  const strays = marked(pair).filter(
    (each) => isAboutText(each.marker) && !urls.has(each.marker.url.toLowerCase()) && !isFromElsewhere(each),
  );
  return joinedFindings(
    strays.map(({ comment, marker }) => {
      const about = commentName(comment);
      const isOfIssue = isSamePage(marker.url.replace(/#.*/u, ''), pair.issue.url);
      const commentLink = pair.commentLinks.find(
        ({ origin, copy, source }) => origin === 'github' && (copy === comment.id || marker.url.endsWith(`-${source}`)),
      );
      if (isOfIssue && (commentLink === undefined || commentLink.state === 'gone')) {
        return textFindings([], [{ about, why: 'its original was deleted on GitHub, and the copy stays' }], 0);
      }
      const aspect = isOfIssue ? 'comment' : 'marker';
      const words = isOfIssue ? 'has an original that is no longer on GitHub' : 'names another issue as its source';
      return textFindings([{ aspect, about, words, tracker: marker.url, github: pair.issue.url }], [], 0);
    }),
  );
}
