import type { AttachmentRule } from '../model/route.ts';
import type { AttachmentStoreSurvey, RepositorySurvey } from '../model/survey.ts';
import { includes } from './repository.ts';
import type { Site, Topic } from './site.ts';
import { type Finding, failure, fine, warning } from './verdict.ts';

/** The place for copies of files, and their maximum size. */
export const files: Topic = { name: 'files', fine: 'files are not copied', find };

function find(site: Site): readonly Finding[] {
  const { attachments: rule, direction } = site.route;
  if (rule === null) return [];
  const largest = direction === 'to-github' ? [] : tooLarge(rule, site);
  if (rule.store === 'link') return [...largest, fine('files stay on the tracker; issues link to them')];
  const attachmentStore = site.attachmentStore ?? site.repository;
  if (typeof attachmentStore === 'string')
    return [failure(`files cannot go to ${rule.owner}/${rule.repo}: ${attachmentStore}`)];
  if (direction === 'to-tracker') return largest;
  const found = [
    ...right(attachmentStore),
    ...place(rule, attachmentStore, site.place),
    ...audience(attachmentStore, site.repository),
  ];
  const isWell = found.every(({ level }) => level !== 'failure');
  return [
    ...found,
    ...(isWell ? [fine(`files go to ${attachmentStore.name}, ${placeInWords(rule)}`)] : []),
    ...largest,
  ];
}

function placeInWords({ store, branch, tag }: AttachmentRule): string {
  if (store === 'release') return `in the releases ${tag}, ${tag}-2 and so on`;
  return `on the branch ${branch}`;
}

/** Problems of the place. */
function place(
  { branch }: AttachmentRule,
  { name }: RepositorySurvey,
  found: AttachmentStoreSurvey | null,
): readonly Finding[] {
  return [
    ...(found?.isEmpty
      ? [
          failure(
            `${name} has no commits yet, and GitHub accepts no files before the first one; commit something to it`,
          ),
        ]
      : []),
    ...(found?.isCode
      ? [
          failure(
            `the branch ${branch} of ${name} contains other work; set attachments.branch to a name that nothing else uses`,
          ),
        ]
      : []),
    ...(found?.isSealed
      ? [failure(`the releases of ${name} are immutable and accept no files; turn that off in its settings`)]
      : []),
  ];
}

function right({ name, right: ours, isArchived }: RepositorySurvey): readonly Finding[] {
  if (isArchived)
    return [failure(`${name} is archived and accepts no files; unarchive it, or choose another repository`)];
  if (ours === null)
    return [
      warning(
        `GitHub does not report whether we may write contents in ${name}; files need that (Contents: read and write)`,
      ),
    ];
  if (includes(ours, 'push')) return [];
  return [
    failure(`may not write contents in ${name}; give the account the write role there, or set attachments.store: link`),
  ];
}

/** The files should have the same readers as the issues. */
function audience(attachmentStore: RepositorySurvey, { name, isPrivate }: RepositorySurvey): readonly Finding[] {
  if (attachmentStore.isPrivate === null || isPrivate === null)
    return [
      warning(
        `GitHub does not report who can read ${attachmentStore.name}, which holds the files; check before you start the bridge`,
      ),
    ];
  if (attachmentStore.isPrivate === isPrivate) return [];
  if (isPrivate)
    return [
      failure(`${attachmentStore.name} is public and ${name} is not: anyone could read the files; make it private`),
    ];
  return [
    warning(`${attachmentStore.name} is private and ${name} is public: readers of the issues cannot open the files`),
  ];
}

/** The tracker counts in kilobytes of 1024 bytes. Source: its parameter maxattachmentsize. */
function tooLarge({ bytesMax }: AttachmentRule, { tracker: { parameters } }: Site): readonly Finding[] {
  const kilobytes = Number(parameters?.['maxattachmentsize'] ?? Number.NaN);
  if (Number.isNaN(kilobytes) || kilobytes * 1024 >= bytesMax) return [];
  return [
    fine(
      `the tracker takes attachments of up to ${kilobytes} kB (maxattachmentsize); larger files in issues stay there and are linked`,
    ),
  ];
}

/** The format of texts, which the tracker decides; this check cannot fail. */
export const texts: Topic = {
  name: 'texts',
  fine: ({ vocabulary }) =>
    vocabulary.takesMarkdown
      ? 'the tracker reads Markdown, so texts cross as Markdown'
      : 'the tracker reads plain text',
  find: () => [],
};
