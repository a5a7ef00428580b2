import type { Random } from '../../support/random.ts';
import { repo, type Stage } from '../stage.ts';
import { isRefusal } from '../world/people.ts';

/** What people said, and where. Every text is unique. */
export interface Said {
  /** On bugs: titles, descriptions and comments. */
  readonly onBugs: Map<string, number>;
  readonly onIssues: Map<string, number>;
  /** Contents of files, their summaries and what was said with them, by their attachment. */
  readonly attached: Map<string, number>;
}

export const saidNothing = (): Said => ({ onBugs: new Map(), onIssues: new Map(), attached: new Map() });

/** People who edit, talk, hide and show on both sides. What the rules of a side forbid them is simply not done. */
export function crowdOf(
  world: Stage,
  draw: Random,
  said: Said,
): { act(): void; begin(): void; open(): void; edit(by: Random): void } {
  let serial = 0;
  const text = (what: string): string => {
    serial += 1;
    return `${what} no ${serial}.`;
  };
  const [here, there] = [onTracker(world, draw, said, text), onGithub(world, draw, said, text)];
  const begin = () => (draw.chance(0.5) ? here : there)[0]?.();
  return {
    begin,
    open: () => there[0]?.(),
    edit: (by) => editComment(world, by, said, text),
    act() {
      try {
        if (world.tracker.bugs().length < 3) here[0]?.();
        else if (draw.chance(0.1)) begin();
        else draw.pick([...here, ...there])();
      } catch (error) {
        if (!isRefusal(error)) throw error;
      }
    },
  };
}

type Text = (what: string) => string;

/** Somebody edits a comment, and says so: a tracker shows an edit only once its bug changes. */
function editComment({ tracker }: Stage, draw: Random, { onBugs }: Said, text: Text): void {
  const again = [...onBugs].filter(([words]) => words.startsWith('Edited'));
  const edited = draw.pick(again.length > 0 && draw.chance(0.7) ? again : [...onBugs]);
  if (edited === undefined) return;
  const [words, bug] = edited;
  const comment = tracker.commentsOf(bug).find((each) => each.text === words);
  if (comment === undefined) return;
  const [later, report] = [text('Edited'), text('Said of an edit')];
  tracker.editComment(comment.id, later);
  tracker.as('alice').comment(bug, report);
  onBugs.delete(words);
  for (const each of [later, report]) onBugs.set(each, bug);
}
const often = (times: number, act: () => void): readonly (() => void)[] => Array.from({ length: times }, () => act);

function onTracker({ tracker }: Stage, draw: Random, { onBugs, attached }: Said, text: Text) {
  const [alice, admin] = [tracker.as('alice'), tracker.as('bridge-insider')];
  const someBug = () => draw.pick(tracker.bugs());
  return [
    () => {
      const [summary, description] = [text('Filed'), text('Description')];
      const id = alice.file({ summary, description });
      onBugs.set(description, id);
    },
    ...often(4, () => {
      const [words, { id }] = [text('Said on the tracker'), someBug()];
      alice.comment(id, words);
      onBugs.set(words, id);
    }),
    ...often(3, () => alice.change(someBug().id, { summary: text('Tracker title') })),
    ...often(3, () =>
      alice.change(
        someBug().id,
        draw.pick([
          { status: 'RESOLVED', resolution: 'FIXED' },
          { status: 'RESOLVED', resolution: 'WONTFIX' },
          { status: 'CONFIRMED' },
        ]),
      ),
    ),
    ...often(2, () => alice.change(someBug().id, { severity: draw.pick(['major', 'minor', 'normal']) })),
    ...often(2, () => alice.change(someBug().id, { target_milestone: draw.pick(['---', '1.1', '2.0']) })),
    ...often(2, () => alice.change(someBug().id, { keywords: { [draw.pick(['add', 'remove'])]: ['crash'] } })),
    ...often(3, () => {
      const { id, groups } = someBug();
      admin.change(id, { groups: groups.length === 0 ? { add: ['security'] } : { remove: groups } });
    }),
    ...often(2, () => {
      const hidden = tracker.bugs().filter(({ groups }) => groups.length > 0);
      if (hidden.length > 0) admin.change(draw.pick(hidden).id, { groups: { remove: ['security'] } });
    }),
    ...often(3, () => {
      const content = text('Content of a file');
      const [summary, comment] = [text('Summary'), text('Said with a file')];
      const file = { bytes: new TextEncoder().encode(content), file_name: 'a.bin', summary, comment };
      const id = admin.attach(someBug().id, file);
      for (const words of [content, summary, comment]) attached.set(words, id);
    }),
    ...often(2, () => {
      const file = draw.pick([...tracker.state.attachments.values()]);
      if (file !== undefined) admin.changeAttachment(file.id, { is_private: !file.isPrivate });
    }),
  ];
}

function onGithub({ github }: Stage, draw: Random, { onIssues }: Said, text: Text) {
  const mona = github.as('mona');
  const some = (act: (issue: number) => void) => () => {
    const issues = github.issues(repo);
    if (issues.length > 0) act(draw.pick(issues).number);
  };
  return [
    () => {
      const body = text('Body');
      onIssues.set(body, mona.open(repo, { title: text('Opened'), body }));
    },
    ...often(
      4,
      some((issue) => {
        const words = text('Said on GitHub');
        mona.comment(repo, issue, words);
        onIssues.set(words, issue);
      }),
    ),
    ...often(
      3,
      some((issue) => mona.edit(repo, issue, { title: text('GitHub title') })),
    ),
    ...often(
      2,
      some((issue) => mona.close(repo, issue, draw.pick(['completed', 'not_planned'] as const))),
    ),
    ...often(
      2,
      some((issue) => mona.reopen(repo, issue)),
    ),
    ...often(
      2,
      some((issue) => {
        const [severity, shown] = [draw.pick(['major', 'minor', 'normal']), github.issue(repo, issue)?.labels ?? []];
        for (const label of shown) if (label.startsWith('severity: ')) mona.unlabel(repo, issue, label);
        mona.label(repo, issue, `severity: ${severity}`);
      }),
    ),
    ...often(
      2,
      some((issue) => mona.milestone(repo, issue, draw.pick([null, '1.1', '2.0']))),
    ),
    ...often(
      1,
      some((issue) => mona.label(repo, issue, 'crash')),
    ),
    ...often(
      1,
      some((issue) => mona.unlabel(repo, issue, 'crash')),
    ),
  ];
}
