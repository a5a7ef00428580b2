import type { CloseReason } from '../../../model/item.ts';
import { createMilestone, renameMilestone } from './assignees.ts';
import { createComment, deleteComment, editComment, minimizeComment, setLock } from './comments.ts';
import { addBlocker, removeBlocker } from './dependencies.ts';
import { type CommitPlace, mergePull, pushCommit } from './git/closings.ts';
import { addFieldValues, clearFieldValue, shownFields } from './issue-fields.ts';
import { createIssue, editIssue, findIssue, type IssueChange, type IssueRequest, thumbUp } from './issues.ts';
import { addLabels, removeLabel, renameLabel } from './labels.ts';
import type { IssueRecord, Repo } from './records.ts';
import { type GithubState, readableRepo, repoNamed, type Upload, userNamed } from './state.ts';
import { deleteIssue, transferIssue } from './transfer.ts';
import { addUpload } from './uploads.ts';
import { keepVersions } from './versions.ts';

/**
 * Actions of a person on the website: the same rules as over HTTP, but no limits, no faults and no request log. A
 * refusal is thrown, because a script that is refused is wrong.
 */
export interface GithubPerson {
  /** Returns the new issue's number. */
  open(repo: string, issue: Omit<IssueRequest, 'isPull'>): number;
  /** A pull request; its number is from the same sequence. */
  openPull(repo: string, pull: Omit<IssueRequest, 'isPull'>): number;
  /** Merges a pull request, which closes the issues that its text says it fixes. */
  merge(repo: string, pull: number): void;
  /** Pushes a commit, to the default branch unless another is named; returns its digest. */
  push(repo: string, message: string, place?: CommitPlace): string;
  edit(repo: string, number: number, change: Pick<IssueChange, 'title' | 'body'>): void;
  /**
   * A null reason closes as before reasons existed. `duplicateOf` is an issue; a number means one of the same
   * repository.
   */
  close(
    repo: string,
    number: number,
    reason?: CloseReason | null,
    duplicateOf?: number | { readonly repo: string; readonly number: number },
  ): void;
  reopen(repo: string, number: number): void;
  label(repo: string, number: number, ...names: readonly string[]): void;
  unlabel(repo: string, number: number, ...names: readonly string[]): void;
  assign(repo: string, number: number, ...logins: readonly string[]): void;
  unassign(repo: string, number: number, ...logins: readonly string[]): void;
  /** By its title; a missing milestone is created. Null removes it. */
  milestone(repo: string, number: number, title: string | null): void;
  renameLabel(repo: string, from: string, to: string): void;
  renameMilestone(repo: string, from: string, to: string): void;
  /** One of the repository's types; null removes it. */
  type(repo: string, number: number, type: string | null): void;
  /** One of the organisation's fields by name; null removes its value. */
  setField(repo: string, number: number, name: string, value: string | number | readonly string[] | null): void;
  /** `blocker` is the number of the blocking issue. */
  block(repo: string, number: number, blocker: number): void;
  unblock(repo: string, number: number, blocker: number): void;
  /** Uploads a file into a text; returns its address. */
  upload(file: Upload): string;
  /** Returns the new comment's id. */
  comment(repo: string, number: number, body: string): number;
  editComment(repo: string, id: number, body: string): void;
  deleteComment(repo: string, id: number): void;
  /** Null shows it again. */
  minimize(repo: string, id: number, reason: string | null): void;
  lock(repo: string, number: number, isLocked: boolean): void;
  /**
   * A thumbs up on the issue itself, once for each person; a second one takes it back. It does not make the issue
   * newer.
   */
  thumbUp(repo: string, number: number): void;
  /** Needs the admin permission, as on GitHub. */
  deleteIssue(repo: string, number: number): void;
  /** Returns the number in the other repository, which must have the same owner. */
  transfer(repo: string, number: number, target: string): number;
}

