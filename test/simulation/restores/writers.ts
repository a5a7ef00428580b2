import type { Route } from '../../../src/model/route.ts';
import type { CommentRecord, IssueRecord } from '../../../src/sandbox/github/world/records.ts';
import { withoutFooter } from '../../../src/text/footer.ts';
import { type Random, random } from '../../support/random.ts';
import { bot, repo, type Stage } from '../stage.ts';
import { isRefusal } from '../world/people.ts';
import type { Said } from './crowd.ts';
import { showsWithdrawal } from './edits.ts';

/**
 * People who may write to the repository: they write over copies, in part or marker and all, empty bodies, quote copies
 * with their markers, and edit what they said themselves. Their draws are their own.
 */
export interface Writers {
  /** Somebody writes something, or not. */
  act(): void;
  /** Something happened: what people wrote over the copies of a hidden bug goes with its withdrawal. */
  note(): void;
  /** A cycle ended that began at that time, and so knew what was hidden long before. */
  seen(since: number): void;
  /** A state came back, and need not know what people wrote over. */
  goneBack(): void;
  /** A side lost what was written. */
  forget(): void;
  /** Whether people wrote over the copy of this text: a copy that is theirs says something else. */
  isTheirs(bug: number, words: string): boolean;
  violations(route: Route): readonly string[];
}

const nothing = (): void => undefined;
export const noWriters: Writers = {
  ...{ act: nothing, note: nothing, seen: nothing, goneBack: nothing, forget: nothing },
  isTheirs: () => false,
  violations: () => [],
};

/** A copy that people wrote over. */
interface Written {
  readonly issue: number;
  /** Null for the body. */
  readonly comment: number | null;
  /** What they left there. */
  readonly text: string;
  /** Words of theirs that occur nowhere else; null if they left nothing. */
  readonly words: string | null;
  /** Whether an answer of GitHub's showed it: until then, the bridge may write over it (docs/gaps.md). */
  isShown: boolean;
  /** Whether the state knew the copy, so that an edit of a body is told, and one of a comment taken back. */
  isKnown: boolean;
}

/** Lists may be this late. */
const lagMs = 6_000;

/** More reports of edits than these take hours to arrive. */
const editsMax = 3;

/** People who only write over copies. */
export const overwritersOn = (world: Stage, seed: number): Writers => writersOn(world, seed, null);

/** @param said what people say besides; null if they say nothing */
export function writersOn(world: Stage, seed: number, said: Said | null): Writers {
  const draw = random(seed + 401_000_000);
  const share = draw.chance(0.5) ? 0.3 : 0;
  const written = new Map<string, Written>();
  /** The sources of copies that people ever wrote over, by their bug: a body is that of the description. */
  const theirs = new Map<number, Set<number | null>>();
  const hiddenAt = new Map<number, number>();
  const told = new Map<number, number>();
  let lookedAt = 0;
  const isHiddenOf = (bug: number): boolean => (world.tracker.bug(bug)?.groups.length ?? 0) > 0;
  const note = (): void => {
    for (const { id } of world.tracker.bugs()) if (isHiddenOf(id)) hiddenAt.set(id, world.clock.now());
    for (const [key, { issue }] of written) if (isWithdrawn(issue)) written.delete(key);
  };
  const isWithdrawn = (issue: number): boolean => {
    const bug = bugOf(recordOf(world, issue)) ?? 0;
    return showsWithdrawal(world, issue) || isHiddenOf(bug) || (hiddenAt.get(bug) ?? -lagMs) + lagMs >= lookedAt;
  };
  if (share > 0) watchAnswers(world, written);
  const acts = actsOf({ world, draw, said, written, theirs, told, isWithdrawn });
  return {
    act() {
      if (!draw.chance(share)) return;
      try {
        draw.pick(acts)();
      } catch (error) {
        if (!isRefusal(error)) throw error;
      }
    },
    note,
    seen(since) {
      lookedAt = since;
      note();
    },
    goneBack() {
      for (const each of written.values()) each.isKnown = false;
    },
    forget() {
      written.clear();
    },
    isTheirs(bug, words) {
      const comments = world.tracker.commentsOf(bug);
      const comment = comments.find(({ text }) => text.includes(words));
      return comment !== undefined && theirs.get(bug)?.has(comment === comments[0] ? null : comment.id) === true;
    },
    violations: (route) => [
      ...[...written.values()].flatMap((each) => ofWritten(world, each, route)),
      ...copiedTwice(world),
      ...ofOurs(world),
    ],
  };
}

