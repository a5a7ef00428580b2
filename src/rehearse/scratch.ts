import type { Made, Progress } from '../model/rehearsal.ts';
import { type Observation, untried } from './case.ts';
import { type Home, titleStart } from './home.ts';
import type { Answer, RehearsalPort, Request } from './port.ts';
import { numberAt, rowsOf, textAt, timeAt } from './value.ts';

/** What a case can do in the repository of a rehearsal. Paths are below the repository. */
export interface Scratch {
  readonly home: Home;
  readonly port: Pick<RehearsalPort, 'isApp' | 'tokenKind' | 'uploads' | 'now' | 'content' | 'linked' | 'hinted'>;
  get(path: string, options?: Pick<Request, 'etag' | 'sinceAt' | 'accept' | 'version'>): Promise<Answer>;
  /** Sends any request, below the root of the API. With `isImmediate`, "not yet" is an answer. */
  send(request: Omit<Request, 'about'>, isImmediate?: boolean): Promise<Answer>;
  post(path: string, body: Request['body']): Promise<Answer>;
  patch(path: string, body: Request['body']): Promise<Answer>;
  put(path: string, body?: Request['body']): Promise<Answer>;
  del(path: string): Promise<Answer>;
  graphql(query: string): Promise<Answer>;
  /** A name that nothing has yet. */
  fresh(kind: string): string;
  /** The name of a new branch, which cleaning up deletes. */
  freshBranch(): string;
  /** The title of a new issue. */
  title(words: string): string;
  /** Something that several cases share. */
  shared(name: string, make: () => Promise<Made>): Promise<Made>;
  /** An issue that several cases share. */
  issue(name: string): Promise<Made>;
  /** A comment that several cases share. */
  comment(name: string): Promise<Made>;
  /** An issue for one case alone. */
  newIssue(): Promise<Made>;
  newComment(issue: number): Promise<Made>;
  /** Whether a change moves `updated_at` of an issue, or of what `path` names. */
  movement(path: string, change: () => Promise<Answer>): Promise<Observation>;
  /** Waits as long as a write may take to be seen everywhere. */
  settle(): Promise<void>;
  sleep(delayMs: number): Promise<void>;
}

/** Something that a case needs could not be made. */
export class NoScratch extends Error {
  override readonly name = 'NoScratch';
}

interface Tools {
  readonly home: Home;
  readonly port: RehearsalPort;
  readonly send: (request: Request, isImmediate: boolean) => Promise<Answer>;
  readonly settleMs: number;
  progress(): Progress;
  keep(change: Partial<Progress>): void;
}

/** Content counts against GitHub's limits: issues, comments, labels and the like, and all that notifies people. */
const createsContent =
  /\/(?:issues|comments|milestones|releases|pulls|blocked_by|issue-field-values)$|^\/repos\/[^/]+\/[^/]+\/labels$/u;

export function openScratch(tools: Tools): Scratch {
  const { home, port, settleMs } = tools;
  const send: Scratch['send'] = (request, isImmediate = false) => {
    const creates =
      request.method === 'POST' &&
      createsContent.test(request.path.replace(/\?.*/u, '')) &&
      !/\/import\//u.test(request.path);
    return tools.send({ ...request, creates, about: aboutOf(request) }, isImmediate);
  };
  const below = (method: Request['method'], path: string, rest: Partial<Request> = {}) =>
    send({ method, path: home.path + path, ...rest });
  const withBody = (body: Request['body']): Partial<Request> => (body === undefined ? {} : { body });
  const fresh = (kind: string): string => {
    const { names, startedAt } = tools.progress();
    tools.keep({ names: names + 1 });
    return `rehearsal ${kind} ${(Date.parse(startedAt) / 1000).toString(36).slice(-6)}-${names + 1}`;
  };
  const shared = async (name: string, make: () => Promise<Made>): Promise<Made> => {
    const known = tools.progress().made[name];
    if (known !== undefined) return known;
    const made = await make();
    tools.keep({ made: { ...tools.progress().made, [name]: made } });
    return made;
  };
  const scratch: Scratch = {
    home,
    port,
    send,
    get: (path, options = {}) => below('GET', path, options),
    post: (path, body) => below('POST', path, withBody(body)),
    patch: (path, body) => below('PATCH', path, withBody(body)),
    put: (path, body) => below('PUT', path, withBody(body)),
    del: (path) => below('DELETE', path),
    graphql: (query) => send({ method: 'POST', path: '/graphql', body: { query } }),
    fresh,
    freshBranch() {
      const name = fresh('branch').replaceAll(' ', '-');
      tools.keep({ branches: [...tools.progress().branches, name] });
      return name;
    },
    title: (words) => titleStart + words,
    shared,
    issue: (name) => shared(`issue ${name}`, () => newIssue(scratch)),
    comment: (name) =>
      shared(`comment ${name}`, async () => newComment(scratch, (await scratch.issue('subject')).issue)),
    newIssue: () => newIssue(scratch),
    newComment: (issue) => newComment(scratch, issue),
    movement: (path, change) => movement(scratch, path, change),
    settle: () => port.sleep(settleMs),
    sleep: port.sleep,
  };
  return scratch;
}

