import type { Link } from '../../src/model/link.ts';
import type { Route } from '../../src/model/route.ts';
import type { Bridge } from './bridge.ts';
import { type Both, both } from './check-fields.ts';
import { hold } from './hold.ts';
import { isSameTitle } from './plan-context.ts';

/**
 * I8, the other half: once all is quiet, the mirror of a one-way route says what its upstream says, whatever people
 * changed there. A route to the tracker knows only what GitHub says: a label that is missing there says nothing.
 */
export function checkOneTruth(bridge: Bridge): void {
  const { direction } = bridge.planContext.route;
  if (direction === 'both') return;
  for (const link of bridge.links.values()) {
    const pair = both(bridge, link);
    if (pair === null || pair.bug.isPrivate || isParked(bridge, link)) continue;
    const say = (what: string, here: unknown, there: unknown) =>
      `I8: ${what} of bug ${link.bug} is ${String(here)}, and ${String(there)} on issue ${link.issue} (${direction})`;
    const { tracker, github } = pair;
    hold(isSameTitle(tracker.title, github.title), say('title', tracker.title, github.title));
    if (direction === 'to-github') holdOnGithub(bridge, pair, say);
    else holdOnTracker(bridge, pair, say);
  }
}

type Say = (what: string, here: unknown, there: unknown) => string;

const isParked = ({ parked }: Bridge, { id }: Link): boolean =>
  [...parked.keys()].some((key) => key.startsWith(`${id}:`));

function holdOnGithub(
  { planContext: { route, vocabulary } }: Bridge,
  { tracker, github, bug, issue }: Both,
  say: Say,
): void {
  hold(tracker.status === '?' || tracker.status === github.status, say('status', tracker.status, github.status));
  for (const field of ['severity', 'component'] as const)
    if (hasRule(route, field))
      hold(tracker[field].join() === github[field].join(), say(field, tracker[field], github[field]));
  // What the tracker may not know is left to people.
  const isKnown = vocabulary.values.keywords !== undefined;
  const ours = isKnown ? github.keywords : github.keywords.filter((word) => tracker.keywords.includes(word));
  if (hasRule(route, 'keywords'))
    hold(tracker.keywords.join() === ours.join(), say('keywords', tracker.keywords, github.keywords));
  if (hasRule(route, 'whiteboard'))
    hold(tagsOf(bug).join() === after(issue, 'tag: ').join(), say('tags', tagsOf(bug), after(issue, 'tag: ')));
  for (const [field, prefix] of customs)
    if (hasRule(route, field))
      hold(chosen(bug, field).join() === after(issue, prefix).join(), say(field, chosen(bug, field), issue.labels));
}

function holdOnTracker(
  { planContext: { route, vocabulary } }: Bridge,
  { tracker, github, bug, issue }: Both,
  say: Say,
): void {
  const isOpen = github.status === 'open' && tracker.status.startsWith('open');
  const isNobodys = github.status === 'duplicate' && tracker.status === 'not_planned';
  hold(
    tracker.status === github.status || isOpen || isNobodys || tracker.status === '?',
    say('status', tracker.status, github.status),
  );
  const [label, ...more] = github.severity;
  if (travels(route, 'severity') && label !== undefined && more.length === 0)
    hold(tracker.severity.join() === label, say('severity', tracker.severity, label));
  const missing = github.keywords.filter((word) => !tracker.keywords.includes(word));
  if (travels(route, 'keywords') && vocabulary.values.keywords !== undefined)
    hold(missing.length === 0, say('keywords', tracker.keywords, github.keywords));
  const untagged = after(issue, 'tag: ').filter((tag) => !tagsOf(bug).includes(tag));
  if (travels(route, 'whiteboard')) hold(untagged.length === 0, say('tags', tagsOf(bug), after(issue, 'tag: ')));
}

const customs = [
  ['cf_area', 'area: '],
  ['cf_impact', 'impact: '],
] as const;

const hasRule = ({ labels }: Route, field: string): boolean => labels.some(({ from }) => from === field);
const travels = ({ labels }: Route, field: string): boolean =>
  labels.some(({ from, both: isBoth }) => from === field && isBoth);

const after = ({ labels }: Both['issue'], prefix: string): readonly string[] =>
  labels
    .flatMap((label) => (label.toLowerCase().startsWith(prefix) ? [label.slice(prefix.length).toLowerCase()] : []))
    .toSorted();

const tagsOf = ({ whiteboard = '' }: Both['bug']): readonly string[] =>
  [...new Set([...whiteboard.matchAll(/\[([^[\]]+)\]/gu)].map(([, tag = '']) => tag.toLowerCase()))]
    .filter((tag) => tag.trim() !== '')
    .toSorted();

const chosen = ({ customs: values = {} }: Both['bug'], field: (typeof customs)[number][0]): readonly string[] =>
  [values[field] ?? []]
    .flat()
    .flatMap((value) => (value === '---' ? [] : [value.toLowerCase()]))
    .toSorted();
