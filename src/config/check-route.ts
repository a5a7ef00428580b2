import { labelComplaints, tableComplaints } from './check-labels.ts';
import { statusComplaints } from './check-status.ts';
import type { Complaint, Path } from './problem.ts';
import type { WrittenRoute } from './schema/route.ts';

export function routeComplaints(route: WrittenRoute, path: Path): Complaint[] {
  const complaints = [
    ...componentComplaints(route, path),
    ...statusComplaints(route, path),
    ...labelComplaints(route, path),
  ];
  complaints.push(...attachmentComplaints(route, [...path, 'attachments']), ...tableComplaints(route, path));
  if (route.visitors !== 'welcome' && route.direction !== 'to-github') {
    const message = `visitors: ${route.visitors} needs direction: to-github, as other directions expect people to write on GitHub`;
    complaints.push({ path: [...path, 'visitors'], message });
  }
  if (route.dashboard && route.direction === 'to-tracker') {
    complaints.push({
      path: [...path, 'dashboard'],
      message: 'dashboard: true needs another direction than to-tracker, which never writes to GitHub',
    });
  }
  if (route.contact !== undefined && (/\p{Cc}/u.test(route.contact) || route.contact.length > contactMax)) {
    const message = `contact must be one line of at most ${contactMax} characters`;
    complaints.push({ path: [...path, 'contact'], message });
  }
  if (!isRepository(route.github.repo)) {
    complaints.push({
      path: [...path, 'github', 'repo'],
      message: 'github.repo must be owner/name, such as acme/widget',
    });
  }
  return complaints;
}

const contactMax = 200;

const repoName = /^[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\/(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/;

/** Whether a text is a valid name of a GitHub repository, as owner/name. */
export const isRepository = (text: string): boolean => repoName.test(text);

/** Names that git accepts for a branch or a tag, and that need no escaping. */
const refName = /^(?!\.)(?!.*(?:\.\.|\.lock$|\/\.|\/\/))[\w.-]+(?:\/[\w.-]+)*$/;

function attachmentComplaints({ attachments }: WrittenRoute, path: Path): Complaint[] {
  if (attachments === undefined) return [];
  const { store, repo, branch, tag } = attachments;
  const complaints: Complaint[] = [];
  const needsRepo = store === 'repo' || (store === 'release' && repo !== undefined);
  if (needsRepo && !isRepository(repo ?? '')) {
    complaints.push({
      path: [...path, 'repo'],
      message: 'attachments.repo must name the repository for files, as owner/name',
    });
  }
  if (!refName.test(branch)) {
    complaints.push({
      path: [...path, 'branch'],
      message: 'attachments.branch must be the name of a branch, such as attachments',
    });
  }
  if (!refName.test(tag) || tag.includes('/')) {
    complaints.push({
      path: [...path, 'tag'],
      message: 'attachments.tag must be the name of a tag, such as attachments',
    });
  }
  return complaints;
}

/** The route must select the bugs that it files. */
function componentComplaints(route: WrittenRoute, path: Path): Complaint[] {
  if (route.direction === 'to-github') return [];
  const { component } = route.create;
  const selected = route.tracker.component === undefined ? null : [route.tracker.component].flat();
  if (component === undefined) {
    if (selected !== null) return [];
    const message = 'bugs filed from issues need a component: set it here, or list the components of the route';
    return [{ path: [...path, 'create', 'component'], message: `create.component is missing: ${message}` }];
  }
  if (selected === null || selected.includes(component)) return [];
  return [
    {
      path: [...path, 'create', 'component'],
      message: `create.component must be one that the route selects: ${selected.join(', ')}`,
    },
  ];
}
