import type { Differs } from './judge.ts';

/**
 * Where measured versions are known to differ from the interface. What is listed here is told apart from what nobody
 * has seen yet.
 */

/** Versions that behave alike: 5.1 as 5.3, and BMO, with its dates for versions, as Harmony. */
export type Line = '5.0' | '5.2' | '5.3' | 'Harmony';

/** @param version as `GET /rest/version` says it; null for one that was not measured */
export function lineOf(version: string): Line | null {
  if (/^20\d{6}\b/u.test(version)) return 'Harmony';
  const [, minor] = /^5\.(\d+)/u.exec(version) ?? [];
  return ({ 0: '5.0', 2: '5.2', 1: '5.3', 3: '5.3' } as const)[Number(minor)] ?? null;
}

/** One way of some versions, and what it makes of which cases. */
export interface Way {
  readonly lines: readonly Line[];
  /** Goes on after "they are known to". */
  readonly says: string;
  /** Where it was seen: the exchange that shows it, or the place in the version's own code. */
  readonly source: string;
  /** Sections and names, from their beginning; without them, any case. */
  readonly cases?: readonly string[];
  /** What the case expected, and what it got. */
  readonly expected?: RegExp;
  readonly got: RegExp;
}

const utf8mb3 = 'four question marks come back, with status 200: MariaDB columns in utf8mb3';

