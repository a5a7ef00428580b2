import type { AttachmentRule, LabelRule, Limits, Route, Selection, StatusMap, StatusView } from '../model/route.ts';
import type { Settings } from './config.ts';
import { peopleOf } from './people.ts';
import type { WrittenRoute } from './schema/route.ts';

/** The routes in file order, which is the order in which they claim bugs. */
export function routesOf(
  config: Pick<Settings, 'instance' | 'routes' | 'people' | 'tracker' | 'github' | 'lagMaxMs'>,
): Route[] {
  return config.routes.map((written) => routeOf(config, written));
}

export function limitsOf(config: Pick<Settings, 'limits'>): Limits {
  const { writesPerCycle, brakeShare, settleSeconds, attempts } = config.limits;
  return { writesPerCycle, brakeShare, settleMs: Math.round(settleSeconds * 1000), attempts };
}

function routeOf(
  {
    instance,
    people,
    tracker,
    github,
    lagMaxMs,
  }: Pick<Settings, 'instance' | 'people' | 'tracker' | 'github' | 'lagMaxMs'>,
  written: WrittenRoute,
): Route {
  const [owner = '', repo = ''] = written.github.repo.split('/');
  const selection = selectionOf(written);
  const { component, version, op_sys, platform, severity, priority, ...further } = written.create;
  return {
    name: written.name,
    isEnabled: written.enabled,
    lagMaxMs,
    contact: written.contact ?? null,
    instance,
    selection,
    owner,
    repo,
    webHost: webHostOf(github.url),
    label: written.github.label ?? null,
    direction: written.direction,
    visitors: written.visitors,
    newBugUrl: newBugUrl(tracker.url, written),
    ...(tracker.formerUrls.length === 0 ? {} : { formerUrls: tracker.formerUrls }),
    conflicts: written.conflicts,
    pointer: written.pointer,
    copies: written.copies,
    deletions: written.deletions,
    // A route that never files bugs needs no component.
    create: { component: component ?? selection.components?.[0] ?? '', version, op_sys, platform, severity, priority },
    createFurther: further,
    status: statusMapOf(written),
    labels: written.labels.map(ruleOf),
    people: peopleOf(people.pairs, people.nobody),
    assignee: written.assignee ?? (people.pairs.length > 0 || people.file !== null),
    milestones: written.milestones,
    mentions: written.mentions,
    attachments: attachmentsOf(written),
    ...pullsOf(written),
    ...commitsOf(written),
    ...(written.dashboard ? { dashboard: true as const } : {}),
    dependencies: written.dependencies,
    table: written.table,
    thumbsUp: written.thumbsUp,
    visibilityCheck: written.visibilityCheck,
    privateRepository: written.private,
  };
}

/** Routes that never write to the tracker tell it nothing. */
function pullsOf({ pulls, direction }: WrittenRoute): Pick<Route, 'pulls'> {
  if (pulls === false || direction === 'to-github') return {};
  return { pulls: pulls === true ? ['bug {bug}'] : pulls.patterns };
}

/** The usual ways to name bugs in commits. "PR 12" is missing because it is a pull request on GitHub. */
const usualPatterns: readonly string[] = ['bug {bug}', 'bz#{bug}', 'PR {component}/{bug}'];

function commitsOf({ commits, direction }: WrittenRoute): Pick<Route, 'commits'> {
  if (commits === false || direction === 'to-github') return {};
  const { branch = null, patterns = usualPatterns } = commits === true ? {} : commits;
  return { commits: { branch, patterns } };
}

function ruleOf({ as, ...rule }: WrittenRoute['labels'][number]): LabelRule {
  if (typeof as === 'string') return { ...rule, as };
  return 'type' in as ? { ...rule, as: as.type, isType: true } : { ...rule, as: '{value}', field: as.field };
}

function attachmentsOf({ attachments: written, github }: WrittenRoute): AttachmentRule | null {
  if (written === undefined) return null;
  const { store, branch, tag, maxMegabytes } = written;
  const isElsewhere = store === 'repo' || store === 'release';
  const [owner = '', repo = ''] = ((isElsewhere ? written.repo : null) ?? github.repo).split('/');
  return { store, owner, repo, branch, tag, bytesMax: Math.floor(maxMegabytes * 1_000_000) };
}

/**
 * The host of GitHub's pages, from the address of its API: both share a host on an Enterprise Server
 * (`https://HOST/api/v3`), and differ by a prefix elsewhere. Source: docs.github.com, "Getting started with the REST
 * API", "Network details for GHE.com".
 */
export function webHostOf(url: string): string {
  const { host } = new URL(url);
  return host === 'api.github.com' || host.endsWith('.ghe.com') ? host.replace(/^api\./u, '') : host;
}

/** The tracker's form for a new bug, prefilled so that the route selects it. */
function newBugUrl(url: string, { tracker, create }: WrittenRoute): string {
  const component = create.component ?? [tracker.component ?? []].flat()[0];
  const query = new URLSearchParams({ product: tracker.product, ...(component === undefined ? {} : { component }) });
  return `${url}/enter_bug.cgi?${query}`;
}

function selectionOf({ tracker }: WrittenRoute): Selection {
  const { component } = tracker;
  return {
    product: tracker.product,
    components: component === undefined ? null : [component].flat(),
    keyword: tracker.keyword ?? null,
    createdSinceAt: tracker.createdSince === undefined ? null : Date.parse(tracker.createdSince),
    openOnly: tracker.openOnly,
  };
}

type Shown = WrittenRoute['status']['toGithub'][string];

export function statusMapOf({ status }: Pick<WrittenRoute, 'status'>): StatusMap {
  return {
    toGithub: Object.fromEntries(Object.entries(status.toGithub).map(([name, shown]) => [name, shownOf(shown)])),
    reopened: status.toTracker.reopened,
    completed: status.toTracker.completed,
    notPlanned: status.toTracker.not_planned,
  };
}

function shownOf(shown: Shown): StatusMap['toGithub'][string] {
  if (typeof shown === 'string') return { state: shown, label: null };
  const { open } = shown;
  if (typeof open === 'object') return { state: 'open', label: open.label };
  return Object.fromEntries(
    Object.entries(shown).map(([resolution, state]): [string, StatusView] => [resolution, { state, label: null }]),
  );
}
