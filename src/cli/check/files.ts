import type { AttachmentRule } from '../../model/route.ts';
import type { AttachmentStoreSurvey, RepositorySurvey } from '../../model/survey.ts';
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
  const attachmentStore = site.attachmentStore ?? site.repository;
  if (typeof attachmentStore === 'string') return [failure(`files cannot stand in ${rule.owner}/${rule.repo}: ${attachmentStore}`)];
  if (direction === 'to-tracker') return largest;
  const found = [...right(attachmentStore), ...place(rule, attachmentStore, site.place), ...audience(attachmentStore, site.repository)];
  const isWell = found.every(({ level }) => level !== 'failure');
  return [...found, ...(isWell ? [fine(`files stand in ${attachmentStore.name}, ${placeInWords(rule)}`)] : []), ...largest];
}

function placeInWords({ store, branch, tag }: AttachmentRule): string {
  if (store === 'release') return `in the releases ${tag}, ${tag}-2 and so on`;
  return store === 'upload' ? 'where GitHub keeps pictures and films of texts; all others are linked to' : `on the branch ${branch}`;
}

/** What a place lacks, and what it cannot do. */
function place({ store, branch }: AttachmentRule, { name }: RepositorySurvey, found: AttachmentStoreSurvey | null): readonly Finding[] {
  const lacks = [
    ...(found?.isEmpty
      ? [failure(`${name} has no commit yet, and GitHub takes no files before the first one; commit something to it`)]
      : []),
    ...(found?.isCode
      ? [failure(`people work on the branch ${branch} of ${name}; give attachments.branch a name that nothing else uses`)]
      : []),
    ...(found?.isSealed ? [failure(`the releases of ${name} are immutable, so they take no files; turn that off in its settings`)] : []),
  ];
  const words =
    'nobody can delete an uploaded file: what becomes private later stays open to whoever knows its address; and GitHub does not document the way';
  return store === 'upload' ? [...lacks, warning(words)] : lacks;
}

function right({ name, right: ours, isArchived }: RepositorySurvey): readonly Finding[] {
  if (isArchived) return [failure(`${name} is archived, so no file can be put there; unarchive it, or name another repository`)];
  if (ours === null)
    return [warning(`GitHub does not tell whether we may write contents in ${name}; files need that (Contents: read and write)`)];
  if (includes(ours, 'push')) return [];
  return [failure(`may not write contents in ${name}; give the account the write role there, or set attachments.store: link`)];
}

/** Whoever reads the issues is to see the files, and nobody else. */
function audience(attachmentStore: RepositorySurvey, { name, isPrivate }: RepositorySurvey): readonly Finding[] {
  if (attachmentStore.isPrivate === null || isPrivate === null)
    return [warning(`GitHub does not tell who may read ${attachmentStore.name}, where the files stand; look before you let it run`)];
  if (attachmentStore.isPrivate === isPrivate) return [];
  if (isPrivate) return [failure(`${attachmentStore.name} is public and ${name} is not: everybody could read the files; make it private`)];
  return [warning(`${attachmentStore.name} is private and ${name} is public: readers of the issues cannot open the files`)];
}

/** The tracker counts in kilobytes of 1024 bytes. Source: its parameter maxattachmentsize. */
function tooLarge({ bytesMax }: AttachmentRule, { tracker: { parameters } }: Site): readonly Finding[] {
  const kilobytes = Number(parameters?.['maxattachmentsize'] ?? Number.NaN);
  if (Number.isNaN(kilobytes) || kilobytes * 1024 >= bytesMax) return [];
  return [
    fine(`the tracker takes attachments of up to ${kilobytes} kB (maxattachmentsize); larger files in issues stay there and are linked to`),
  ];
}

/** How texts cross, which follows from what the tracker reads. There is nothing in it that could be wrong. */
export const texts: Topic = {
  name: 'texts',
  fine: ({ vocabulary }) =>
    vocabulary.takesMarkdown ? 'the tracker reads Markdown, and so texts cross as Markdown' : 'the tracker reads plain text',
  find: () => [],
};
