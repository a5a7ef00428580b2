import type { Side } from '../../model/ids.ts';
import type { Fields, Issue, Value } from '../../model/item.ts';
import { aboutOf, bodyId, type CommentLink, type Link } from '../../model/link.ts';
import type { BugDraft } from '../../model/plan/draft.ts';
import type { CreateOperation, Operation, Plan, UpdateOperation } from '../../model/plan/operation.ts';
import type { PlanContext } from '../../model/plan/plan-input.ts';
import type { PublicBug, PublicPlanInput } from '../../model/plan/public.ts';
import type { CreateValues, FurtherValues, Route } from '../../model/route.ts';
import { isCustom, isSet, sorted, titleMax, titleWithin, withoutAddresses } from '../../text/canonical.ts';
import { bugDescription, issueBody } from '../comments/compose.ts';
import { furtherParts, planComments } from '../comments/plan.ts';
import { bugFields, issueFields, labelsOfFields, typeOfFields } from '../fields/comparable.ts';
import { contentIn } from '../fields/plan.ts';
import { isOpenView } from '../fields/status.ts';
import { trackerTable, withTable, withVotes } from '../fields/table.ts';
import { fieldsOfDraft } from '../labels/labels-and-fields.ts';
import { withTags } from '../labels/tags.ts';
import { planPointers, seeAlsoTakes } from '../links/match.ts';
import { holdsNumber } from '../links/placeholder.ts';
import { issueReferencesOf, referencesOf } from '../links/targets.ts';
import { planRedirect, redirects, trackerAssignee } from '../people/people.ts';

/**
 * Plans the counterpart of a one-ended link, with its comments and pointers, once the other side is known to have none.
 */
export function planCreate(planContext: PlanContext, input: PublicPlanInput): Plan {
  const { link } = input;
  if (link.tracker !== null) return createIssue(planContext, input, link.tracker);
  if (link.github !== null && holdsNumber(link.github)) return planOf([]);
  if (link.github !== null && redirects(planContext.route)) return planRedirect(planContext, input, link.github);
  if (link.github !== null) return createBug(planContext, input, link.github);
  return planOf([]);
}

function createIssue(planContext: PlanContext, input: PublicPlanInput, bug: PublicBug): Plan {
  const { route } = planContext;
  const { link, commentLinks } = input;
  const about = aboutOf(link, 'github');
  if (!planContext.isComplete.github) return waiting(input, about, 'GitHub is still being read for the first time');
  const description =
    commentLinks.find(
      (commentLink) => commentLink.origin === 'tracker' && commentLink.count === 0 && commentLink.part === 1,
    ) ?? null;
  if (link.threadReadAt === null) return waiting(input, about, 'its comments have not been read yet');
  if (link.claim !== null) return waiting(input, about, untaken(link), true);
  const source = { ...bugFields(route, bug), ...trackerTable(route, bug, input.neighbours) };
  const { status, ...expressed } = source;
  const opens = typeof status === 'string' && isOpenView(status);
  const fields = opens ? source : expressed;
  const type = typeOfFields(route, fields);
  const organisation = fieldsOfDraft(route, fields);
  const texts = issueBody(route, bug, description, {
    ...referencesOf(route, link.bug, input.targets),
    webHost: route.webHost,
  });
  const draft = {
    title: titleWithin(withoutAddresses(bug.summary), titleMax.github) || `Bug ${bug.id}`,
    body: withTable(texts[0] ?? '', withVotes(route, bug, source.table)),
    labels: labelsOfFields(route, fields),
    ...(typeof fields.assignee === 'string' ? { assignees: [fields.assignee] } : {}),
    ...(typeof fields.milestone === 'string' ? { milestone: fields.milestone } : {}),
    ...(typeof type === 'string' ? { type } : {}),
    ...(Object.keys(organisation).length === 0 ? {} : { fields: organisation }),
  };
  const key = `${link.id}:github:create`;
  const create: CreateOperation = {
    kind: 'create',
    on: 'github',
    key,
    link: link.id,
    about,
    draft,
    commentLink: description?.id ?? null,
    parts: texts.length,
    target: fields,
    source: fields,
  };
  const rest = commentLinks.filter((commentLink) => commentLink !== description);
  const pointers = planPointers(route, { ...link, pointed: { ...link.pointed, github: true } });
  const closing = typeof status === 'string' && !opens ? [statusAfterCreate(input, 'github', status)] : [];
  const further = description === null ? [] : furtherParts(link, description, texts.length);
  return planOf([
    create,
    ...pointers,
    ...further,
    ...planComments(route, { ...input, commentLinks: rest }),
    ...closing,
  ]);
}

