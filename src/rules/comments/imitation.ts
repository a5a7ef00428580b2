/**
 * Lines of people that look like the lines with which the bridge begins a copy. Nobody reads them as ours, because ours
 * come first; but readers may, in the middle of a text. So they are shown as a quotation, which they pretend to be.
 */

const onTracker =
  /^\P{L}*(?:git\P{L}?hub\P{L}+user\b.*\b(?:wrote|edited|opened)\b|a comment of github user\b|the pull request of github user\b|this bug (?:is mirrored on|has moved to) github\b)/iu;

const onGithub =
  /^.{0,200}(?:\bwrote in|\bopened)\P{L}{1,4}(?:comment|bug)\s+\d{1,15}(?!\d).{0,400}\bon\s+\d{4}-\d\d-\d\d/iu;

/** A text of people for the tracker or for GitHub, without the line that the bridge puts above it. */
export const quotedImitations = (text: string): string =>
  text
    .split('\n')
    .map((line) => (isImitation(line) ? `> ${line.replace(breaks, '$&> ')}` : line))
    .join('\n');

/** The text that was quoted so. */
export const unquotedImitations = (text: string): string =>
  text
    .split('\n')
    .map((line) => {
      const own = line.startsWith('> ') ? line.slice(2).replace(/(?<=[\u2028\u2029])> /gu, '') : line;
      return isImitation(own) ? own : line;
    })
    .join('\n');

/** Browsers show the rest of the line below it. */
const breaks = /[\u2028\u2029]/gu;

const isImitation = (line: string): boolean => line.split(/[\u2028\u2029]/u).some(looksLikeOurs);

/** Whoever quotes such a line already says that it is not theirs. */
function looksLikeOurs(line: string): boolean {
  if (/^\s*>/u.test(line)) return false;
  const plain = line
    .slice(0, lengthMax)
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .toLowerCase()
    .replace(/[\u0370-\u058f]/gu, (letter) => lookalikes[letter] ?? letter);
  return onTracker.test(plain) || onGithub.test(plain);
}

/** The bridge's own lines are shorter. */
const lengthMax = 1_000;

/** Letters of other scripts that look like those of our lines. */
const lookalikes: Readonly<Record<string, string>> = Object.fromEntries(
  [...'аеорсухіѕјһԁԝтвнмкԛӏαοικντυρեոսօհցգ'].map((letter, at) => [
    letter,
    'aeopcyxisjhdwtbhmkqlaoikvtupenuohgq'.charAt(at),
  ]),
);
