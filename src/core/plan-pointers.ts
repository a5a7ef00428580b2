import type { Link } from '../model/link.ts';
import type { PointOperation } from '../model/operation.ts';
import type { Route } from '../model/route.ts';
import { aboutOf } from './about.ts';
import { bugPointer, issueFooter } from './text/write.ts';

/** Makes both ends name each other, where one does not yet. */
export function planPointers(route: Route, link: Link): readonly PointOperation[] {
  const { tracker: bug, github: issue, pointed } = link;
  if (bug === null || issue === null) return [];
  const toGithub: PointOperation[] = pointed.github
    ? []
    : [{ ...planned(link, 'github'), on: 'github', how: 'footer', footer: issueFooter(route, bug.id, bug.url) }];
  return pointed.tracker ? toGithub : [...toGithub, pointTracker(link, issue.url)];
}

/** After an issue was created for a bug, the bug has to name it; its URL is not known before. */
export function pointAfterCreate(link: Link): readonly PointOperation[] {
  return link.pointed.tracker ? [] : [pointTracker(link, null)];
}

/** Stock trackers take the URLs of github.com issues in see_also, and refuse those of other hosts. */
const seeAlsoTakes = (url: string): boolean => url.startsWith('https://github.com/');

/** @param url null while the issue does not exist: it is filled in by `pointerTo` when it does */
function pointTracker(link: Link, url: string | null): PointOperation {
  return pointerTo({ ...planned(link, 'tracker'), on: 'tracker', how: 'see-also', url: url ?? '' }, url);
}

/** The operation with the issue's URL, in the form that the tracker takes. */
export function pointerTo(operation: PointOperation, url: string | null): PointOperation {
  if (operation.on === 'github' || url === null) return operation;
  const { kind, key, link, about } = operation;
  const same = { kind, key, link, about, on: 'tracker' } as const;
  return seeAlsoTakes(url) ? { ...same, how: 'see-also', url } : { ...same, how: 'comment', text: bugPointer(url) };
}

const planned = (link: Link, on: 'tracker' | 'github') =>
  ({ kind: 'point', key: `${link.id}:${on}:point`, link: link.id, about: aboutOf(link, on) }) as const;
