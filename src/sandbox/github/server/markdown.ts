import { micromark, type Options } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';

/**
 * Markdown as GitHub shows it in issues, as HTML that is safe to serve: of the HTML in a text, only plain tags without
 * attributes are kept; comments disappear, and all other HTML is shown as text.
 */
export const markdownHtml = (text: string): string =>
  micromark(text, { extensions: [gfm()], htmlExtensions: [gfmHtml(), plainTagsOnly] }).trim();

const plainTag =
  /^<\/?(?:b|blockquote|br|code|del|details|em|h[1-6]|hr|i|ins|kbd|li|ol|p|pre|s|strong|sub|summary|sup|table|tbody|td|th|thead|tr|ul) ?\/?>$/iu;

/** A comment, a tag, or the text between them. */
const htmlParts = /<!--[\s\S]*?(?:-->|$)|<[^<>]*>|[^<]+|</gu;

const encoded = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

function kept(html: string): string {
  const parts = html.match(htmlParts) ?? [];
  return parts.map((part) => (plainTag.test(part) ? part : part.startsWith('<!--') ? '' : encoded(part))).join('');
}

/** Collects the lines of a block of HTML, because a comment may span several. */
const plainTagsOnly: NonNullable<Options['htmlExtensions']>[number] = {
  enter: {
    htmlFlow() {
      this.lineEndingIfNeeded();
      this.buffer();
    },
    htmlText() {
      this.buffer();
    },
  },
  exit: {
    htmlFlow() {
      this.raw(kept(this.resume()));
    },
    htmlFlowData(token) {
      this.raw(this.sliceSerialize(token));
    },
    htmlText() {
      this.raw(kept(this.resume()));
    },
    htmlTextData(token) {
      this.raw(this.sliceSerialize(token));
    },
  },
};
