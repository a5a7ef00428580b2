import type { Fields, Issue } from '../model/item.ts';
import type { ImportDraft } from '../model/migration.ts';
import type { CreateOperation } from '../model/operation.ts';
import type { Route } from '../model/route.ts';
import { githubMarker, withoutFooter } from '../text/marker.ts';

export type IssueCreation = Extract<CreateOperation, { readonly on: 'github' }>;

/**
 * A new issue with nothing but its title and its text, for a GitHub that refuses it as a whole and does not say why. What it no longer
 * expresses counts as never said, so that the next plan sets it, and what is refused then is parked by itself.
 */
export function bareOf(create: IssueCreation): IssueCreation {
  const { title, body } = create.draft;
  return { ...create, draft: { title, body, labels: [] }, target: inText(create.target), source: inText(create.source) };
}

/** The table stands in the text. */
const inText = ({ title, table }: Fields): Fields => ({
  ...(title === undefined ? {} : { title }),
  ...(table === undefined ? {} : { table }),
});

const titleOf = (number: number): string => `Number ${number} is not used`;

const unused = 'The issues of this repository have the numbers of the bugs that they mirror. This number has none.';

const bareTitleOf = (bug: number): string => `Bug ${bug}`;

/** Whether an issue still has the title with which it held the number of its bug: nobody chose that. */
export const isTitledByNumber = ({ title }: Issue, bug: number): boolean => title === titleOf(bug) || title === bareTitleOf(bug);

/** Whether the body of an issue, without its footer, says no more than that it holds a number. */
export const saysUnused = (text: string): boolean => text.trim() === unused;

/** Whether an issue only holds its number: it waits for nothing, and nobody is to be told of it. */
export const holdsNumber = ({ body }: Issue): boolean => saysUnused(withoutFooter(body));

/**
 * An issue that holds a number for which there is no bug to be mirrored. It says nothing of why: a number may belong to what is not for
 * other eyes. By its marker it is known as that bug's, so that nothing else is ever made of either.
 */
export function placeholderDraft({ instance }: Route, number: number, at: number): ImportDraft {
  return {
    title: titleOf(number),
    body: `${unused}\n\n${githubMarker(instance, { bug: number, comment: null })}`,
    labels: [],
    isClosed: true,
    createdAt: at,
    changedAt: at,
    comments: [],
  };
}

/** What is left of a bug that GitHub does not import as a whole: its issue, which the mirror then completes. */
export function bareDraft(draft: ImportDraft, bug: number): ImportDraft {
  const { title: _title, labels: _labels, assignee: _assignee, milestone: _milestone, ...rest } = draft;
  return { ...rest, title: bareTitleOf(bug), labels: [], isClosed: false, comments: [] };
}