export const ways: readonly Way[] = [
  {
    lines: ['5.0', '5.3'],
    says: 'store no characters beyond U+FFFF outside of comments',
    source: utf8mb3,
    cases: ['0 signs of all', '4.4 summary', '4.5 whiteboard', '4.8 data, file_name'],
    expected: /🦊/u,
    got: /\?{4}/u,
  },
  {
    lines: ['5.0', '5.3'],
    says: 'show characters beyond U+FFFF in codes when a comment is read by its id',
    source: 'GET /rest/bug/comment/ID; by its bug the comment is whole',
    cases: ['4.11 the text'],
    expected: /🦊/u,
    got: /\ufdd0\[U\+1F98A\]\ufdd1/u,
  },
  {
    lines: ['5.3'],
    says: 'read raw UTF-8 in a body as Latin-1',
    source: 'Bugzilla/CGI.pm does not decode POSTDATA and PUTDATA; JSON with \\uXXXX is read rightly',
    cases: ['0 a body may hold'],
    got: /Ã/u,
  },
  {
    lines: ['5.3'],
    says: 'give the code of an error as a text',
    source: 'GET /rest/bug/no-such answers "code":"101"',
    cases: ['7 an error has'],
    got: /^\[true,"string","string"\]$/u,
  },
  {
    lines: ['5.3'],
    says: 'leave codes of inner errors below zero',
    source: 'Bugzilla/Error.pm does not add 100000, as other versions do',
    cases: ['4.9 the content cannot'],
    got: /code (?:-32601|"-32601")/u,
  },
  {
    lines: ['5.3'],
    says: 'answer an inner failure with status 500',
    source: 'keywords as a list: {"error":true,"message":"Procedure error: ..."}',
    cases: ['7 keywords'],
    got: /^500$/u,
  },
  {
    lines: ['5.3'],
    says: 'describe people without their email',
    source: 'creator_detail has id, name and real_name',
    cases: ['2.2 '],
    got: /^nothing$/u,
  },
  {
    lines: ['Harmony'],
    says: 'answer code 51 with status 400',
    source: 'Bugzilla/WebService/Constants.pm maps 51 to no status',
    expected: /^404 with code 51$/u,
    got: /^400 with code 51 /u,
  },
  {
    lines: ['Harmony'],
    says: 'have one alias for each bug, a text or null',
    source: 'an alias as a list is 100500 at creation and 68000 in a change; a text is taken',
    cases: [
      '2.1 alias',
      '2.4 each bug has',
      '4.4 alias',
      '4.5 alias',
      '4.5 a plain text as alias',
      '4.5 an alias',
      '4.5 a numeric',
      '4.5 the answer has',
    ],
    got: /code (?:100500|68000)|null|^[ab]l-|"al-/u,
  },
  {
    lines: ['Harmony'],
    says: 'fail when a bug leaves a group, while the extension SecureMail is off',
    source: 'groups: {remove} answers 100500 without a message, and nothing is done',
    cases: ['4.5 groups.add and .remove', '3 a move removes groups'],
    got: /code 100500/u,
  },
  {
    lines: ['Harmony'],
    says: 'name fields in a history as its tables do, and typed ones by their type',
    source: 'GET /rest/bug/ID/history: bug_file_loc, status_whiteboard, dependson, and double for hours',
    cases: ['2.4 changes made', '2.4 removed and added', '4.2 what changed', '4.2 hours are hidden'],
    got: /bug_file_loc|status_whiteboard|dependson|^none$/u,
  },
  {
    lines: ['Harmony'],
    says: 'have no personal tags',
    source: 'include_fields=tags brings nothing, and a search ignores tags; it reads tag',
    cases: ['2.1 personal tags', '4.1 include_fields=_extra', '4.3 personal tags'],
    got: /^nothing$|"description"|^\[\d+(?:,\d+)*\]$/u,
  },
  {
    lines: ['Harmony'],
    says: 'let a new bug have any status',
    source: 'POST /rest/bug with a status that others do not begin with is 200',
    cases: ['3 a new bug cannot'],
    got: /^200 /u,
  },
  {
    lines: ['Harmony'],
    says: 'bring the default QA contact back where none is wanted',
    source: 'a change to no QA contact leaves that of the component',
    cases: ['2.1 qa_contact is empty'],
    got: /@/u,
  },
  {
    lines: ['Harmony'],
    says: 'ignore an empty assignee',
    source: 'assigned_to: "" answers 200 without changes',
    cases: ['4.5 no assignee'],
    got: /^200 .*"changes":\{\}/u,
  },
  {
    lines: ['Harmony'],
    says: 'have custom fields of the installation that made it, which some products and people do not get',
    source: 'extensions/BMO hides cf_crash_signature and cf_rank by product and group',
    cases: [
      '4.1 include_fields=_custom',
      '4.4 a custom field of the kind integer',
      '4.5 a custom field of the kind integer',
    ],
    got: /cf_|^nothing$|code 115/u,
  },
  {
    lines: ['Harmony'],
    says: 'keep no request for information that is granted or denied',
    source: 'extensions/Needinfo clears such a flag, and makes a new one 400 with code 50',
    cases: ['4.6.2 new sets one more'],
    got: /code 50 .*type_id/u,
  },
  {
    lines: ['Harmony'],
    says: 'answer a new attachment with whole objects by id',
    source: 'POST attachment: {"attachments":{"13":{...}}}, without ids',
    cases: ['4.8 the answer is', '4.8 one attachment for several'],
    got: /^nothing$/u,
  },
  {
    lines: ['Harmony'],
    says: 'have no resource for a comment id that is no number',
    source: 'GET /rest/bug/comment/abc is 404 with code 32614',
    cases: ['4.10 a comment id'],
    got: /^404 with code 32614/u,
  },
  {
    lines: ['Harmony'],
    says: 'answer valid_login with a bare truth',
    source: 'GET /rest/valid_login: true',
    cases: ['5 valid_login'],
    got: /^(?:true|false)$/u,
  },
];

/** The way of a version that explains a difference; null when none does. */
export function wayOf(line: Line | null, of: string, { expected, got }: Pick<Differs, 'expected' | 'got'>): Way | null {
  if (line === null) return null;
  const explains = (way: Way) =>
    way.lines.includes(line) &&
    (way.cases?.some((start) => of.startsWith(start)) ?? true) &&
    (way.expected?.test(expected) ?? true) &&
    way.got.test(got);
  return ways.find(explains) ?? null;
}