/** A new counterpart is open; if the original is closed, the status follows in an update. */
function statusAfterCreate({ link, duplicateOf }: PublicPlanInput, on: Side, status: string): UpdateOperation {
  const place = { key: `${link.id}:${on}:update`, link: link.id, about: aboutOf(link, on), on };
  const target = { status };
  const twin = status !== 'duplicate' ? null : on === 'tracker' ? duplicateOf : (link.tracker?.dupeOf ?? null);
  return { kind: 'update', ...place, target, source: target, duplicateOf: twin, via: [], replaces: {}, overruled: [] };
}

function createBug(planContext: PlanContext, input: PublicPlanInput, issue: Issue): Plan {
  const { route, vocabulary } = planContext;
  const { link, commentLinks } = input;
  const about = aboutOf(link, 'tracker');
  if (!planContext.isComplete.tracker)
    return waiting(input, about, 'the tracker is still being read for the first time');
  if (link.claim !== null && input.double?.isArriving) return arriving(input, about, link.claim);
  if (link.claim !== null && input.double !== undefined)
    return waiting(input, about, doubled(link.claim, input.double.issue));
  if (link.claim !== null) return waiting(input, about, `it names bug ${link.claim}, which the tracker does not show`);
  const { fields, unknown } = issueFields(route, vocabulary, issue, {}, {});
  const { status, ...shown } = fields;
  // A missing label means no choice: the bug gets the route's default, and the issue gets the label for it. An unknown
  // name likewise.
  const isSaid = ([name, value]: readonly [string, unknown]) =>
    value !== null && !unknown.some((each) => each === name);
  const said = Object.fromEntries(Object.entries(shown).filter(isSaid)) as Fields;
  const values = bugValues(route.create, said);
  // With the keyword that the route selects by, the new bug stays within the route.
  const keywords = sorted([
    ...(isSet(said.keywords) ? said.keywords : []),
    ...(route.selection.keyword === null ? [] : [route.selection.keyword]),
  ]);
  const assignee = typeof said.assignee === 'string' ? trackerAssignee(route, said.assignee) : null;
  const body =
    commentLinks.find(
      (commentLink) => commentLink.origin === 'github' && commentLink.source === bodyId && commentLink.part === 1,
    ) ?? null;
  const { takesMarkdown = false } = input;
  const texts = bugDescription(issue, body?.digest ?? '', issueReferencesOf(link.repo, input.targets), takesMarkdown);
  const further = body === null ? [] : furtherParts(link, body, texts.length);
  const draft = {
    product: route.selection.product,
    summary: titleWithin(issue.title, titleMax.tracker),
    description: texts[0] ?? '',
    ...(takesMarkdown ? { isMarkdown: true as const } : {}),
    values,
    ...(Object.keys(route.createFurther).length === 0 ? {} : { further: route.createFurther }),
    keywords,
    seeAlso: seeAlsoTakes(issue.url) ? issue.url : null,
    ...(assignee === null || assignee === undefined ? {} : { assignee }),
    ...(typeof said.milestone === 'string' ? { milestone: said.milestone } : {}),
    ...(isSet(said.whiteboard) && said.whiteboard.length > 0 ? { whiteboard: withTags('', said.whiteboard) } : {}),
    ...customsOf(said),
  };
  const place = { key: `${link.id}:tracker:create`, link: link.id, about, on: 'tracker' as const };
  const create: CreateOperation = {
    kind: 'create',
    ...place,
    draft,
    commentLink: body?.id ?? null,
    parts: texts.length,
    target: said,
    source: said,
  };
  const rest = commentLinks.filter((commentLink: CommentLink) => commentLink !== body);
  const pointers = planPointers(route, { ...link, pointed: { ...link.pointed, tracker: true } });
  // The tracker chooses the first status by its own rules, and accepts no closed one.
  const closing = typeof status === 'string' && status !== 'open' ? [statusAfterCreate(input, 'tracker', status)] : [];
  return planOf([
    create,
    ...pointers,
    ...further,
    ...planComments(route, { ...input, commentLinks: rest }),
    ...closing,
    ...labelsAfterCreate(route, link, values, said),
  ]);
}

