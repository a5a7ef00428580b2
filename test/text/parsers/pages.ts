/**
 * What is alive in a page that a Markdown parser makes of a text: elements, pictures, links, and the runs of words in
 * which GitHub looks for mentions, numbers, commits and emoji when the parser has done its part. Read from the trees of
 * two parsers: the one in use, and GitHub's own.
 */

import { nameToEmoji } from 'gemoji';
import type { Nodes } from 'mdast';
import { parsed } from '../../../src/text/parse.ts';

export interface PageTree {
  /** HTML that the parser takes for such, piece by piece. */
  readonly html: string[];
  readonly links: string[];
  readonly pictures: string[];
  /** Words outside of code and links, run by run. */
  readonly runs: string[];
  /** All that a reader sees, in its order; code too, and HTML as its characters. */
  readonly shown: string[];
  /** The languages of blocks of code. */
  readonly languages: string[];
  /** Code within a line. */
  readonly spans: string[];
  /** The first line of each quotation. */
  readonly quotations: string[];
}

const emptyPage = (): PageTree => ({
  ...{ html: [], links: [], pictures: [], runs: [], shown: [] },
  ...{ languages: [], spans: [], quotations: [] },
});

/** By the parser in use. */
export function pageOf(markdown: string): PageTree {
  const page = emptyPage();
  const root = parsed(markdown);
  const urls = new Map<string, string>();
  const define = (node: Nodes): void => {
    if (node.type === 'definition' && !urls.has(node.identifier)) urls.set(node.identifier, node.url);
    if ('children' in node) for (const child of node.children) define(child);
  };
  define(root);
  walkNode(page, root, urls, false);
  return page;
}

function walkNode(page: PageTree, node: Nodes, urls: ReadonlyMap<string, string>, isLinked: boolean): void {
  const url = 'identifier' in node ? (urls.get(node.identifier) ?? '') : 'url' in node ? node.url : '';
  if (node.type === 'html') addHtml(page, node.value);
  else if (node.type === 'text') addWords(page, node.value, isLinked);
  else if (node.type === 'code' || node.type === 'inlineCode') page.shown.push(node.value);
  else if (node.type === 'image' || node.type === 'imageReference') addPicture(page, url, node.alt || url);
  else if (node.type === 'link' || node.type === 'linkReference') page.links.push(url);
  if (node.type === 'code') page.languages.push(node.lang ?? '');
  if (node.type === 'inlineCode') page.spans.push(node.value);
  if (node.type === 'blockquote') page.quotations.push(firstLine(node.children[0]));
  if (!('children' in node)) {
    if (node.type !== 'text') page.runs.push('');
    return;
  }
  const isLink = node.type === 'link' || node.type === 'linkReference';
  page.runs.push('');
  for (const child of node.children) walkNode(page, child, urls, isLinked || isLink);
  page.runs.push('');
}

/** Of a quotation that begins with words. */
const firstLine = (node: Nodes | undefined): string =>
  node?.type === 'paragraph' && node.children[0]?.type === 'text' ? (node.children[0].value.split('\n')[0] ?? '') : '';

/** By GitHub's own, whose tree comes as XML. */
export function githubPageOf(tree: string): PageTree {
  const page = emptyPage();
  let linked = 0;
  let inside = '';
  let outside = '';
  // The names of footnotes are not told to XML.
  for (const [, end, name = '', rest = '', text = ''] of tree
    .replaceAll('<unknown>', 'footnote')
    .matchAll(/<(\/?)([\w!?]+)([^>]*)>([^<]*)/gu)) {
    const attribute = (wanted: string): string =>
      decoded(new RegExp(` ${wanted}="([^"]*)"`, 'u').exec(rest)?.[1] ?? '');
    if (end === '/') {
      if (name === 'link') linked -= 1;
      if (!leaves.has(name)) page.runs.push('');
      inside = '';
      continue;
    }
    inside = name;
    if (name === 'link') {
      page.links.push(attribute('destination'));
      linked += rest.endsWith('/') ? 0 : 1;
    }
    if (name === 'image') page.pictures.push(attribute('destination'));
    if (inside === 'text') addWords(page, decoded(text), linked > 0);
    else if (inside === 'html_inline' || inside === 'html_block') addHtml(page, decoded(text));
    else if (inside === 'code' || inside === 'code_block') page.shown.push(decoded(text));
    if (inside === 'code') page.spans.push(decoded(text));
    if (inside === 'code_block') page.languages.push(attribute('info').split(/\s/u)[0] ?? '');
    if (inside === 'text' && outside === 'block_quote paragraph') page.quotations.push(decoded(text));
    outside = inside === 'paragraph' && outside === 'block_quote' ? 'block_quote paragraph' : inside;
    if (!leaves.has(name) || inside !== 'text') page.runs.push('');
  }
  return page;
}

