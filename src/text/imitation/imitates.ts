/**
 * Lines of people that look like the lines with which the bridge begins a copy. Nobody reads them as ours, because ours
 * come first; but readers may, in the middle of a text. So they are shown as a quotation, which they pretend to be.
 */

const onTracker =
  /^\P{L}*(?:git\P{L}?hub\P{L}+user\b.*\b(?:wrote|edited|opened)\b|a comment of github user\b|the pull request of github user\b|this bug (?:is mirrored on|has moved to) github\b)/iu;

const onGithub =
  /^.{0,200}(?:\bwrote in|\bopened)\P{L}{1,4}(?:comment|bug)\s+\d{1,15}(?!\d).{0,400}\bon\s+\d{4}-\d\d-\d\d/iu;

/** Whether a line looks like ours. @param line as a reader sees it, without markup */
export const imitates = (line: string): boolean => line.split(/[\u2028\u2029]/u).some(looksLikeOurs);

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
  [...'аеорсухіѕјһԁԝтвнмкԛӏαοικντυρеոսօհցգ'].map((letter, at) => [
    letter,
    'aeopcyxisjhdwtbhmkqlaoikvtupenuohgq'.charAt(at),
  ]),
);
