import type { AttachmentRule } from '../../model/route.ts';
import type { RepositorySurvey } from '../../model/survey.ts';
import { includes } from './repository.ts';
import type { Site, Topic } from './site.ts';
import { type Finding, failure, fine, warning } from './verdict.ts';

/** Where files are to stand, and how large they may be. */
export const files: Topic = { name: 'files', fine: 'files stay where they are', find };

function find(site: Site): readonly Finding[] {
  const { attachments: rule, direction } = site.route;
  if (rule === null) return [];
  const largest = direction === 'to-github' ? [] : tooLarge(rule, site);
  if (rule.store === 'link') return [...largest, fine('files are linked to, on the tracker')];
  const shelf = site.shelf ?? site.repository;
  if (typeof shelf === 'string') return [failure(`files cannot stand in ${rule.owner}/${rule.repo}: ${shelf}`)];
  const found = direction === 'to-tracker' ? [] : [...place(shelf), ...audience(shelf, site.repository)];
  return [...(found.length > 0 ? found : [fine(`files stand in ${shelf.name}, on the branch ${rule.branch}`)]), ...largest];
}

function place({ name, right, isArchived }: RepositorySurvey): readonly Finding[] {
  if (isArchived) return [failure(`${name} is archived, so no file can be put there; unarchive it, or name another repository`)];
  if (right === null || includes(right, 'push')) return [];
  return [failure(`may not write contents in ${name}; give the account the write role there, or set attachments.store: link`)];
}

/** Whoever reads the issues is to see the files, and nobody else. */
function audience(shelf: RepositorySurvey, { name, isPrivate }: RepositorySurvey): readonly Finding[] {
  if (shelf.isPrivate === null || isPrivate === null || shelf.isPrivate === isPrivate) return [];
  if (isPrivate) return [failure(`${shelf.name} is public and ${name} is not: everybody could read the files; make it private`)];
  return [warning(`${shelf.name} is private and ${name} is public: readers of the issues cannot open the files`)];
}

/** The tracker counts in kilobytes of 1024 bytes. Source: its parameter maxattachmentsize. */
function tooLarge({ bytesMax }: AttachmentRule, { tracker: { parameters } }: Site): readonly Finding[] {
  const kilobytes = Number(parameters?.['maxattachmentsize'] ?? Number.NaN);
  if (Number.isNaN(kilobytes) || kilobytes * 1024 >= bytesMax) return [];
  return [
    fine(`the tracker takes attachments of up to ${kilobytes} kB (maxattachmentsize); larger files in issues stay there and are linked to`),
  ];
}
