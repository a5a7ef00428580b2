/** The page of examples in docs/mapping.md, made from the texts in test/text/examples. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IssueReferences, References } from '../../src/text/references.ts';
import { safeMarkdown } from '../../src/text/safe-markdown.ts';
import { toMarkdown } from '../../src/text/to-markdown.ts';
import { toTrackerText } from '../../src/text/to-tracker.ts';
import { rendered } from './rendered.ts';

export interface Example {
  readonly section: string;
  readonly title: string;
  readonly text: string;
}

/** `## ` begins a section and `=== ` an example. */
export function examplesIn(file: string): readonly Example[] {
  const source = readFileSync(join(import.meta.dirname, 'examples', file), 'utf8');
  return source.split(/^## /mu).flatMap((part) => {
    const [section = '', ...texts] = part.split(/^=== /mu);
    return texts.map((each) => {
      const end = each.indexOf('\n');
      return { section: section.trim(), title: each.slice(0, end), text: each.slice(end + 1).replace(/\n+$/u, '') };
    });
  });
}

const issue = 'https://github.com/acme/widget/issues/5';

/** Bug 12 of the examples is mirrored as issue 5, and so is its comment 3. */
const references: References = {
  bug: (id) => (id === 12 ? issue : null),
  comment: (bug, count) => ((bug ?? 12) === 12 && count === 3 ? `${issue}#issuecomment-33` : null),
  attachment: () => null,
  page: (url) => (url === 'https://bugs.example.org/show_bug.cgi?id=12' ? issue : null),
};

const issues: IssueReferences = {
  issue: (repository, number) => (number === 5 && (repository ?? 'acme/widget') === 'acme/widget' ? 'bug 12' : null),
  page: (url) => (url === issue ? 'bug 12' : null),
};

export const asMarkdown = (text: string): string => toMarkdown(text, references);
export const asSafeMarkdown = (text: string): string => safeMarkdown(text, references);
export const asTrackerText = (markdown: string): string => toTrackerText(markdown, issues);

/** Characters without width would not be seen on the page. */
const shown = (text: string): string => text.replaceAll('\u200b', '·').replaceAll('\u00a0', ' ');

export const beginning = '<!-- Made by scripts/write-examples.ts from test/text/examples; a test holds it to the program. -->';

/** The section of the page, from `beginning` to the end of the document. */
export function examplesPage(): string {
  const toGithub = examplesIn('to-github.txt');
  const toTracker = examplesIn('to-tracker.txt');
  const markdown = examplesIn('markdown.txt');
  return [
    beginning,
    '',
    ...sections(toGithub, githubParts),
    ...sections(toTracker, trackerParts),
    ...sections(markdown, markdownParts),
  ].join('\n');
}

type Parts = (text: string) => readonly (readonly [heading: string, text: string])[];

const githubParts: Parts = (text) => {
  const seen = rendered(asMarkdown(text));
  const links = seen.links.length === 0 ? [] : [['with links to', seen.links.join('\n')] as const];
  return [
    ['On the tracker:', text],
    ['As Markdown:', shown(asMarkdown(text))],
    ['What a reader of GitHub sees:', shown(seen.lines.join('\n').replace(/^\n+|\n+$/gu, ''))],
    ...links,
  ];
};

const markdownParts: Parts = (text) => [
  ['On the tracker, as written:', text],
  ['On GitHub, as Markdown:', shown(asSafeMarkdown(text))],
];

const trackerParts: Parts = (text) => [
  ['On GitHub, as written:', text],
  ['On the tracker:', shown(asTrackerText(text))],
];

function sections(examples: readonly Example[], parts: Parts): readonly string[] {
  return [...Map.groupBy(examples, ({ section }) => section)].flatMap(([section, list]) => [
    `### ${section}`,
    '',
    ...list.flatMap(({ title, text }) => [
      `**${title}**`,
      '',
      ...parts(text).flatMap(([heading, each]) => [heading, '', ...block(each), '']),
    ]),
  ]);
}

function block(text: string): readonly string[] {
  const longest = Math.max(3, ...[...text.matchAll(/~+/gu)].map(([run]) => run.length + 1));
  return ['~'.repeat(longest), ...text.split('\n'), '~'.repeat(longest)];
}