export function personNamed(state: GithubState, login: string): GithubPerson {
  const user = state.renamed.get(login) ?? userNamed(state, login);
  const repoOf = (name: string): Repo => readableRepo(user, repoNamed(state, name));
  const at = (name: string, number: number): { repo: Repo; issue: IssueRecord } => {
    const repo = repoOf(name);
    return { repo, issue: findIssue(state, user, repo, number) };
  };
  return keeping(state, {
    open: (repo, issue) => createIssue(state, user, repoOf(repo), issue).number,
    openPull: (repo, pull) => createIssue(state, user, repoOf(repo), { ...pull, isPull: true }).number,
    merge: (repo, pull) => mergePull(state, user, at(repo, pull)),
    push: (repo, message, place = {}) => pushCommit(state, user, repoOf(repo), { ...place, message }),
    edit: (repo, number, change) => editIssue(state, user, at(repo, number), change),
    close(repo, number, reason = 'completed', duplicateOf) {
      const { issue } = at(repo, number);
      const original = typeof duplicateOf === 'number' ? { repo, number: duplicateOf } : duplicateOf;
      const duplicate = original === undefined ? {} : { duplicateIssueId: at(original.repo, original.number).issue.id };
      editIssue(state, user, at(repo, number), { state: 'closed', stateReason: reason, ...duplicate });
      if (reason === null) issue.stateReason = null;
    },
    reopen: (repo, number) => editIssue(state, user, at(repo, number), { state: 'open' }),
    label: (repo, number, ...names) => addLabels(state, user, at(repo, number), names),
    unlabel(repo, number, ...names) {
      for (const name of names) removeLabel(state, user, at(repo, number).issue, name);
    },
    assign(repo, number, ...logins) {
      const { issue } = at(repo, number);
      editIssue(state, user, at(repo, number), {
        assignees: [...issue.assignees.map(({ login }) => login), ...logins],
      });
    },
    unassign(repo, number, ...logins) {
      const { issue } = at(repo, number);
      const kept = issue.assignees.map(({ login }) => login).filter((login) => !logins.includes(login));
      editIssue(state, user, at(repo, number), { assignees: kept });
    },
    milestone(repo, number, title) {
      const known = repoOf(repo).milestones.find((milestone) => milestone.title === title);
      const milestone = title === null ? null : (known ?? createMilestone(state, user, repoOf(repo), title)).number;
      editIssue(state, user, at(repo, number), { milestone });
    },
    renameLabel: (repo, from, to) => void renameLabel(user, repoOf(repo), from, to),
    renameMilestone(repo, from, to) {
      const known = repoOf(repo).milestones.find(({ title }) => title === from);
      renameMilestone(user, repoOf(repo), known?.number ?? 0, to);
    },
    type: (repo, number, type) => editIssue(state, user, at(repo, number), { type }),
    setField(repo, number, name, value) {
      const place = at(repo, number);
      const fieldId = shownFields(state, user, place.repo)?.find((field) => field.name === name)?.id ?? 0;
      if (value !== null) addFieldValues(state, user, place, [{ fieldId, value }]);
      else if (place.issue.fieldValues.has(fieldId)) clearFieldValue(state, user, place, fieldId);
    },
    block: (repo, number, blocker) => addBlocker(state, user, at(repo, number), at(repo, blocker).issue.id),
    unblock: (repo, number, blocker) => removeBlocker(state, user, at(repo, number), at(repo, blocker).issue.id),
    upload: (file) => addUpload(state, file),
    comment: (repo, number, body) => createComment(state, user, at(repo, number), body).id,
    editComment: (repo, id, body) => void editComment(state, user, repoOf(repo), { id, body }),
    lock: (repo, number, isLocked) => setLock(state, user, at(repo, number), isLocked),
    thumbUp: (repo, number) => thumbUp(user, at(repo, number).issue),
    minimize: (repo, id, reason) => void minimizeComment(user, repoOf(repo), id, reason),
    deleteComment: (repo, id) => deleteComment(user, repoOf(repo), id),
    deleteIssue: (repo, number) => deleteIssue(user, repoOf(repo), at(repo, number).issue),
    transfer: (repo, number, target) => transferIssue(state, user, at(repo, number), repoOf(target)).number,
  });
}

/** Each action is a change, which lists may show late. */
function keeping(state: GithubState, person: GithubPerson): GithubPerson {
  return new Proxy(person, {
    get(target, name) {
      const action: unknown = Reflect.get(target, name);
      if (typeof action !== 'function') return action;
      return (...args: unknown[]): unknown => {
        const result: unknown = Reflect.apply(action, target, args);
        keepVersions(state);
        return result;
      };
    },
  });
}
