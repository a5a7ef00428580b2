import type { Fields, Issue } from '../../model/item.ts';
import type { ImportDraft } from '../../model/migration.ts';
import type { CreateOperation } from '../../model/plan/operation.ts';
import type { Route } from '../../model/route.ts';
import { withoutFooter } from '../../text/footer.ts';
import { githubMarker } from '../../text/marker.ts';

export type IssueCreation = Extract<CreateOperation, { readonly on: 'github' }>;

/**
 * A new issue with only its title and text, for when GitHub refuses the whole issue without saying why. The other
 * fields are dropped from the operation, so that the next plan sets them; a field that is refused then is parked alone.
 */
export function bareOf(create: IssueCreation): IssueCreation {
  const { title, body } = create.draft;
  return {
    ...create,
    draft: { title, body, labels: [] },
    target: inText(create.target),
    source: inText(create.source),
  };
}

/** The fields that the text contains: the table is part of the body. */
const inText = ({ title, table }: Fields): Fields => ({
  ...(title === undefined ? {} : { title }),
  ...(table === undefined ? {} : { table }),
});

const titleOf = (number: number): string => `Number ${number} is not used`;

const unused = 'The issues of this repository have the numbers of the bugs that they mirror. This number has none.';

const bareTitleOf = (bug: number): string => `Bug ${bug}`;

/** Whether an issue still has the title with which it held the number of its bug, and which no person chose. */
export const isTitledByNumber = ({ title }: Issue, bug: number): boolean =>
  title === titleOf(bug) || title === bareTitleOf(bug);

/** Whether the body of an issue, without its footer, only says that the number is unused. */
export const saysUnused = (text: string): boolean => text.trim() === unused;

/** Whether an issue only holds its number: it waits for no counterpart, and is not reported. */
export const holdsNumber = ({ body }: Issue): boolean => saysUnused(withoutFooter(body));

/**
 * An issue that holds a number without a bug to mirror. It does not say why, since the number may belong to a private
 * bug. Its marker ties it to that bug, so that neither ever gets another counterpart.
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

/** The reduced import for a bug that GitHub refuses to import as a whole; the mirror then completes the issue. */
export function bareDraft(draft: ImportDraft, bug: number): ImportDraft {
  const { title: _title, labels: _labels, assignee: _assignee, milestone: _milestone, ...rest } = draft;
  return { ...rest, title: bareTitleOf(bug), labels: [], isClosed: false, comments: [] };
}
