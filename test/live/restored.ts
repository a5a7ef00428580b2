import { dirname, join } from 'node:path';
import { type Running, start } from '../e2e/process.ts';
import { type Actions, addressOf } from './actions.ts';
import { type Pair, pairsIn } from './oracle.ts';
import {
  actorOf,
  begin,
  end,
  inPlace,
  judge,
  judgedIn,
  type Lived,
  lastWordsOf,
  type Place,
  type PlaceOptions,
  quiet,
} from './place.ts';

export interface RestoredOptions extends PlaceOptions {
  /** What goes back: the bridge's state, or the tracker's database, which these keep and put back. */
  readonly back: 'state' | { readonly dump: () => void; readonly load: () => void };
}

const actsBefore = 15;
const actsSince = 30;
const actsMeanwhile = 10;

/**
 * People edit both sides, something is backed up, and people edit on: thirty times while the bridge carries that over,
 * and ten times while it is down. Then what was backed up is put back. No edit of people may be lost or undone but those
 * that a tracker itself has lost.
 */
export const restored = (options: RestoredOptions): Promise<Lived> => inPlace(options, (place) => run(place, options));

async function run(place: Place, { back, report }: RestoredOptions): Promise<readonly string[]> {
  const { configFile, actions } = place;
  const backup = join(dirname(configFile), 'backup.db');
  let daemon = begin(place);
  const rested = async (acts: number): Promise<readonly string[]> => {
    place.isBusy = acts > 0;
    const act = await actorOf(place);
    for (let count = 0; count < acts; count += 1) await act();
    place.isBusy = false;
    const wrong = await quiet(place, daemon);
    return wrong.length === 0 ? [] : [...wrong, lastWordsOf(daemon)];
  };
  try {
    const unsettled = [...(await rested(0)), ...(await rested(actsBefore))];
    if (back === 'state') await ask(place, ['state', 'backup', backup]);
    else {
      await end(place, daemon, 'SIGTERM');
      back.dump();
      daemon = begin(place);
    }
    const then = structuredClone(actions);
    unsettled.push(...(await rested(actsSince)));
    await end(place, daemon, 'SIGTERM');
    const before = await viewOf(place);
    if (back !== 'state') {
      back.load();
      await forget(place, then, before);
    }
    const settled = await viewOf(place);
    const act = await actorOf(place);
    for (let count = 0; count < actsMeanwhile; count += 1) await act();
    const left = await viewOf(place);
    report(`${actions.acts} acts; ${back === 'state' ? 'the state' : 'the tracker'} goes back`);
    if (back === 'state') await ask(place, ['state', 'restore', backup]);
    else unsettled.push(...(await letGo(place)));
    daemon = begin(place);
    unsettled.push(...(await rested(0)));
    await end(place, daemon, 'SIGTERM');
    const undone = undoneIn(settled, left, await viewOf(place));
    return [...unsettled, ...(await judge(place, undone))];
  } finally {
    place.isBusy = false;
    await daemon.end('SIGKILL');
  }
}

async function ask(place: Place, words: readonly string[], isWell = [0]): Promise<string> {
  const asked: Running = start([...words, '--config', place.configFile]);
  const code = await asked.ended;
  if (code === null || !isWell.includes(code))
    throw new Error(`${words.join(' ')} ends with ${code}: ${asked.output()}`);
  return asked.output();
}

const letGoMax = 10;

/** Does what the bridge says of a tracker that went back, as often as it says so. */
async function letGo(place: Place): Promise<readonly string[]> {
  for (let count = 0; count < letGoMax; count += 1) {
    const asked = start(['once', ...(count === 0 ? [] : ['--force']), '--config', place.configFile]);
    await asked.ended;
    place.options.report(asked.output().trim());
    if (!asked.output().includes('run bugferry once --force')) return [];
  }
  return [`once --force was asked for ${letGoMax} times`];
}

type View = ReadonlyMap<number, Pair>;

const viewOf = async (place: Place): Promise<View> =>
  new Map((await pairsIn(judgedIn(place))).pairs.map((pair) => [pair.bug.id, pair]));

/** A tracker that went back has forgotten what people did there; bugs that it lacks leave their issues behind. */
async function forget(place: Place, then: Actions, before: View): Promise<void> {
  const { actions } = place;
  const { pairs } = await pairsIn(judgedIn(place));
  const kept = new Set([...pairs.map(({ bug }) => bug.id), ...then.hidden]);
  for (const { bug, issue } of before.values())
    if (!kept.has(bug.id)) actions.letGo.add(addressOf(issue.repo, issue.number));
  for (const name of ['bugComments', 'files'] as const)
    for (const text of actions[name].keys()) if (!then[name].has(text)) actions[name].delete(text);
  for (const bug of actions.bugTitles.keys()) if (!kept.has(bug)) actions.bugTitles.delete(bug);
  for (const [secret, bug] of actions.secrets)
    if (bug !== null && !kept.has(bug)) {
      if (actions.hidden.has(bug)) actions.secrets.set(secret, null);
      else actions.secrets.delete(secret);
    }
  actions.hidden.clear();
  for (const bug of then.hidden) actions.hidden.add(bug);
}

const onBug = ({ bug }: Pair) => ({
  title: bug.summary,
  status: `${bug.status} ${bug.resolution}`,
  severity: bug.severity,
});
const onIssue = ({ issue }: Pair) => ({
  title: [issue.title],
  status: [`${issue.state} ${issue.stateReason}`],
  severity: issue.labels.filter((label) => label.startsWith('severity: ')),
});

/** Where one side alone was edited while the bridge was down, or none was, its value stands. */
function undoneIn(settled: View, left: View, now: View): readonly string[] {
  return [...left].flatMap(([id, pair]) => {
    const [was, is] = [settled.get(id), now.get(id)];
    if (was === undefined || is === undefined || pair.issue.id !== is.issue.id) return [];
    // A bug that was hidden before the tracker went back shows its issue again.
    if (pair.issue.title === `Bug ${id} is not public`) return [];
    return (['title', 'status', 'severity'] as const).flatMap((field) => {
      const [before, meanwhile, after] = [onBug(was)[field], onBug(pair)[field], onBug(is)[field]];
      const [issueBefore, issueMeanwhile, issueAfter] = [was, pair, is].map((each) => onIssue(each)[field]);
      // A person adds a label, and leaves it to the bridge to remove the other one.
      const added = issueMeanwhile?.filter((each) => !issueBefore?.includes(each)) ?? [];
      const given = added.length > 0 ? added : issueMeanwhile;
      const isEdited = { bug: before !== meanwhile, issue: added.length > 0 };
      const found: string[] = [];
      if (isEdited.bug && !isEdited.issue && after !== meanwhile)
        found.push(`${field} of bug ${id} was "${meanwhile}" and is "${after}"`);
      if (!isEdited.bug && issueAfter?.join() !== given?.join())
        found.push(`${field} of issue ${is.issue.number} of bug ${id} was "${given}" and is "${issueAfter}"`);
      return found;
    });
  });
}
