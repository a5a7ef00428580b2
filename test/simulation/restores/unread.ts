import { repo, type Stage } from '../stage.ts';
import { type Edits, shownOn, type Values } from './edits.ts';

/**
 * GitHub has no conditional write: what people change between the bridge's last read of an issue and its write may be
 * overwritten. Looks at the requests from outside: what a read could show, and what a write left.
 */
export function watchRaces(world: Stage, edits: Pick<Edits, 'overwritten'>): void {
  const { servers, github } = world;
  const send = servers.github;
  const read = new Map<number, Values>();
  const watched: typeof fetch = async (input, init) => {
    const { method = 'GET' } = init ?? {};
    const before = shownOn(world).issues;
    const answer = await send(input, init);
    const number = Number(/\/issues\/(\d+)$/u.exec(String(input))?.[1]);
    const shown = before.get(number);
    if (shown === undefined || github.issue(repo, number) === null) return answer;
    if (method === 'GET' && (answer.ok || answer.status === 304)) read.set(number, shown);
    if (method === 'PATCH' && answer.ok) edits.overwritten(number, read.get(number) ?? shown);
    return answer;
  };
  Object.assign(servers, { github: watched });
}
