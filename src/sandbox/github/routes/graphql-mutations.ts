/** What POST /graphql changes, and how it finds the issue or comment that a mutation names. */

import type { Ask } from '../server/ask.ts';
import { forbidden, Refusal } from '../server/errors.ts';
import { isHeardOf } from '../server/lag.ts';
import { repoNodeId } from '../shapes/repo.ts';
import { idInNode, issueNodeId } from '../shapes/shapes.ts';
import { minimizeComment } from '../world/comments.ts';
import { editIssue, findIssue } from '../world/issues.ts';
import type { CommentRecord, IssueRecord, Repo, StateReason } from '../world/records.ts';
import { readableRepo } from '../world/state.ts';
import { deleteIssue, transferIssue } from '../world/transfer.ts';
import { BadDocument, type Literal, type Selection } from './graphql-document.ts';
import { creationPolicy, shown } from './graphql-shown.ts';

const reasons: Readonly<Record<string, StateReason>> = {
  COMPLETED: 'completed',
  NOT_PLANNED: 'not_planned',
  DUPLICATE: 'duplicate',
};

export function mutate(ask: Ask, { name, args, selections }: Selection): unknown {
  if (name === 'minimizeComment' || name === 'unminimizeComment') return minimize(ask, { name, args, selections });
  if (name === 'deleteIssue') return deletion(ask, args['input'], selections);
  if (name === 'transferIssue') return transfer(ask, args['input'], selections);
  if (name === 'updateRepository') return settings(ask, args['input'], selections);
  if (name !== 'closeIssue') throw new BadDocument(`Field '${name}' doesn't exist on type 'Mutation'`);
  const input = args['input'];
  const at = nodeOf(ask, inputOf(input, 'issueId'));
  const original = inputOf(input, 'duplicateIssueId');
  const reason = reasons[String(inputOf(input, 'stateReason') ?? 'COMPLETED')];
  if (reason === undefined) throw new BadDocument('stateReason has an invalid value');
  const duplicate = original === null ? {} : { duplicateIssueId: nodeOf(ask, original).issue.id };
  editIssue(ask.state, ask.caller, at, { state: 'closed', stateReason: reason, ...duplicate });
  const answer = {
    id: () => issueNodeId(at.issue),
    number: () => at.issue.number,
    state: () => at.issue.state.toUpperCase(),
  };
  return shown(selections, { issue: (selection) => shown(selection.selections, answer) });
}

function transfer(ask: Ask, input: Literal | undefined, selections: readonly Selection[]): unknown {
  const at = nodeOf(ask, inputOf(input, 'issueId'));
  const arrived = transferIssue(ask.state, ask.caller, at, repoOfNode(ask, inputOf(input, 'repositoryId')));
  return shown(selections, { issue: (selection) => shown(selection.selections, { number: () => arrived.number }) });
}

function repoOfNode({ state, caller }: Ask, id: Literal): Repo {
  const found = [...state.repos.values()].find((repo) => repoNodeId(repo) === id);
  if (found === undefined) throw unresolved(id);
  return readableRepo(caller, found);
}

function settings(ask: Ask, input: Literal | undefined, selections: readonly Selection[]): unknown {
  const policy = inputOf(input, 'issueCreationPolicy');
  const repo = repoOfNode(ask, inputOf(input, 'repositoryId'));
  if (ask.state.limits.isOlderGraphql)
    throw new BadDocument("InputObject 'UpdateRepositoryInput' doesn't accept argument 'issueCreationPolicy'");
  if (repo.permissions.get(ask.caller.login) !== 'admin') throw forbidden();
  repo.restrictsIssues = policy === 'COLLABORATORS_ONLY';
  const shows = { issueCreationPolicy: () => creationPolicy(repo) };
  return shown(selections, { repository: (selection) => shown(selection.selections, shows) });
}

function deletion(ask: Ask, input: Literal | undefined, selections: readonly Selection[]): unknown {
  const id = inputOf(input, 'issueId');
  const { repo, issue } = nodeOf(ask, id);
  if (issue.isPull) throw unresolved(id);
  deleteIssue(ask.caller, repo, issue);
  return shown(selections, { repository: (selection) => shown(selection.selections, { name: () => repo.name }) });
}

const classifiers: readonly string[] = [
  'SPAM',
  'ABUSE',
  'OFF_TOPIC',
  'OUTDATED',
  'DUPLICATE',
  'RESOLVED',
  'LOW_QUALITY',
];

function minimize(ask: Ask, { name, args, selections }: Pick<Selection, 'name' | 'args' | 'selections'>): unknown {
  const input = args['input'];
  const { repo, comment } = commentOf(ask, inputOf(input, 'subjectId'));
  const classifier = String(inputOf(input, 'classifier') ?? '');
  if (name === 'minimizeComment' && !classifiers.includes(classifier))
    throw new BadDocument('classifier has an invalid value');
  const reason = name === 'minimizeComment' ? classifier.toLowerCase().replaceAll('_', '-') : null;
  minimizeComment(ask.caller, repo, comment.id, reason);
  const fields = { isMinimized: () => reason !== null, minimizedReason: () => reason };
  const comments = ({ selections: chosen }: Selection) => shown(chosen, fields);
  return shown(selections, { minimizedComment: comments, unminimizedComment: comments });
}

function commentOf({ state, caller }: Ask, id: Literal): { readonly repo: Repo; readonly comment: CommentRecord } {
  const wanted = idInNode(String(id));
  for (const repo of state.repos.values()) {
    for (const issue of repo.issues.values()) {
      if (!isHeardOf(state, issue)) continue;
      const { fate, comments } = issue;
      const comment = fate.kind === 'there' ? comments.find((each) => each.id === wanted) : undefined;
      if (comment !== undefined) return { repo: readableRepo(caller, repo), comment };
    }
  }
  throw unresolved(id);
}

const inputOf = (input: Literal | undefined, name: string): Literal =>
  typeof input === 'object' && input !== null && !Array.isArray(input)
    ? (Object.entries(input).find(([key]) => key === name)?.[1] ?? null)
    : null;

function nodeOf({ state, caller }: Ask, id: Literal): { readonly repo: Repo; readonly issue: IssueRecord } {
  const wanted = idInNode(String(id));
  for (const repo of state.repos.values()) {
    const issue = [...repo.issues.values()].find((each) => each.id === wanted && isHeardOf(state, each));
    if (issue !== undefined)
      return { repo: readableRepo(caller, repo), issue: findIssue(state, caller, repo, issue.number) };
  }
  throw unresolved(id);
}

const unresolved = (id: Literal): Refusal =>
  new Refusal(404, { message: `Could not resolve to a node with the global id of '${String(id)}'` });
