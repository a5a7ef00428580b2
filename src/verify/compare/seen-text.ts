import { bodyId } from '../../model/link.ts';
import { type Account, isBy } from '../../model/people.ts';
import { hasRoomForFooter, withoutFooter } from '../../text/footer.ts';
import { type GithubMarker, parseGithubMarker } from '../../text/marker.ts';
import { type Block, readMarkdown, type SeenLink, type Sheet, textOf } from './read-markdown.ts';
import { addressesIn, characterGistOf, type Gist, gistOf, unbroken } from './words.ts';

/** A GitHub text as a reader sees it, as small as possible until its counterpart is read. */
export interface SeenText {
  /** The comment's id; `bodyId` for the body of an issue. */
  readonly id: number;
  readonly author: string;
  readonly createdAt: number;
  /** Why it is minimized, null if it is not; absent if GitHub does not say. */
  readonly minimize?: string | null;
  /** Null if there is none, or only another bridge's. */
  readonly marker: GithubMarker | null;
  /** The first line of a copy; null for a text that a person wrote. */
  readonly head: Head | null;
  /** The line that names the bug of a person's issue; null if there is none. */
  readonly footer: SeenLink | null;
  /** Whether it is too long for that line. */
  readonly isFull: boolean;
  /** The text below the first line of a copy; otherwise the whole text. */
  readonly gist: Gist;
  /** The same without the notice of a file, and without the notice and the displayed file. */
  readonly withoutNotice: readonly Gist[];
  readonly notice: Notice | null;
  /** For people's texts. */
  readonly characters: Gist;
  /** Without those of a notice, which belong to the file. */
  readonly links: readonly SeenLink[];
  /** Numbers and URLs of issues that a person refers to. */
  readonly issuesNamed: readonly IssueNamed[];
  /** E-mail addresses visible to readers; only in the bridge's texts. */
  readonly addresses: readonly string[];
  readonly table: Sheet | null;
}

/** As it is written now, and as earlier versions wrote it. */
const withdrawn = [
  'This text was withdrawn because its original is not public.',
  'What stood here was withdrawn, because its original is not public.',
].map((text) => gistOf(text, false).digest);

/** Whether it is the body of an issue whose description is not public: it says that, in place of a copy. */
export const saysNothing = ({ id, head, gist }: SeenText): boolean =>
  id === bodyId && head === null && withdrawn.includes(gist.digest);

interface Head {
  readonly kind: 'opened' | 'wrote';
  readonly who: string;
  /** `bug 12`, `comment 3` */
  readonly place: string;
  readonly placeUrl: string;
  /** `2026-09-23 08:50` */
  readonly minute: string;
}

/** A copy's notice of a file. */
export interface Notice {
  readonly attachment: number;
  readonly text: string;
  readonly links: readonly SeenLink[];
  readonly pictures: readonly string[];
}

export interface IssueNamed {
  readonly repo: string | null;
  readonly number: number;
}

interface RawText {
  readonly id: number;
  readonly author: Account;
  readonly createdAt: number;
  readonly body: string;
  readonly minimize?: string | null;
}

interface SeeingOptions {
  readonly instance: string;
  /** Our account on GitHub; null if GitHub does not say. */
  readonly own: Account | null;
  /** Whether the text is kept for display. */
  readonly isKept: boolean;
}

const tablePattern = /<!-- bugferry:table -->(?:(?!<!-- bugferry:)[\s\S])*?<\/details>/u;

/** A substring keeps the whole text in memory, so everything that is kept for long is copied. */
export const seenText = (raw: RawText, options: SeeingOptions): SeenText => structuredClone(partsOf(raw, options));

function partsOf(
  { id, author, createdAt, body, minimize }: RawText,
  { instance, own, isKept }: SeeingOptions,
): SeenText {
  const marker = parseGithubMarker(instance, body);
  const mayBeOurs = own === null || isBy(author, own);
  const table = tablePattern.exec(body)?.[0] ?? null;
  const text = withoutFooter(table === null ? body : body.replace(table, ''));
  const { blocks } = readMarkdown(text);
  const head = mayBeOurs ? headIn(blocks) : null;
  const said = head === null ? blocks : blocks.slice(1);
  const notice = head === null ? null : noticeIn(said);
  const isOurs = head !== null;
  // The parts of a text are compared as one text.
  const isNeeded = isKept || marker?.part !== undefined;
  return {
    id,
    author: author.login,
    createdAt,
    ...(minimize === undefined ? {} : { minimize }),
    marker: mayBeOurs || id === bodyId ? marker : null,
    head,
    footer: footerIn(body),
    isFull: !hasRoomForFooter(body),
    gist: gistOf(textOf(said), isNeeded),
    withoutNotice: notice === null ? [] : [1, 2].map((from) => gistOf(textOf(said.slice(from)), isNeeded)),
    notice,
    characters: isOurs ? none : characterGistOf(asSaid(text, blocks), isKept),
    links: said.slice(notice === null ? 0 : 1).flatMap(({ links }) => links),
    issuesNamed: isOurs ? [] : issuesNamedIn(withoutFooter(body)),
    addresses: isOurs ? addressesIn(textOf(blocks)) : [],
    table: table === null ? null : readMarkdown(table),
  };
}