const aboutOf = ({ method, path }: Pick<Request, 'method' | 'path'>): string => `${method} ${path}`;

async function newIssue(scratch: Scratch): Promise<Made> {
  const body = 'Made by bugferry rehearse. You can delete it.';
  const answer = await scratch.post('/issues', { title: scratch.title(scratch.fresh('issue')), body });
  if (answer.taken !== 'answered') throw new NoScratch(answer.why ?? 'an issue could not be made');
  return madeBy(answer, numberAt(answer.data, 'number'));
}

async function newComment(scratch: Scratch, issue: number): Promise<Made> {
  const answer = await scratch.post(`/issues/${issue}/comments`, { body: scratch.fresh('comment') });
  if (answer.taken !== 'answered') throw new NoScratch(answer.why ?? 'a comment could not be made');
  return madeBy(answer, issue);
}

/** What has no number cannot be named in a request. */
function madeBy({ data }: Answer, issue: number): Made {
  const made = { issue, id: numberAt(data, 'id'), node: textAt(data, 'node_id') };
  if (Number.isNaN(made.issue) || Number.isNaN(made.id)) throw new NoScratch('the answer to a creation has no number');
  return made;
}

/** Times have whole seconds, and the headers may come from another clock than the stamps. */
const apartMs = 2_000;

async function movement(scratch: Scratch, path: string, change: () => Promise<Answer>): Promise<Observation> {
  const before = await scratch.get(path);
  const beforeAt = timeAt(before.data, 'updated_at');
  if (Number.isNaN(beforeAt)) return `no updated_at (${before.status})`;
  const earlyMs = beforeAt + apartMs - before.readAt;
  if (earlyMs > 0) await scratch.sleep(earlyMs);
  const answer = await change();
  if (answer.taken !== 'answered') return untried(`the change was refused: ${outcomeOf(answer)}`);
  const first = await scratch.get(path);
  if (timeAt(first.data, 'updated_at') > beforeAt) return 'moves';
  await scratch.settle();
  const second = await scratch.get(path);
  return timeAt(second.data, 'updated_at') > beforeAt ? 'moves' : 'stays';
}

/**
 * An answer in words: `accepted`, or the status of a refusal, what the bridge takes it to be about, and GitHub's words.
 */
export function outcomeOf({ taken, status, parts, faults, why }: Answer): string {
  if (taken === 'answered') return 'accepted';
  if (taken !== 'refused') return `${status} ${taken}`;
  const about = parts.length === 0 ? '' : ` about ${parts.join(' and ')}`;
  return `${status}${about}: ${faults.length === 0 ? why : faults.join(', ')}`;
}

/** Who caused an event of an issue, once events show it: `our account`, the login of another one, or `no event`. */
export async function actorOf(
  { get, home, settle }: Scratch,
  issue: number,
  isEvent: (event: unknown) => boolean,
): Promise<string> {
  await settle();
  const { data } = await get(`/issues/${issue}/events?per_page=100`);
  const found = rowsOf(data).find(isEvent);
  if (found === undefined) return 'no event';
  const actor = textAt(found, 'actor.login');
  return home.login === null || actor === home.login ? 'our account' : actor;
}
