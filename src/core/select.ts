import type { Bug, Issue, Item } from '../model/item.ts';
import type { Route } from '../model/route.ts';
import { isOpenView, statusView } from './status.ts';

/**
 * Whether an item that is not linked yet may begin to be mirrored; null when it may, else the reason why not.
 * A bug that is linked keeps its link whatever it changes to.
 */
export function whyNotSelected(route: Route, item: Item): string | null {
  return item.kind === 'bug' ? whyNotBug(route, item) : whyNotIssue(route, item);
}

function whyNotBug(route: Route, bug: Bug): string | null {
  const { product, components, keyword, createdSinceAt, openOnly } = route.selection;
  const component = bug.values.component ?? '';
  if (bug.product !== product) return `the route takes product ${product}`;
  if (bug.isPrivate) return 'the bug is private';
  if (components !== null && !components.includes(component)) return `the route does not take component ${component}`;
  if (keyword !== null && !bug.keywords.some((each) => each.toLowerCase() === keyword.toLowerCase())) {
    return `the route takes bugs with the keyword ${keyword}`;
  }
  if (createdSinceAt !== null && bug.createdAt < createdSinceAt) return 'the bug is older than the route takes';
  if (openOnly && !isOpenView(statusView(route.status, bug.status, bug.resolution) ?? '')) return 'the route takes open bugs';
  return null;
}

function whyNotIssue(route: Route, issue: Issue): string | null {
  const { label } = route;
  if (label === null || issue.labels.some((each) => each.toLowerCase() === label.toLowerCase())) return null;
  return `the route takes issues with the label "${label}"`;
}
