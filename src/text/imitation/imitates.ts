import {
  deletedLine,
  editedLine,
  fixedLine,
  mirroredLine,
  movedLine,
  pullLine,
  pushLine,
  withEditor,
  wroteLine,
} from '../marker.ts';

/**
 * Lines of people that look like the lines with which the bridge begins a copy. Nobody reads them as ours, because ours
 * come first; but readers may, in the middle of a text. So they are shown as a quotation, which they pretend to be.
 */

/** Whether a line looks like ours. @param line as a reader sees it, without markup */
export const imitates = (line: string): boolean => line.split(rows).some(looksLikeOurs);

/** So many lines may stand for one of ours. */
const runMax = 4;

/**
 * Which of these lines look like ours, by themselves or in a run: a line of ours that is broken is still read as one.
 * Only a run that ends with an address or a time does, as ours do: all else is prose.
 * @param lines as a reader sees them, without markup
 */
export function imitations(lines: readonly string[]): readonly boolean[] {
  const found = lines.map(imitates);
  for (const [at, line] of lines.entries()) {
    if (found[at] === true || line.length > lengthMax || !endsOurs(line)) continue;
    for (let start = at - 1; start >= 0 && start > at - runMax; start -= 1) {
      const first = lines[start] ?? '';
      if (first.trim() === '' || first.length > lengthMax) break;
      const run = lines.slice(start, at + 1).map((each) => each.trim());
      if (!imitates(run.join(' '))) continue;
      found.fill(true, start, at + 1);
      break;
    }
  }
  return found;
}

const endsOurs = (line: string): boolean => /https?:\/\/|\d\d:\d\d utc\b/u.test(asSeen(line));

/** Browsers show the rest of the line below it. */
const rows = /[\u2028\u2029]|\s{20,}/u;

/** Whoever quotes such a line already says that it is not theirs. */
function looksLikeOurs(row: string): boolean {
  if (/^\s*>/u.test(row)) return false;
  const seen = asSeen(row);
  return isOurs(seen) || (/[\u202d\u202e]/u.test(row) && isOurs([...seen].reverse().join('')));
}

/** The bridge's own lines are shorter. */
const lengthMax = 1_000;

function isOurs(seen: string): boolean {
  const words = seen.replace(signs, '').slice(0, lengthMax);
  return patterns.some((pattern) => pattern.test(words));
}

/** What may stand before the words: signs, numbers, and emoji. */
const signs = /^(?::[\w+-]+:|\P{L})+/u;
const unseen = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{M}]/gu;

/** In small letters of our alphabet and with single spaces; without what no reader sees. */
function asSeen(row: string): string {
  // A character may stand for eighteen.
  const shown = row
    .replace(unseen, '')
    .replace(signs, '')
    .slice(0, 2 * lengthMax);
  const plain = /^[ -~]*$/u.test(shown)
    ? shown
    : shown
        .normalize('NFKD')
        .replace(unseen, '')
        .toLowerCase()
        .replace(/[^ -~]/gu, (letter) => lookalikes[letter] ?? letter);
  return plain
    .toLowerCase()
    .replace(/\s+/gu, ' ')
    .replace(/\bgit\P{L}hub\b/gu, 'github');
}

/** In the place of what differs from one line to the next. */
const hole = '\0';
const commit = { sha: hole, url: hole, title: hole, by: null };

/** What the bridge writes on the tracker. */
const onTracker = [
  wroteLine(hole, hole),
  withEditor(editedLine(hole, { revision: hole }), hole),
  deletedLine(hole, hole),
  mirroredLine(hole),
  movedLine(hole),
  ...(['open', 'merged', 'closed'] as const).map((state) => pullLine({ state, url: hole, login: hole }, ':')),
  ...[[commit], [commit, commit]].map((commits) => pushLine(hole, { branch: hole, url: hole, commits })),
];

/** The words of a line before its address; signs and numbers may be others. */
function patternOf(line: string): RegExp {
  const words =
    line
      .slice(0, line.lastIndexOf(' ('))
      .toLowerCase()
      .match(/\p{L}+|\0/gu) ?? [];
  return new RegExp(`^${words.join('\\P{L}+').replaceAll('\\P{L}+\0\\P{L}+', '\\b.*\\b')}\\b`, 'u');
}

/** Others say that something was fixed, too: with the name of a repository and an address, it is our line. */
const [fixed = ''] = fixedLine({ url: hole, repo: hole, pull: null, commit: hole, login: null })
  .toLowerCase()
  .split(hole);

/** The line over a copy on GitHub, in a sentence or at the end of a long one, and the line under an issue. */
const header = String.raw`\b(?:wrote\P{L}{1,4}in|opened)\P{L}{1,8}(?:comment|bug)\P{L}{0,6}\d{1,15}(?!\d).{0,400}\bon \d{4}-\d\d-\d\d`;

const patterns: readonly RegExp[] = [
  ...onTracker.map(patternOf),
  new RegExp(String.raw`^${fixed}[^\s/]+/[^\s#@]+[#@]\w.*\bhttps?:`, 'u'),
  new RegExp(`^.{0,200}${header}`, 'u'),
  new RegExp(String.raw`${header} \d\d:\d\d utc\b`, 'u'),
  /^mirrored as \P{L}{0,4}bug\P{L}{1,6}\d/u,
];

/** Signs of other scripts that look like those of our lines. */
const alike = [
  ['аеорсухіѕјһԁԝтвнмкԛӏ', 'aeopcyxisjhdwtbhmkql'],
  ['αοικντυρеոսօհցգ', 'aoikvtupenuohgq'],
  ['ıɡɢɪʜʙɴʀᴀᴄᴅᴇᴋᴍᴏᴘᴛᴜᴡꜱ', 'iggihbnracdekmoptuws'],
  ['\u2010\u2011\u2012\u2013\u2014\u2212', '------'],
] as const;
const lookalikes: Readonly<Record<string, string>> = Object.fromEntries(
  alike.flatMap(([signs, ours]) => [...signs].map((sign, at) => [sign, ours.charAt(at)])),
);
