import { account, clocks, token } from './account.ts';
import { reads } from './answers.ts';
import { commits } from './commits.ts';
import { creation } from './creation.ts';
import { files, texts } from './files.ts';
import { labels } from './labels.ts';
import { mail } from './mail.ts';
import { privacy, writer } from './privacy.ts';
import { repository } from './repository.ts';
import { settings } from './settings.ts';
import type { Site, Topic } from './site.ts';
import { milestones, selection, status } from './status.ts';
import type { Verdict } from './verdict.ts';

/** All checks of a route whose two sides answer, in printing order. */
const topics: readonly Topic[] = [
  repository,
  writer,
  privacy,
  token,
  account,
  selection,
  reads,
  creation,
  status,
  settings,
  mail,
  texts,
  labels,
  milestones,
  files,
  commits,
  clocks,
];

/** One line for each finding, and one for each topic that passes. */
export function judgeRoute(site: Site): readonly Verdict[] {
  return topics.flatMap(({ name, fine, find }) => {
    const about = `route ${site.route.name}, ${name}`;
    const found = find(site);
    return found.length > 0
      ? found.map((each) => ({ ...each, about }))
      : [{ level: 'ok', about, words: typeof fine === 'string' ? fine : fine(site) }];
  });
}
