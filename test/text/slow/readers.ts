/** All that takes a text of people, by name. Where a function takes more, it takes what makes it do most. */

import type { PageReferences } from '../../../src/archive/references.ts';
import { commentHtml } from '../../../src/archive/words.ts';
import { visible as visibleInTerminal } from '../../../src/cli/terminal.ts';
import { namedIn } from '../../../src/model/named.ts';
import { filesLinkedIn, headingIn } from '../../../src/rules/attachments/linked.ts';
import { safeName } from '../../../src/rules/attachments/path.ts';
import { changedWords } from '../../../src/rules/comments/changed-words.ts';
import { duplicateNoteIn } from '../../../src/rules/fields/relations.ts';
import { namedItems } from '../../../src/rules/links/pulls.ts';
import { addressesOf } from '../../../src/rules/links/pushes.ts';
import { hasPointerUnder, saysNothing, saysWhoFiled, withoutHeadline } from '../../../src/rules/privacy/neutral.ts';
import * as autolinks from '../../../src/text/autolinks.ts';
import * as canonical from '../../../src/text/canonical.ts';
import * as escaping from '../../../src/text/escape.ts';
import * as html from '../../../src/text/html.ts';
import { carries, keptMarkdown } from '../../../src/text/kept-markdown.ts';
import * as marker from '../../../src/text/marker.ts';
import { isPathological } from '../../../src/text/pathological.ts';
import { asItStands } from '../../../src/text/phrasing.ts';
import * as references from '../../../src/text/references.ts';
import { safeMarkdown } from '../../../src/text/safe-markdown.ts';
import * as spans from '../../../src/text/safe-spans.ts';
import { fits } from '../../../src/text/slots.ts';
import { markdownParts, split, trackerParts } from '../../../src/text/split.ts';
import { partsOf, toMarkdown, toMarkdownInline } from '../../../src/text/to-markdown.ts';
import { isWordless, toTrackerText } from '../../../src/text/to-tracker.ts';
import { copyReads, markdownReads, seenText, sourceReads } from '../../../src/verify/compare/seen-text.ts';
import { addressesIn, charactersOf, partingOf, squashed } from '../../../src/verify/compare/words.ts';
import { widgetRoute } from '../../support/routes.ts';

const known: references.References = {
  bug: (id) => `https://github.com/acme/widget/issues/${id}`,
  comment: (bug, count) => `https://github.com/acme/widget/issues/${bug ?? 1}#issuecomment-${count}`,
  attachment: (id) => `https://github.com/acme/widget/files/${id}`,
  page: () => null,
};
const page: PageReferences = { ...known, isHidden: () => false, whole: (url) => url };
const issues: references.IssueReferences = { issue: (_repo, number) => `bug ${number}`, page: () => 'bug 1' };

const raw = (body: string) => ({ id: 1, author: 'ferry', createdAt: 0, body });

export const readers: Readonly<Record<string, (text: string) => unknown>> = {
  toTrackerText,
  keptMarkdown: (text) => keptMarkdown(text, issues),
  safeMarkdown: (text) => safeMarkdown(text, known),
  toMarkdown: (text) => toMarkdown(text, known),
  toMarkdownInline,
  'split for the tracker': (text) => split(text, 'tracker'),
  'split for GitHub': (text) => split(text, 'github'),
  markdownParts: (text) => markdownParts(text, known),
  'markdownParts of Markdown': (text) => markdownParts(text, known, true),
  trackerParts: (text) => trackerParts(text, issues),
  'trackerParts of Markdown': (text) => trackerParts(text, issues, true),
  'carries another text': (text) => carries(text, `${text} #1`),
  'carries itself': (text) => carries(text, text),
  fits: (text) => fits(text, text.replace(/#\d|\d/gu, '\ue0b6')),
  isWordless,
  isPathological,
  asItStands,
  partsOf,
  ...Object.fromEntries(
    [
      autolinks.broken,
      autolinks.brokenEmoji,
      autolinks.withEmoji,
      autolinks.unmarked,
      autolinks.unbroken,
      autolinks.undrawn,
    ].map((each) => [each.name, each]),
  ),
  canonicalTitle: canonical.canonicalTitle,
  titleWithin: (text) => canonical.titleWithin(text, canonical.titleMax.github),
  canonicalText: canonical.canonicalText,
  visible: canonical.visible,
  withoutByteOrder: canonical.withoutByteOrder,
  withoutAddresses: canonical.withoutAddresses,
  bidiClosed: canonical.bidiClosed,
  digestOf: canonical.digestOf,
  escapeProse: escaping.escapeProse,
  escapeLinked: escaping.escapeLinked,
  disarmed: escaping.disarmed,
  rowless: escaping.rowless,
  escapeLineStart: escaping.escapeLineStart,
  withoutPicture: escaping.withoutPicture,
  expanded: (text) => html.expanded(text, html.noExpansion()),
  expandedLines: (text) => html.expandedLines(text, html.noExpansion()),
  withoutComments: html.withoutComments,
  decodedEntities: html.decodedEntities,
  parseGithubMarker: (text) => marker.parseGithubMarker('acme', text),
  parseRemarkMarker: (text) => marker.parseRemarkMarker('acme', text),
  isDashboard: marker.isDashboard,
  withoutFooter: marker.withoutFooter,
  parseTrackerMarker: marker.parseTrackerMarker,
  mayRefer: references.mayRefer,
  referencesIn: (text) => references.referencesIn(text, known),
  trackerWords: (text) => references.trackerWords(text, issues),
  isGithubPage: references.isGithubPage,
  withoutScheme: references.withoutScheme,
  betterThan: (text) => references.betterThan(text, known),
  isUncoloured: spans.isUncoloured,
  codeSpan: spans.codeSpan,
  destination: (text) => spans.destination(text, text),
  isPlainEnd: spans.isPlainEnd,
  isPlainLabel: spans.isPlainLabel,
  isPlainWords: spans.isPlainWords,
  isPlainAddress: spans.isPlainAddress,
  safeLabel: spans.safeLabel,
  changedWords: (text) => changedWords(text.slice(0, 4_000), text.slice(1, 4_001)),
  duplicateNoteIn,
  namedIn,
  namedItems: (text) => namedItems(widgetRoute, { title: '', body: text }, ['bug {bug}', '{component} {bug}']),
  addressesOf: (text) => addressesOf(widgetRoute, { url: '', title: text }),
  filesLinkedIn,
  headingIn,
  safeName,
  hasPointerUnder,
  saysWhoFiled,
  withoutHeadline,
  saysNothing,
  'commentHtml of plain text': (text) => commentHtml({ text, isMarkdown: false }, page),
  'commentHtml of Markdown': (text) => commentHtml({ text, isMarkdown: true }, page),
  'seenText of ours': (text) => seenText(raw(text), { instance: 'acme', own: 'ferry', isKept: true }),
  'seenText of people': (text) => seenText(raw(text), { instance: 'acme', own: 'other', isKept: true }),
  sourceReads,
  markdownReads,
  copyReads,
  squashed,
  charactersOf,
  addressesIn,
  partingOf: (text) => partingOf(text, `${text}x`),
  visibleInTerminal,
};
