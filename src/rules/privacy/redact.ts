import type { Bug, Issue } from '../../model/item.ts';
import type { Link } from '../../model/link.ts';
import type { Route } from '../../model/route.ts';
import type { LedgerLine } from '../../model/store.ts';
import { cover } from '../operations/words.ts';
import { whyHidden } from './gate.ts';
import { neutralTitle } from './neutral.ts';

/**
 * Whether reports about the bug are redacted. For a route that was removed from the configuration, only the tracker's
 * own flag is known.
 */
export const isRedacted = (route: Route | undefined, link: Link): boolean =>
  link.isWithdrawn || (route === undefined ? link.tracker?.isPrivate === true : whyHidden(route, link) !== null);

export function redactedLink(link: Link): Link {
  const { tracker, github } = link;
  return {
    ...link,
    base: null,
    visibility: null,
    tracker: tracker && redactedBug(tracker),
    github: github && redactedIssue(github, link.bug),
  };
}

function redactedBug({ kind, id, url, isPrivate, createdAt, changedAt }: Bug): Bug {
  const nobody = { login: cover, name: cover };
  const fields = {
    status: '',
    resolution: '',
    dupeOf: null,
    values: {},
    keywords: [],
    assignee: null,
    milestone: null,
    seeAlso: [],
  };
  return {
    kind,
    id,
    url,
    product: cover,
    summary: neutralTitle(id),
    ...fields,
    isPrivate,
    creator: nobody,
    createdAt,
    changedAt,
  };
}

function redactedIssue({ blockedBy: _blockedBy, type: _type, ...issue }: Issue, bug: number | null): Issue {
  return { ...issue, title: neutralTitle(bug ?? 0), body: cover, labels: [], assignees: [], milestone: null };
}

/** Texts in the details of a line that the bridge itself chose. */
const own = ['act', 'tells', 'field', 'keep', 'operation', 'part', 'reason', 'corrects'];
/** Addresses of comments, bugs and issues; the address of a file contains its name. */
const addresses = ['of', 'made', 'names'];

export function redactedLine(line: LedgerLine): LedgerLine {
  if (line.kind === 'withdraw' || line.kind === 'restore') return line;
  const kept = line.kind === 'file' ? own : [...own, ...addresses];
  const pairs = Object.entries(line.detail).map(
    ([name, value]) => [name, kept.includes(name) ? value : covered(value)] as const,
  );
  return { ...line, detail: Object.fromEntries(pairs) };
}

function covered(value: unknown): unknown {
  if (typeof value === 'string') return cover;
  if (Array.isArray(value)) return value.map((each: unknown) => covered(each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, name === 'field' ? each : covered(each)]),
  );
}
