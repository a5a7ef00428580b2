import { SideError } from '../model/outcome.ts';
import { apiVersion } from './client.ts';
import type { Failure } from './failure.ts';
import { issuesAreOff } from './look.ts';
import { answered, get, type Repository } from './repository.ts';
import { appAnswerSchema, readAnswer, repositorySchema, userAnswerSchema } from './schema.ts';

/**
 * Proves the credentials and that the repository and its issues can be read.
 * Sources: GET /user, or GET /app; GET /repos/{owner}/{repo}.
 * @throws SideError
 */
export async function hello(repository: Repository): Promise<{ readonly login: string | null; readonly version: string }> {
  const login = repository.client.isApp ? await appLogin(repository) : await userLogin(repository);
  const about = `look at the repository ${repository.name}`;
  const answer = answered(await get(repository, '', about), about);
  if (!readAnswer(repositorySchema, answer, about).has_issues) throw new SideError('refused', issuesAreOff(repository));
  const enterprise = answer.headers['x-github-enterprise-version'];
  return { login, version: enterprise === undefined ? `API ${apiVersion}` : `Enterprise Server ${enterprise}, API ${apiVersion}` };
}

/** What an App writes is signed with its slug and `[bot]`. */
async function appLogin({ client }: Repository): Promise<string> {
  const about = 'say which App we are';
  const answer = answered(await client.send({ method: 'GET', path: '/app', cost: 'read', about, role: 'app' }), about);
  return `${readAnswer(appAnswerSchema, answer, about).slug}[bot]`;
}

/** Null for a token that belongs to no user, such as an Actions job's: it may not ask, but may well write. Or nobody can ask. */
async function userLogin({ client }: Repository): Promise<string | null> {
  const about = 'say who we are';
  const reply = await client.send({ method: 'GET', path: '/user', cost: 'read', about });
  if (reply.kind === 'failed' && (reply.failure.kind === 'refused' || isMissing(reply.failure))) return null;
  return readAnswer(userAnswerSchema, answered(reply, about), about).login;
}

const isMissing = (failure: Failure): boolean => failure.kind === 'gone' && failure.gone.kind === 'missing';