interface Crowd {
  readonly world: Stage;
  readonly draw: Random;
  readonly said: Said | null;
  readonly written: Map<string, Written>;
  readonly theirs: Map<number, Set<number | null>>;
  /** How many edits of each issue are to be told. */
  readonly told: Map<number, number>;
  readonly isWithdrawn: (issue: number) => boolean;
}

function actsOf(crowd: Crowd): readonly (() => void)[] {
  const { world, draw, said, told } = crowd;
  const { github } = world;
  const mona = github.as('mona');
  let serial = 0;
  const words = (what: string): string => {
    serial += 1;
    return `${what}x${serial}x`;
  };
  const some = (act: (issue: IssueRecord) => void) => () => {
    const issues = github.issues(repo).filter(({ number }) => !crowd.isWithdrawn(number));
    const issue = recordOf(world, draw.pick(issues)?.number ?? 0);
    if (issue !== undefined) act(issue);
  };
  const mayTell = (issue: number): boolean => {
    const count = (told.get(issue) ?? 0) + 1;
    if (count <= editsMax) told.set(issue, count);
    return count <= editsMax;
  };
  const overComment = some((issue) => {
    const comment = draw.pick(issue.comments.filter((each) => sourceOf(each) !== null));
    if (comment === undefined) return;
    const over = words('over');
    const text = draw.pick([over, over, inside(comment.body, over), instead(comment.body, over)]);
    mona.editComment(repo, comment.id, text);
    keep(crowd, issue, { comment, text, words: over });
  });
  const overBody = some((issue) => {
    if (issue.author.login !== bot || !mayTell(issue.number)) return;
    const [over, body] = [words('over'), issue.body ?? ''];
    const text = draw.pick([over, '', inside(body, over), instead(body, over)]);
    mona.edit(repo, issue.number, { body: text });
    keep(crowd, issue, { comment: null, text, words: text === '' ? null : over });
  });
  const quoting = (heard: Said) =>
    some((issue) => {
      const from = draw.pick(github.issues(repo));
      const copy = draw.pick((recordOf(world, from?.number ?? 0)?.comments ?? []).filter((each) => isCopy(each)));
      if (copy === undefined) return;
      const by = words('quoting');
      const quoted = copy.body.replaceAll(/^/gmu, '> ');
      mona.comment(repo, issue.number, draw.pick([`${by}\n\n${copy.body}`, `${quoted}\n\n${by}`]));
      heard.onIssues.set(by, issue.number);
    });
  const rewording = (heard: Said) =>
    some((issue) => {
      const own = draw.pick(issue.comments.filter(({ author }) => author.login === 'mona'));
      if (own === undefined || !mayTell(issue.number)) return;
      const reworded = words('reworded');
      for (const each of heard.onIssues.keys()) if (own.body.includes(each)) heard.onIssues.delete(each);
      mona.editComment(repo, own.id, `It was ${reworded} like that.`);
      heard.onIssues.set(reworded, issue.number);
    });
  const over = [overComment, overComment, overComment, overBody];
  return said === null ? over : [...over, quoting(said), rewording(said)];
}

/** Within the text, whose marker stays. */
const inside = (body: string, words: string): string => body.replace(/(?:\n\n)?(?=<!-- |$)/u, () => `\n\n${words}\n\n`);

/** Instead of all words between the first line and the marker. */
function instead(body: string, words: string): string {
  const parts = body.split('\n\n');
  return [...parts.slice(0, 1), words, ...parts.slice(1).slice(-1)].join('\n\n');
}

function keep(
  { world: { store, tracker }, written, theirs, isWithdrawn }: Crowd,
  issue: IssueRecord,
  { comment, ...what }: Pick<Written, 'text' | 'words'> & { readonly comment: CommentRecord | null },
): void {
  const bug = comment === null ? bugOf(issue) : bugIn(firstText(comment));
  if (bug === null) return;
  const source = comment === null ? null : sourceOf(comment);
  theirs.set(bug, (theirs.get(bug) ?? new Set()).add(source));
  const key = `${issue.number} ${comment?.id ?? 'body'}`;
  written.delete(key);
  // A comment with a file may be withdrawn with it.
  const isOfFile = tracker.commentsOf(bug).some(({ id, text }) => id === source && / attachment \d+/u.test(text));
  if (isOfFile || isWithdrawn(issue.number)) return;
  const link = store.links.after('widget', null, 1_000_000).find((each) => each.bug === bug);
  const rows = link === undefined ? [] : store.commentLinks.ofLink(link.id);
  const isKnown = rows.some(
    ({ copy, state }) => state === 'mirrored' && (comment === null ? copy?.id === 0 : copy?.id === comment.id),
  );
  written.set(key, { issue: issue.number, comment: comment?.id ?? null, ...what, isShown: false, isKnown });
}

