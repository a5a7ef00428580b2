import * as z from 'zod';
import { type Gone, type IssuePlace, SideError } from '../../model/outcome.ts';
import type { GithubClient, Reply } from './client.ts';
import { inSentences, noContent, readError } from './failure.ts';

type Send = GithubClient['send'];

/**
 * A client that says what has become of a repository or an issue that moved. GitHub answers with a number, which means
 * nothing to anybody, so the client asks for its name. It sends nothing to the new place: a person decides whether that
 * one is meant.
 */
export const namingMoves = (client: GithubClient): GithubClient => ({
  ...client,
  send: naming(client.send),
  within: (cost, work) => client.within(cost, (send) => work(naming(send))),
});

const naming =
  (send: Send): Send =>
  async (ask) => {
    const reply = await send(ask);
    if (reply.kind !== 'failed' || reply.failure.kind !== 'gone' || reply.failure.gone.kind !== 'moved') return reply;
    return { kind: 'failed', failure: { kind: 'gone', gone: await named(send, ask.path, reply.failure.gone) } };
  };

const numbered = /\/repositories\/(\d+)(?:\/issues\/(\d+)(?=$|[/?#]))?/u;
const nameSchema = z.object({ full_name: z.string().regex(/^[\w.-]+\/[\w.-]+$/u) });

async function named(send: Send, path: string, gone: Gone): Promise<Gone> {
  const [, id, issue] = numbered.exec(gone.address ?? '') ?? [];
  const [, was] = /^\/repos\/([^/?]+\/[^/?]+)/u.exec(path) ?? [];
  if (id === undefined || was === undefined) return gone;
  const name = nameIn(await askName(send, Number(id), was));
  if (name === null) return gone;
  const isWhole = issue === undefined || (await isRenamed(send, was));
  if (isWhole === null) return gone;
  if (isWhole) return { ...gone, why: inSentences(gone.why, renamedInWords(decodeURIComponent(was), name)) };
  return {
    ...gone,
    why: inSentences(gone.why, `It is now ${name}#${issue}`),
    place: { repo: name, number: Number(issue) },
  };
}

/** What an operator has to do about a repository with another name. */
export const renamedInWords = (was: string, name: string): string =>
  `The repository ${was} is now ${name}. Write "repo: ${name}" under "github" of the route`;

/** Whether it is the repository itself that moved, and not one issue; null if GitHub does not say. */
async function isRenamed(send: Send, was: string): Promise<boolean | null> {
  const reply = await send({
    method: 'GET',
    path: `/repos/${was}`,
    cost: 'read',
    about: `look at the repository ${was}`,
  });
  if (reply.kind === 'failed' && reply.failure.kind === 'gone' && reply.failure.gone.kind === 'moved') return true;
  return idIn(reply) === null ? null : false;
}

/** How often people transfer an issue before its place is not looked for any more. */
const transfersMax = 9;

/** Follows the transfers of an issue, and new names of repositories. Throws `SideError`. */
export async function placeOf({ send }: GithubClient, { repo, number }: IssuePlace): Promise<IssuePlace | null> {
  let place: IssuePlace = { repo, number };
  for (let count = 0; count <= transfersMax; count += 1) {
    const about = `look for ${place.repo}#${place.number}`;
    const path = `/repos/${pathOf(place.repo)}/issues/${place.number}`;
    const reply = await send({ method: 'GET', path, cost: 'read', about });
    if (reply.kind !== 'failed') return place;
    if (reply.failure.kind !== 'gone') throw readError(reply.failure);
    const { kind, why, address } = reply.failure.gone;
    if (kind !== 'moved') return noneIn(reply, about);
    const [, id, issue] = numbered.exec(address ?? '') ?? [];
    const name = id === undefined ? null : nameIn(await askName(send, Number(id), place.repo));
    // That its new name cannot be read now does not mean that it is gone.
    if (name === null || issue === undefined) throw new SideError('later', why, { side: 'github' });
    place = { repo: name, number: Number(issue) };
  }
  return null;
}

const pathOf = (name: string): string => name.split('/').map(encodeURIComponent).join('/');

const idSchema = z.object({ id: z.number().int() });

/**
 * GitHub's number of a repository; null if there is none of that name.
 * @throws SideError if GitHub does not say which it is
 */
export async function repositoryId(client: Pick<GithubClient, 'send'>, name: string): Promise<number | null> {
  const about = `look at the repository ${name}`;
  const reply = await client.send({ method: 'GET', path: `/repos/${pathOf(name)}`, cost: 'read', about });
  return idIn(reply) ?? noneIn(reply, about);
}

function idIn(reply: Reply): number | null {
  if (reply.kind === 'answered') return idSchema.safeParse(reply.data).data?.id ?? null;
  if (reply.kind !== 'failed' || reply.failure.kind !== 'gone') return null;
  const [, id] = numbered.exec(reply.failure.gone.address ?? '') ?? [];
  return id === undefined ? null : Number(id);
}

/**
 * The name that a repository has now; null if it does not exist, or our account does not see it.
 * @throws SideError if GitHub does not say which it is
 */
export async function repositoryName(send: Send, id: number): Promise<string | null> {
  const was = `repository ${id}`;
  const reply = await askName(send, id, was);
  return nameIn(reply) ?? noneIn(reply, aboutName(was));
}

const aboutName = (was: string): string => `read the new name of ${was}`;

const askName = (send: Send, id: number, was: string): Promise<Reply> =>
  send({ method: 'GET', path: `/repositories/${id}`, cost: 'read', about: aboutName(was) });

function nameIn(reply: Reply): string | null {
  const parsed = reply.kind === 'answered' ? nameSchema.safeParse(reply.data) : null;
  return parsed?.success === true ? parsed.data.full_name : null;
}

/** Null for what GitHub itself says that it does not have: a failure of any other kind says nothing about that. */
function noneIn(reply: Reply, about: string): null {
  const failure = reply.kind === 'failed' ? reply.failure : noContent(about);
  if (failure.kind === 'gone' && failure.gone.kind !== 'moved') return null;
  throw readError(failure);
}
