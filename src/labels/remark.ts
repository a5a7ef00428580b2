import { digestOf } from '../kernel/digest.ts';
import type { Bug } from '../model/item.ts';
import type { WrongLabel } from '../model/label-event.ts';
import { aboutOf, type CommentLink, type Link } from '../model/link.ts';
import type { RemarkOperation } from '../model/operation.ts';
import type { Vocabulary } from '../model/route.ts';
import { toMarkdownInline } from '../text/to-markdown.ts';
import { choicesOf } from './labels.ts';

/** One explanation for each label that is reset, and only one, however often it is changed again. */
export function planRemarks(link: Link, commentLinks: readonly CommentLink[], wrong: readonly WrongLabel[]): readonly RemarkOperation[] {
  const planned = new Map<string, RemarkOperation>();
  for (const answers of wrong) {
    const { event, label, field } = answers;
    const remark = `${event}-${digestOf(`${field === undefined ? '' : `${field}: `}${label.toLowerCase()}`).slice(0, 16)}`;
    if (isRemarked(commentLinks, remark)) continue;
    const place = { key: `${link.id}:github:remark:${remark}`, link: link.id, about: aboutOf(link, 'github') };
    planned.set(remark, { kind: 'remark', on: 'github', ...place, remark, answers });
  }
  return [...planned.values()];
}

export const isRemarked = (commentLinks: readonly CommentLink[], remark: string): boolean =>
  commentLinks.some((commentLink) => commentLink.remark === remark);

/** A longer list of values is no help. */
const namedMax = 20;

/** Explains to people why a label, a type or the value of a field could not travel, and what they can do instead. */
export function labelRemark(wrong: WrongLabel, bug: Bug, vocabulary: Vocabulary): string {
  const { thing, things, another } = wordsFor(wrong);
  const label = `The ${thing} "${toMarkdownInline(wrong.label)}"${wrong.field === undefined ? '' : ` of ${toMarkdownInline(wrong.field)}`}`;
  const undone = ['labeled', 'typed', 'filled'].includes(wrong.event) ? 'was taken off again' : 'was put back';
  const field = fieldInWords(wrong.rule.from);
  const page = `[bug ${bug.id}](${bug.url})`;
  switch (wrong.why) {
    case 'one-way':
      return `${label} ${undone}. ${things} show the ${field} of ${page}, and changes of them do not travel there; change it on the tracker.`;
    case 'unknown':
      return `${label} ${undone}: the tracker knows no such ${field}.${choicesInWords(wrong, vocabulary)}`;
    case 'refused':
      return `${label} ${undone}: the tracker refused this change of the ${field} of ${page}.${choicesInWords(wrong, vocabulary)}`;
    case 'needed':
      return `${label} ${undone}: it shows the ${field} of ${page}, which is never without one. To change it, ${another}.`;
  }
}

function wordsFor({ rule }: WrongLabel) {
  if (rule.isType) return { thing: 'type', things: 'Types', another: 'choose another type' };
  if (rule.field !== undefined) return { thing: 'value', things: 'Values of this field', another: 'choose another value' };
  return { thing: 'label', things: 'Such labels', another: 'put another such label in its place' };
}

function choicesInWords({ rule }: WrongLabel, vocabulary: Vocabulary): string {
  const choices = choicesOf(rule, vocabulary);
  if (choices.length === 0 || choices.length > namedMax) return '';
  return ` It knows ${choices.map((choice) => `"${toMarkdownInline(choice)}"`).join(', ')}.`;
}

const names: Readonly<Record<string, string>> = { keywords: 'keyword', whiteboard: 'tag', op_sys: 'operating system' };

const fieldInWords = (from: string): string => names[from] ?? toMarkdownInline(from.replace(/^cf_/u, '').replaceAll('_', ' '));
