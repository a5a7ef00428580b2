import { forbidden, invalid, notFound } from '../server/errors.ts';
import { type IssueRecord, type Label, type LabelEvent, mayPush, type Repo, type User } from './records.ts';
import { freshId, type GithubState, stamp } from './state.ts';

const nameMax = 50;

/** POST /repos/{owner}/{repo}/labels. Throws 422 if the name is too long, or taken in any case. */
export function createLabel(state: GithubState, user: User, repo: Repo, draft: Omit<Label, 'id' | 'madeAt'>): Label {
  if (!mayPush(user, repo)) throw forbidden();
  if (repo.labels.has(draft.name.toLowerCase()))
    throw invalid({ resource: 'Label', code: 'already_exists', field: 'name' });
  if (draft.name.trim() === '') throw invalid({ resource: 'Label', code: 'missing_field', field: 'name' });
  if ([...draft.name].length > nameMax) {
    throw invalid({
      resource: 'Label',
      code: 'custom',
      field: 'name',
      message: `name is too long (maximum is ${nameMax} characters)`,
    });
  }
  if (!/^[0-9a-f]{6}$/i.test(draft.color)) throw invalid({ resource: 'Label', code: 'invalid', field: 'color' });
  return keep(repo, { ...draft, id: freshId(state), madeAt: state.now() });
}

/** PATCH /repos/{owner}/{repo}/labels/{name}. As far as is known, the issues that have it do not become newer. */
export function renameLabel(user: User, repo: Repo, name: string, to: string): Label {
  const label = labelNamed(user, repo, name);
  const taken = repo.labels.get(to.toLowerCase());
  if (taken !== undefined && taken !== label)
    throw invalid({ resource: 'Label', code: 'already_exists', field: 'name' });
  checkName(to);
  const renamed = { ...label, name: to };
  repo.labels.delete(name.toLowerCase());
  for (const issue of repo.issues.values())
    issue.labels = issue.labels.map((each) => (each === label ? renamed : each));
  return keep(repo, renamed);
}

/** DELETE /repos/{owner}/{repo}/labels/{name}. As far as is known, the issues that had it do not become newer. */
export function deleteLabel(user: User, repo: Repo, name: string): void {
  const label = labelNamed(user, repo, name);
  repo.labels.delete(name.toLowerCase());
  for (const issue of repo.issues.values()) issue.labels = issue.labels.filter((each) => each !== label);
}

function labelNamed(user: User, repo: Repo, name: string): Label {
  const label = repo.labels.get(name.toLowerCase());
  if (label === undefined) throw notFound();
  if (!mayPush(user, repo)) throw forbidden();
  return label;
}

/**
 * The labels of these names, each once; unknown ones are created, as GitHub does if an issue names one. Throws 422 for
 * a name that is too long.
 */
export function labelsNamed(state: GithubState, repo: Repo, names: readonly string[]): readonly Label[] {
  const found = new Map<string, Label>();
  for (const name of names) checkName(name);
  for (const name of names) {
    const known = repo.labels.get(name.toLowerCase());
    const usual = { name, color: 'ededed', description: null };
    found.set(name.toLowerCase(), known ?? keep(repo, { ...usual, id: freshId(state), madeAt: state.now() }));
  }
  return [...found.values()];
}

/** POST .../issues/{n}/labels: adds labels. Users without push are silently ignored. */
export function addLabels(
  state: GithubState,
  user: User,
  at: { repo: Repo; issue: IssueRecord },
  names: readonly string[],
): void {
  if (!mayPush(user, at.repo)) return;
  setLabels(state, user, at.issue, [...new Set([...at.issue.labels, ...labelsNamed(state, at.repo, names)])]);
}

/** DELETE .../issues/{n}/labels/{name}; case is ignored. True if the issue had the label. */
export function removeLabel(state: GithubState, user: User, issue: IssueRecord, name: string): boolean {
  const kept = issue.labels.filter((label) => label.name.toLowerCase() !== name.toLowerCase());
  const wasThere = kept.length < issue.labels.length;
  setLabels(state, user, issue, kept);
  return wasThere;
}

/** Added or removed labels make the issue newer; the same set does not. */
export function setLabels(state: GithubState, user: User, issue: IssueRecord, labels: readonly Label[]): void {
  const isSame = labels.length === issue.labels.length && labels.every((label) => issue.labels.includes(label));
  if (isSame) return;
  const events = (action: LabelEvent['action'], list: readonly Label[]) =>
    list.map((label) => ({ id: freshId(state), action, label, actor: user, at: stamp(state) }));
  const [gone, come] = [
    issue.labels.filter((each) => !labels.includes(each)),
    labels.filter((each) => !issue.labels.includes(each)),
  ];
  issue.events.push(...events('unlabeled', gone), ...events('labeled', come));
  issue.labels = labels;
  issue.updatedAt = stamp(state);
}

/** False for names that GitHub refuses. */
export const isLabelName = (name: string): boolean => name.trim() !== '' && [...name].length <= nameMax;

function checkName(name: string): void {
  if (!isLabelName(name)) {
    throw invalid({ resource: 'Label', code: 'invalid', field: 'name', value: name });
  }
}

function keep(repo: Repo, label: Label): Label {
  repo.labels.set(label.name.toLowerCase(), label);
  return label;
}
