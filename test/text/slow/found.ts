/** The functions of `src` that take texts of people, found by the types of what they take. */

import { readdirSync, readFileSync } from 'node:fs';
import type { Comment } from '../../../src/model/item.ts';
import { noIssues, noReferences } from '../../../src/text/references.ts';
import { aBug, aCommentLink, aLink, anIssue, trackerComment } from '../../planner/samples.ts';
import { widgetRoute } from '../../support/routes.ts';

const source = new URL('../../../src/', import.meta.url);

/** Commands and servers of tests take no text of people; stores and ports wait. */
const others = /^(?:sandbox|store|config|rehearse|wire|runtime|cli\/(?!terminal))|^main\.ts$/u;

/** What of each type stands for a text: with the text wherever people's words are. */
const samples: Readonly<Record<string, (text: string) => unknown>> = {
  string: (text) => text,
  number: () => 1,
  boolean: () => true,
  Side: () => 'tracker',
  Route: () => widgetRoute,
  Vocabulary: () => ({ values: {}, workflow: null }),
  References: () => noReferences,
  IssueReferences: () => noIssues,
  Bug: bugOf,
  PublicBug: bugOf,
  Issue: issueOf,
  Item: issueOf,
  Link: (text) => ({ ...aLink, tracker: bugOf(text), github: issueOf(text) }),
  Comment: commentOf,
  CommentLink: (text) => ({ ...aCommentLink, text }),
  NewCommentLink: (text) => ({ ...aCommentLink, text }),
  LabelRule: (text) => ({ from: 'component', as: `${text}{value}`, values: {}, both: true }),
};

const plain = new Set(['number', 'boolean', 'Side', 'Route', 'Vocabulary', 'References', 'IssueReferences']);

function bugOf(text: string) {
  const seen = { whiteboard: text, keywords: [text], seeAlso: [text], milestone: text, details: { url: [text] } };
  return { ...aBug, ...seen, summary: text, values: { ...aBug.values, component: text } };
}

function issueOf(text: string) {
  return { ...anIssue, title: text, body: text, labels: [text], milestone: text, type: text };
}

function commentOf(text: string): Comment {
  return { ...trackerComment(107, text), author: { login: text, name: text } };
}

interface Taken {
  readonly type: string;
  readonly isList: boolean;
}

/** What a function takes, without what it may do without; null if something of it has no sample. */
function takenBy(list: string): readonly Taken[] | null {
  const found: Taken[] = [];
  for (const part of partsOf(list)) {
    if (/^\w+\?:|[^=]=[^>]/u.test(part)) continue;
    const [, rest, picked, type = picked ?? '', array] =
      /^(\.\.\.)?.*: (?:readonly )?(?:Pick<(\w+), [^>]*>|(\w+))(\[\])?(?: \| (?:null|undefined))?$/u.exec(part) ?? [];
    if (!(type in samples)) return null;
    found.push({ type, isList: array !== undefined && rest === undefined });
  }
  return found;
}

/** They take secrets of the operator, which nobody else writes. */
const ofOperator = new Set(['withoutSecrets', 'keyScrubber']);

/** The parameters, at the commas that no bracket encloses. */
function partsOf(list: string): readonly string[] {
  let depth = 0;
  const signs = [...list.replace(/\s+/gu, ' ')].map((sign) => {
    if (/[({[<]/u.test(sign)) depth += 1;
    if (/[)}\]>]/u.test(sign)) depth -= 1;
    return sign === ',' && depth === 0 ? '\n' : sign;
  });
  return signs
    .join('')
    .split('\n')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

export interface Found {
  readonly name: string;
  readonly read: (text: string) => unknown;
}

const declared = /^export (?:function (\w+)(?:<[^(]*>)?|const (\w+)(?:: [^=]*)? = (?:\w+\()?(?=\())\(([^)]*)\)/gmu;

export async function foundReaders(): Promise<readonly Found[]> {
  const found: Found[] = [];
  for (const file of readdirSync(source, { recursive: true, encoding: 'utf8' }).toSorted()) {
    if (!file.endsWith('.ts') || others.test(file)) continue;
    for (const [, first, second, list = ''] of readFileSync(new URL(file, source), 'utf8').matchAll(declared)) {
      const [name, taken] = [first ?? second ?? '', takenBy(list)];
      if (ofOperator.has(name) || taken === null || taken.every(({ type }) => plain.has(type))) continue;
      const room: Readonly<Record<string, unknown>> = await import(new URL(file, source).href);
      const read = room[name];
      if (typeof read !== 'function') throw new Error(`${file} exports no function ${name}`);
      const given = (text: string): readonly unknown[] =>
        taken.map(({ type, isList }) => (isList ? [samples[type]?.(text)] : samples[type]?.(text)));
      found.push({ name: `${name} of ${file}`, read: (text) => Reflect.apply(read, undefined, given(text)) });
    }
  }
  return found;
}