const none: Gist = { digest: '', text: null };

const headPattern =
  /^(.+) (opened|wrote in) ((?:bug|comment) ?\d*) on (\d{4}-\d\d-\d\d \d\d:\d\d) UTC(?:(?: \(part \d+ of \d+\))?:|, without a public description\.)$/u;

function headIn([first]: readonly Block[]): Head | null {
  const [, who, verb, place, minute] = headPattern.exec(unbroken(first?.text ?? '').trim()) ?? [];
  if (first === undefined || who === undefined || place === undefined || minute === undefined) return null;
  const link = first.links.find(({ text }) => unbroken(text) === place);
  return { kind: verb === 'opened' ? 'opened' : 'wrote', who, place, placeUrl: link?.url ?? '', minute };
}

/** The bridge's notice of a file comes first, followed by the file itself if it can be displayed. */
function noticeIn([first, second]: readonly Block[]): Notice | null {
  const text = unbroken(first?.text ?? '');
  const [, id] = /^(?:Attached |On )?attachment (\d+)\b/iu.exec(text) ?? [];
  if (first === undefined || id === undefined) return null;
  return { attachment: Number(id), text, links: first.links, pictures: second?.pictures ?? [] };
}

function footerIn(body: string): SeenLink | null {
  const [, text, url] =
    /\n---\r?\n\*Mirrored as \[([^\]\n]*)\]\(([^)\s]*)\)\.\*\s*(?:<!--[^\n]*)?$/u.exec(`\n${body.trimEnd()}`) ?? [];
  return text === undefined || url === undefined ? null : { text, url };
}

/** A person's text without URLs and issue numbers: on the tracker, they look different. */
function asSaid(markdown: string, blocks: readonly Block[]): string {
  const inPlace = withNotesInPlace(markdown);
  return withoutReferences(textOf(inPlace === markdown ? blocks : readMarkdown(inPlace).blocks));
}

/**
 * GitHub numbers footnotes and moves them to the end. On the tracker they stay where they were written, under their own
 * names.
 */
function withNotesInPlace(markdown: string): string {
  const names = new Set(
    [...markdown.matchAll(/^[^[\r\n\u2028\u2029]*\[\^([^\][\s]+)\]:/gmu)].map(([, name = '']) => name.toLowerCase()),
  );
  const isNote = (name: string): boolean => names.has(name.toLowerCase());
  return markdown.replace(/(?<!\\)\[\^([^\][\s]+)\]/gu, (whole, name: string) => (isNote(name) ? `\\${whole}` : whole));
}

const withoutReferences = (text: string): string =>
  text
    .replace(/https?:\/\/[^\s<>"]+/gu, ' ')
    .replace(/(?<![\w/#.-])(?:[\w.-]+\/[\w.-]+)?#\d{1,9}\b/gu, ' ')
    .replace(/:[\w+-]+:/gu, ' ');

/** A person's GitHub text in the form that is compared with its copy. */
export function sourceReads(markdown: string): string {
  const text = withoutFooter(markdown);
  return asSaid(text, readMarkdown(text).blocks);
}

/** Fences that appear because plain text has no other sign for code. */
const fences = /^[> ]*(?:`{3,}|~{3,})[\w+#.-]*$/gmu;
/** Text that the tracker turns into links; people's own contains an invisible character. */
const bugWords = /\bbug \d{1,9}(?: comment \d{1,6})?\b/gu;

/** A Markdown copy, as plain text. */
export const markdownReads = (copy: string): string => textOf(readMarkdown(copy, true).blocks);

/** The text of a copy on the tracker in the form that is compared with its source. */
export const copyReads = (copy: string): string => withoutReferences(copy.replace(fences, '').replace(bugWords, ' '));

function issuesNamedIn(markdown: string): readonly IssueNamed[] {
  const found = markdown.matchAll(
    /(?:(?<![\w.-])([\w.-]+\/[\w.-]+))?#(\d{1,9})\b|\/([\w.-]+\/[\w.-]+)\/issues\/(\d{1,9})\b/gu,
  );
  return [...found].map(([, repo, number, pageRepo, pageNumber]) => ({
    repo: repo ?? pageRepo ?? null,
    number: Number(number ?? pageNumber),
  }));
}
