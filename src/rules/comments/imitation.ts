/**
 * Lines of people that look like the lines with which the bridge begins a copy. Nobody reads them as ours, because ours
 * come first; but readers may, in the middle of a text. So they are shown as a quotation, which they pretend to be.
 */

const onTracker =
  /^\P{L}*(?:github\s+user\b.*\b(?:wrote|edited|opened)\b|a comment of github user\b|the pull request of github user\b|this bug (?:is mirrored on|has moved to) github\b)/iu;

const onGithub =
  /^.{0,200}(?:\bwrote in|\bopened)\P{L}{1,4}(?:comment|bug)\s+\d{1,15}(?!\d).{0,400}\bon\s+\d{4}-\d\d-\d\d/iu;

/** A text of people for the tracker or for GitHub, without the line that the bridge puts above it. */
export const quotedImitations = (text: string): string =>
  text
    .split('\n')
    .map((line) => (isImitation(line) ? `> ${line}` : line))
    .join('\n');

/** The text that was quoted so. */
export const unquotedImitations = (text: string): string =>
  text
    .split('\n')
    .map((line) => (line.startsWith('> ') && isImitation(line.slice(2)) ? line.slice(2) : line))
    .join('\n');

/** Whoever quotes such a line already says that it is not theirs. */
function isImitation(line: string): boolean {
  if (/^\s*>/u.test(line)) return false;
  const plain = line
    .slice(0, lengthMax)
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '');
  return onTracker.test(plain) || onGithub.test(plain);
}

/** The bridge's own lines are shorter. */
const lengthMax = 1_000;
