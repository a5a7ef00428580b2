/**
 * The words with which a tracker begins a comment that was made with an attachment or about one. It makes them anew at every reading
 * from the summary that the attachment has at that time.
 */
export interface Heading {
  readonly event: 'created' | 'comment';
  readonly attachment: number;
  readonly summary: string;
  /** What the person wrote. */
  readonly rest: string;
}

const pattern = /^(Created|Comment on) attachment (\d{1,12})(?: \[details\])?[ \t]*(?:\n([^\n]*))?(?:\n+|$)/u;

/** Null for a comment that has nothing to do with an attachment. Source: Bugzilla 5.x; older ones number `(id=12)`. */
export function headingIn(text: string): Heading | null {
  const plain = text.replace(/^(Created|Comment on) an? attachment \(id=(\d{1,12})\)/u, '$1 attachment $2');
  const match = pattern.exec(plain);
  if (match?.[2] === undefined) return null;
  const event = match[1] === 'Created' ? 'created' : 'comment';
  return { event, attachment: Number(match[2]), summary: match[3] ?? '', rest: plain.slice(match[0].length) };
}