const leaves: ReadonlySet<string> = new Set(['text', 'html_inline', 'html_block', 'code', 'code_block']);

const decoded = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');

function addHtml(page: PageTree, html: string): void {
  page.html.push(html);
  page.shown.push(html);
}

function addPicture(page: PageTree, url: string, words: string): void {
  page.pictures.push(url);
  page.shown.push(words);
}

function addWords(page: PageTree, words: string, isLinked: boolean): void {
  page.shown.push(words);
  if (isLinked) return;
  const last = page.runs.pop() ?? '';
  page.runs.push(last + words);
}

/**
 * What must not be alive in a page.
 * @param own addresses on GitHub, and elements, that the bridge writes itself
 */
export function* faultsIn(
  page: PageTree,
  own: { readonly links: readonly string[]; readonly html: RegExp },
): Generator<string> {
  for (const html of page.html) if (html.trim().replace(own.html, '') !== '') yield `an element: ${html}`;
  for (const picture of page.pictures) yield `a picture: ${picture}`;
  for (const link of page.links) if (/^mailto:/iu.test(link)) yield `a link to a person: ${link}`;
  for (const link of page.links) if (isOnGithub(link) && !own.links.includes(link)) yield `a link into GitHub: ${link}`;
  for (const run of page.runs) yield* faultsInWords(run);
}

/**
 * Gists name no issues. As a browser reads it: `//github.com`, `https:/github.com` and `https:\\github.com` lead there
 * as well.
 */
export function isOnGithub(link: string): boolean {
  try {
    const { protocol, hostname } = new URL(link, 'https://elsewhere.test');
    return /^(?:https?|ftp):$/u.test(protocol) && /^(?:www\.)?github\.com\.?$/u.test(hostname);
  } catch {
    return false;
  }
}

const searches: Readonly<Record<string, RegExp>> = {
  'a mention': /(?<![A-Za-z0-9_])@[A-Za-z0-9]/u,
  'a number': /(?<![/&])#\d+(?!\w)|\bGH-\d/iu,
  'a commit': /\b(?=\d*[a-f]|\d{40}\b)[0-9a-f]{7,40}\b/iu,
  'an address on GitHub': /(?:https?:\/\/|\bwww\.)(?:www\.)?github\.com/iu,
};

/** UUIDs and ranges of addresses in memory, in which GitHub sees no commits. */
const noCommits =
  /\b(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{8}-[0-9a-f]{8}|[0-9a-f]{12}-[0-9a-f]{12})(?![\w-])/giu;

function* faultsInWords(run: string): Generator<string> {
  // What only looks like an address is none of GitHub's things either.
  const words = run
    .replace(/\b(?:(?!https?:\/\/(?:www\.)?github)[a-z]+:\/\/)[^\s\u200b]+/giu, ' ')
    .replace(noCommits, ' ');
  for (const [what, pattern] of Object.entries(searches)) {
    const found = pattern.exec(words);
    if (found !== null) yield `${what}: ${words.slice(Math.max(0, found.index - 20), found.index + 40)}`;
  }
  for (const [whole, name = ''] of words.matchAll(/:([\w+-]+)(?=:)/gu))
    if (nameToEmoji[name] !== undefined) yield `an emoji: ${whole}:`;
}

/** CharacterSupport and digits that a reader sees, in their order. */
export const charactersOf = (page: PageTree): string => (page.shown.join('').match(/[\p{L}\p{N}]+/gu) ?? []).join('');
