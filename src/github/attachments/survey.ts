import * as z from 'zod';
import type { AttachmentRule } from '../../model/route.ts';
import type { AttachmentStoreSurvey } from '../../model/survey.ts';
import type { GithubClient } from '../connection/client.ts';
import { readError } from '../connection/failure.ts';
import { readAnswer } from '../map.ts';
import { answered } from '../repository.ts';
import { readReleases } from './release-data.ts';

const repositorySchema = z.object({ default_branch: z.string().default('main') });

/**
 * Reads the place for the files of a route. Writes nothing. Throws `SideError` if it is not visible.
 * Sources: GET /repos/{owner}/{repo}; /git/ref/heads/{branch}, which answers 409 without a commit; /releases.
 */
export async function surveyAttachmentStore(
  client: GithubClient,
  { owner, repo, store, branch, tag }: AttachmentRule,
): Promise<AttachmentStoreSurvey> {
  const name = `${owner}/${repo}`;
  const path = `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}`;
  const about = `look at the place for files in ${name}`;
  const answer = answered(await client.send({ method: 'GET', path, cost: 'read', about }), about);
  const { default_branch: code } = readAnswer(repositorySchema, answer, about);
  const isOnBranch = store === 'branch' || store === 'repo';
  const ref = `${path}/git/ref/heads/${code.split('/').map(encodeURIComponent).join('/')}`;
  const tip = await client.send({ method: 'GET', path: ref, cost: 'read', about });
  const releases = store === 'release' ? await readReleases({ client, name, path }) : null;
  if (releases?.kind === 'failed') throw readError(releases.failure);
  return {
    isEmpty: tip.kind === 'failed' && tip.failure.kind === 'refused' && /empty/iu.test(tip.failure.why),
    isCode: isOnBranch && branch === code,
    isSealed: releases?.value.some((release) => release.tag === tag && release.isImmutable) ?? false,
  };
}