const recordOf = ({ github }: Stage, number: number): IssueRecord | undefined =>
  github.state.repos.get(repo)?.issues.get(number);

/** A text as it was at first. */
export const firstText = ({ lastEdit, body }: Pick<IssueRecord, 'lastEdit' | 'body'>): string =>
  lastEdit?.first ?? body ?? '';

/** The bug of an issue, as the bridge wrote it there: over an issue of our account, or under one of people. */
const bugOf = (issue: IssueRecord | undefined): number | null =>
  issue === undefined ? null : bugIn(issue.author.login === bot ? firstText(issue) : (issue.body ?? ''));

function bugIn(text: string): number | null {
  const bug = / bug=(\d+)\D/u.exec(lastLine(text))?.[1];
  return bug === undefined ? null : Number(bug);
}

const lastLine = (text: string): string => text.slice(text.lastIndexOf('<!-- bugferry:1 '));

const isCopy = (comment: CommentRecord): boolean => sourceOf(comment) !== null;

/** The tracker's comment that a comment of ours copies. */
function sourceOf(comment: CommentRecord): number | null {
  const source = / comment=(\d+)\D/u.exec(lastLine(firstText(comment)))?.[1];
  return comment.author.login !== bot || source === undefined ? null : Number(source);
}

/** Looks at the requests from outside: what GitHub showed of what people wrote, and what the bridge wrote over it. */
function watchAnswers({ servers }: Stage, written: Map<string, Written>): void {
  const send = servers.github;
  const watched: typeof fetch = async (input, init) => {
    const answer = await send(input, init);
    if (written.size === 0 || !answer.ok) return answer;
    const { method = 'GET', body } = init ?? {};
    const path = String(input).split('?', 1)[0] ?? '';
    if (method === 'GET' || path.endsWith('/graphql')) {
      const shown = await answer.clone().text();
      for (const each of written.values())
        if (each.words === null ? shown.includes(`"number":${each.issue},`) : shown.includes(each.words))
          each.isShown = true;
      return answer;
    }
    const isWrite = method === 'DELETE' || String(body).includes('"body":');
    for (const [key, { issue, comment, isShown }] of written)
      if (isWrite && !isShown && path.endsWith(comment === null ? `/issues/${issue}` : `/comments/${comment}`))
        written.delete(key);
    return answer;
  };
  Object.assign(servers, { github: watched });
}

/** I3: what people wrote over a copy stays, or is taken back if the route says so; an edit of a body is told once. */
function ofWritten(world: Stage, { issue, comment, text, words, isKnown }: Written, route: Route): readonly string[] {
  const record = recordOf(world, issue);
  const now = comment === null ? record?.body : record?.comments.find(({ id }) => id === comment)?.body;
  const what = `${comment === null ? 'the body' : `comment ${comment}`} of issue ${issue}`;
  if (record === undefined || now === undefined) return [`I3: people wrote over ${what}, and it is gone`];
  const isAsWritten = withoutFooter(now ?? '') === withoutFooter(text);
  const isTakenBack = route.copies === 'restore' && (comment !== null || route.direction === 'to-github');
  if (!isTakenBack && !isAsWritten) return [`I3: people wrote "${text}" over ${what}, and it says "${now}"`];
  if (isTakenBack && isKnown && isAsWritten) return [`I3: people wrote "${text}" over ${what}, and it stays`];
  if (comment !== null || words === null || route.direction !== 'both') return [];
  const reports = world.tracker
    .commentsOf(bugOf(record) ?? 0)
    .filter((each) => each.creator.startsWith('bridge') && each.text.includes(words)).length;
  return reports === 1 || (reports === 0 && !isKnown)
    ? []
    : [`I3: the edit "${words}" of ${what} is told ${reports} times`];
}

/** I4: each text has one copy, whatever people made of it. */
function copiedTwice({ github }: Stage): readonly string[] {
  return [...(github.state.repos.get(repo)?.issues.values() ?? [])].flatMap(({ number, comments }) => {
    const lines = comments.filter(isCopy).map((comment) => lastLine(firstText(comment)).trim());
    return lines.flatMap((line, index) =>
      lines.indexOf(line) < index ? [`I4: issue ${number} has two comments that began as ${line}`] : [],
    );
  });
}

/** I3: no word of our account crosses as one of people. */
function ofOurs({ tracker }: Stage): readonly string[] {
  return tracker
    .bugs()
    .flatMap(({ id }) => tracker.commentsOf(id).map(({ text }) => ({ id, text })))
    .flatMap(({ id, text }) =>
      text.startsWith(`GitHub user ${bot} `) || / is not public\b/u.test(text)
        ? [`I3: bug ${id} has as words of people: "${text.slice(0, 200)}"`]
        : [],
    );
}