/** Custom fields that labels set; the others get the tracker's defaults. */
function customsOf(said: Fields): Pick<BugDraft, 'customs'> {
  const chosen = Object.entries(said).flatMap(([name, value]) =>
    isCustom(name) && value?.length ? [[name, value] as const] : [],
  );
  return chosen.length === 0 ? {} : { customs: Object.fromEntries(chosen) };
}

/** The labels of the values that a new bug got by default. */
function labelsAfterCreate(route: Route, link: Link, values: CreateValues, said: Fields): readonly UpdateOperation[] {
  const names = route.labels
    .map(({ from }) => from)
    .filter((from) => from !== 'keywords' && from in values && said[from] === undefined);
  if (names.length === 0) return [];
  const target = Object.fromEntries(names.map((name) => [name, values[name as keyof CreateValues]])) as Fields;
  const place = {
    key: `${link.id}:github:update`,
    link: link.id,
    about: aboutOf(link, 'github'),
    on: 'github' as const,
  };
  return [
    {
      ...{ kind: 'update' as const, ...place, target, source: target, duplicateOf: null, via: [] },
      ...{ replaces: {}, overruled: [], ...contentIn(route, 'github', target) },
    },
  ];
}

/** Labels may choose other values than the route's defaults. */
function bugValues(defaults: CreateValues, fields: Readonly<Record<string, Value | undefined>>) {
  const chosen = Object.entries(defaults).map(([name, value]) => {
    const label = fields[name];
    return [name, typeof label === 'string' ? label : value];
  });
  return Object.fromEntries(chosen) as CreateValues;
}

const planOf = (operations: readonly Operation[]): Plan => ({ operations, notes: [], conflicts: [], skips: [] });

function waiting({ link }: PublicPlanInput, about: string, reason: string, needsPerson = false): Plan {
  return { ...planOf([]), skips: [{ link: link.id, about, reason, needsPerson }] };
}

/** Asked again in each cycle: the bug may also turn back. */
function arriving({ link }: PublicPlanInput, about: string, bug: number): Plan {
  const reason = `bug ${bug} moved to this route, and its other issue is not left yet`;
  return { ...planOf([]), skips: [{ link: link.id, about, reason, needsPerson: false, isToRetry: true }] };
}

const untaken = ({ repo, claim }: Link): string =>
  `the bridge filed it from ${repo}#${claim}, which the route no longer covers; give that issue the label of the route to pair the two again`;

const doubled = (bug: number, issue: number): string =>
  `it is a second issue of bug ${bug}, which is paired with issue ${issue}; keep what people wrote here, and delete it`;

type Filing = Pick<Route, 'create' | 'createFurther' | 'selection'>;

/** The values that a route sets on a new bug, by the names of the tracker's API. */
export const saidOfNewBugs = ({
  create,
  createFurther,
  selection: { product },
}: Filing): CreateValues & FurtherValues => ({
  product,
  ...create,
  ...createFurther,
});
