import type { Outcome } from '../../model/outcome.ts';
import { unwrittenOutcome, writeOutcome } from '../connection/failure.ts';
import { explainGoneWrite, type Repository } from '../repository.ts';

/** PUT or DELETE /repos/{owner}/{repo}/issues/{issue_number}/lock, which change nothing if it is already so. */
export async function lock(repository: Repository, ref: number, isLocked: boolean): Promise<Outcome<null>> {
  const reply = await repository.client.send({
    method: isLocked ? 'PUT' : 'DELETE',
    path: `${repository.path}/issues/${ref}/lock`,
    cost: 'edit',
    about: `${isLocked ? 'lock' : 'unlock'} ${repository.name}#${ref}`,
  });
  if (reply.kind !== 'failed') return { kind: 'applied', item: null };
  if (reply.failure.kind !== 'gone') return writeOutcome(reply.failure);
  return unwrittenOutcome(await explainGoneWrite(repository, ref, reply.failure.gone));
}
