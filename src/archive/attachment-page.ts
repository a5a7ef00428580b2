import { pictureHtml, pullHtml } from './bug-page.ts';
import type { AttachmentRecord, BugRecord } from './bug-record.ts';
import { bytesInWords, escaped, momentHtml, pageOf } from './page.ts';
import { bugPath } from './paths.ts';
import { savedName } from './safe-file.ts';

const root = '../';

/** Longer texts are for saving. */
export const previewBytesMax = 200_000;

/**
 * The page of an attachment, which old links to the attachment lead to.
 * @param text the content, if it is a text that is short enough to be shown
 */
export function attachmentPage(
  attachment: AttachmentRecord,
  bug: BugRecord,
  site: string,
  text: string | null,
): string {
  const { id, name, summary, author, at, isObsolete, isPatch, type, file, flags, pull } = attachment;
  const rows: readonly (readonly [label: string, html: string])[] = [
    ['File name', escaped(name)],
    ['Type', escaped(isPatch ? `patch (${type})` : type)],
    ['Pull request', pull === undefined ? '' : pullHtml(pull)],
    ['Size', file === null ? noFile(attachment) : bytesInWords(file.bytes)],
    ['SHA-256', file === null ? '' : `<code>${file.sha256}</code>`],
    ['Flags', escaped(flags.join(', '))],
    ['Obsolete', isObsolete ? 'yes' : ''],
  ];
  const shown = rows
    .filter(([, html]) => html !== '')
    .map(([label, html]) => `<div><dt>${label}</dt><dd>${html}</dd></div>`);
  const save =
    file === null
      ? ''
      : `<p><a class="button" href="${root}${file.path}" download="${escaped(savedName(name))}">Save the file</a></p>`;
  const picture = pictureHtml(attachment, root);
  const content = [
    `<p class="crumbs"><a href="${root}${bugPath(bug.id)}">Bug ${bug.id}: ${escaped(bug.title)}</a></p>`,
    `<h1><span class="number">Attachment ${id}</span> ${escaped(summary || name)}</h1>`,
    `<p class="facts">attached by <b>${escaped(author)}</b> ${momentHtml(at)}</p>`,
    `<dl class="fields">\n${shown.join('\n')}\n</dl>`,
    save,
    ...(picture === '' ? [] : [`<p class="picture">${picture}</p>`]),
    ...(text === null ? [] : [`<pre class="preview">\n${isPatch ? patchHtml(text) : escaped(text)}</pre>`]),
  ];
  return pageOf({
    title: `Attachment ${id} – ${summary || name}`,
    root,
    site,
    content: content.filter((part) => part !== '').join('\n'),
  });
}

const noFile = ({ isUnread }: AttachmentRecord): string =>
  isUnread ? 'The file is missing here: the tracker did not give it out.' : 'The content was deleted.';

/** A patch with colours for what it adds and takes away. */
const patchHtml = (text: string): string =>
  text
    .split('\n')
    .map((line) => {
      if (/^\+(?!\+\+ )/u.test(line)) return `<ins>${escaped(line)}</ins>`;
      if (/^-(?!-- )/u.test(line)) return `<del>${escaped(line)}</del>`;
      return /^(?:@@|diff |Index: )/u.test(line) ? `<b>${escaped(line)}</b>` : escaped(line);
    })
    .join('\n');
