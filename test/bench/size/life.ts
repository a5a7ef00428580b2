import type { Random } from '../../support/random.ts';
import { random } from '../../support/random.ts';
import { privateWord } from './files.ts';
import { repo, type Sides } from './sides.ts';
import { summaryOf, textOf } from './words.ts';

/** What people do on both sides in a month, each at its moment of the virtual clock. */
export interface Life {
  /** Does what is due by now. */
  goOn(): void;
  isOver(): boolean;
  readonly changes: number;
}

const dayMs = 86_400_000;
/** On each side: as many for each bug as on LLVM's tracker in its last years. */
const perDay = ({ tracker }: Sides): number => Math.max(4, Math.round(tracker.state.bugs.size / 1_000));

interface Act {
  readonly at: number;
  readonly perform: (sides: Sides, draw: Random) => void;
}

const onTracker: readonly Act['perform'][] = [
  ({ tracker }, draw) =>
    void tracker.as('alice').comment(someBug({ tracker }, draw), textOf(draw, 40 + draw.below(600))),
  ({ tracker }, draw) => void tracker.as('bob').comment(someBug({ tracker }, draw), textOf(draw, 40 + draw.below(100))),
  ({ tracker }, draw) => {
    const id = someBug({ tracker }, draw);
    const isOpen = tracker.bug(id)?.resolution === '';
    tracker.as('alice').change(id, isOpen ? { status: 'RESOLVED', resolution: 'FIXED' } : { status: 'CONFIRMED' });
  },
  ({ tracker }, draw) =>
    tracker.as('alice').change(someBug({ tracker }, draw), { severity: draw.pick(['major', 'minor', 'normal']) }),
  ({ tracker }, draw) =>
    void tracker
      .as('bob')
      .file({ product: 'Widget', summary: summaryOf(draw, tracker.state.nextBug), description: textOf(draw, 300) }),
  ({ tracker }, draw) => {
    const id = someBug({ tracker }, draw);
    if (draw.chance(0.2)) tracker.as('alice').comment(id, `${privateWord} ${textOf(draw, 80)}`, { isPrivate: true });
    else tracker.as('alice').change(id, { summary: summaryOf(draw, id) });
  },
  ({ tracker }, draw) => {
    if (draw.chance(0.2)) tracker.hide(someBug({ tracker }, draw));
  },
];

const onGithub: readonly Act['perform'][] = [
  ({ github }, draw) =>
    void github.as('mona').comment(repo, someIssue({ github }, draw), textOf(draw, 40 + draw.below(600))),
  ({ github }, draw) =>
    void github.as('hubot').comment(repo, someIssue({ github }, draw), textOf(draw, 40 + draw.below(100))),
  ({ github }, draw) => {
    const number = someIssue({ github }, draw);
    if (github.issue(repo, number)?.state === 'open')
      github.as('mona').close(repo, number, draw.pick(['completed', 'not_planned']));
    else github.as('mona').reopen(repo, number);
  },
  ({ github }, draw) => {
    const number = someIssue({ github }, draw);
    github.as('mona').edit(repo, number, { title: summaryOf(draw, number) });
  },
  ({ github }, draw) =>
    void github.as('mona').open(repo, { title: summaryOf(draw, draw.below(1e6)), body: textOf(draw, 300) }),
];

/** A public bug of before. */
function someBug({ tracker }: Pick<Sides, 'tracker'>, draw: Random): number {
  for (;;) {
    const bug = tracker.bug(1 + draw.below(tracker.state.nextBug - 1));
    if (bug !== null && bug.groups.length === 0 && bug.resolution !== 'DUPLICATE') return bug.id;
  }
}

function someIssue({ github }: Pick<Sides, 'github'>, draw: Random): number {
  const last = github.state.repos.get(repo)?.lastNumber ?? 0;
  for (;;) {
    const issue = github.issue(repo, 1 + draw.below(last));
    if (issue !== null && !issue.isLocked && issue.stateReason !== 'duplicate' && issue.body.includes('bug='))
      return issue.number;
  }
}

export function lifeOf(sides: Sides, days: number, seed: number): Life {
  const draw = random(seed);
  const beganAt = sides.now();
  const acts: Act[] = [onTracker, onGithub]
    .flatMap((kinds) =>
      Array.from({ length: days * perDay(sides) }, () => ({
        at: beganAt + Math.floor(draw.next() * days * dayMs),
        perform: draw.pick(kinds),
      })),
    )
    .sort((one, other) => one.at - other.at);
  let done = 0;
  return {
    goOn() {
      for (let act = acts[done]; act !== undefined && act.at <= sides.now(); act = acts[done]) {
        done += 1;
        act.perform(sides, draw);
      }
    },
    isOver: () => done === acts.length,
    changes: acts.length,
  };
}
