import type { TrackerClient } from './client.ts';
import { isNotTold } from './errors.ts';
import { sideErrorOf } from './outcome.ts';
import { usersSchema } from './schema.ts';

/**
 * Whether our account may change bugs that are not its own: whether it is in the group `editbugs`. Null when the tracker does not
 * tell. Source: `GET /rest/user`, which shows its groups to an account itself. Throws `SideError`.
 */
export async function mayEditBugs(client: TrackerClient, login: string): Promise<boolean | null> {
  try {
    const { body } = await client.read(['user'], { names: login }, usersSchema);
    const groups = body.users[0]?.groups;
    return groups ? groups.some(({ name }) => name === 'editbugs') : null;
  } catch (failure) {
    if (isNotTold(failure)) return null;
    throw sideErrorOf(failure);
  }
}
