/** All that takes a text of people: what is found by its types, and here what takes more than a text. */

import type { PageReferences } from '../../../src/archive/references.ts';
import { commentHtml } from '../../../src/archive/words.ts';
import { bugOf, commentOf, detailedBug, read as readBug, readText, writtenText } from '../../../src/bugzilla/map.ts';
import { bugSchema } from '../../../src/bugzilla/schema.ts';
import { issueSchema, toIssue, toPull } from '../../../src/github/map.ts';
import { namedItems } from '../../../src/rules/links/pulls.ts';
import { addressesOf } from '../../../src/rules/links/pushes.ts';
import * as html from '../../../src/text/html.ts';
import { carries } from '../../../src/text/kept-markdown.ts';
import * as references from '../../../src/text/references.ts';
import { safeMarkdown } from '../../../src/text/safe-markdown.ts';
import { destination } from '../../../src/text/safe-spans.ts';
import { fits } from '../../../src/text/slots.ts';
import { markdownParts, trackerParts } from '../../../src/text/split.ts';
import { toMarkdown } from '../../../src/text/to-markdown.ts';
import { seenText } from '../../../src/verify/compare/seen-text.ts';
import { widgetRoute } from '../../support/routes.ts';
import { foundReaders } from './found.ts';

const known: references.References = {
  bug: (id) => `https://github.com/acme/widget/issues/${id}`,
  comment: (bug, count) => `https://github.com/acme/widget/issues/${bug ?? 1}#issuecomment-${count}`,
  attachment: (id) => `https://github.com/acme/widget/files/${id}`,
  page: () => null,
};
const page: PageReferences = { ...known, isHidden: () => false, whole: (url) => url };
const issues: references.IssueReferences = { issue: (_repo, number) => `bug ${number}`, page: () => 'bug 1' };

const raw = (body: string) => ({ id: 1, author: { login: 'ferry' }, createdAt: 0, body });

const half = (text: string): string => text.slice(0, text.length / 2);

const basic = { isBasic: true };
const seenBug = (text: string) =>
  bugSchema.parse({
    ...{ id: 1, product: 'Widget', summary: text, status: 'NEW', resolution: text, whiteboard: text, groups: [] },
    ...{ keywords: [text], see_also: [text], creator: text, creator_detail: { real_name: text }, flags: [] },
    ...{ creation_time: '2026-01-05T08:00:00Z', last_change_time: '2026-01-05T08:00:00Z', cf_area: [text], url: text },
  });
const seenIssue = (text: string) =>
  issueSchema.parse({
    ...{ id: 1, number: 1, html_url: text, title: text, body: text, state: 'open', labels: [text, { name: text }] },
    ...{ user: { login: text }, milestone: { title: text }, created_at: '2026-01-05T08:00:00Z' },
    updated_at: '2026-01-05T08:00:00Z',
  });
const extras = { details: ['url', 'flags', 'qa_contact'], labels: ['whiteboard', 'cf_area'] };

export const readers: Readonly<Record<string, (text: string) => unknown>> = {
  'safeMarkdown with references': (text) => safeMarkdown(text, known),
  'toMarkdown with references': (text) => toMarkdown(text, known),
  'markdownParts with references': (text) => markdownParts(text, known),
  'markdownParts of Markdown': (text) => markdownParts(text, known, true),
  'trackerParts with references': (text) => trackerParts(text, issues),
  'trackerParts of Markdown': (text) => trackerParts(text, issues, true),
  // It parses two texts, which together are as long.
  'carries another text': (text) => carries(half(text), `${half(text)} #1`),
  'fits with slots': (text) => fits(text, text.replace(/#\d|\d/gu, '\ue0b6')),
  expanded: (text) => html.expanded(text, html.noExpansion()),
  expandedLines: (text) => html.expandedLines(text, html.noExpansion()),
  'cutAtReferences with references': (text) => references.cutAtReferences(text, known),
  'trackerWords with references': (text) => references.trackerWords(text, issues),
  'betterThan with references': (text) => references.betterThan(text, known),
  destination: (text) => destination(text, text),
  namedItems: (text) => namedItems(widgetRoute, { title: text, body: text }, ['bug {bug}', '{component} {bug}']),
  addressesOf: (text) => addressesOf(widgetRoute, { url: text, title: text }),
  'bugs of the tracker': (text) => bugOf(seenBug(text), text),
  'bugs with more fields': (text) => readBug(basic, detailedBug(seenBug(text), text, extras)),
  'comments of the tracker': (text) => commentOf({ id: 1, text, creator: text, tags: [text] }, 1, text),
  readText: (text) => readText(basic, text),
  writtenText: (text) => writtenText(basic, text),
  'issues of GitHub': (text) => [toIssue(seenIssue(text)), toPull(seenIssue(text))],
  'commentHtml of plain text': (text) => commentHtml({ text, isMarkdown: false }, page),
  'commentHtml of Markdown': (text) => commentHtml({ text, isMarkdown: true }, page),
  'seenText of ours': (text) => seenText(raw(text), { instance: 'acme', own: { login: 'ferry' }, isKept: true }),
  'seenText of people': (text) => seenText(raw(text), { instance: 'acme', own: { login: 'other' }, isKept: true }),
  ...Object.fromEntries((await foundReaders()).map(({ name, read }) => [name, read])),
};
