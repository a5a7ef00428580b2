import { demoBugs } from './bugs.ts';
import type { DemoStage } from './stage.ts';

/**
 * The script of the demo: what people do on both sides, step by step. Each step runs at once; the next one waits until
 * the bridge is quiet again. People act only through the two worlds.
 */
export interface DemoStep {
  readonly title: string;
  /** Acts, and returns one line for each action. */
  play(): readonly string[];
}

/** Finds items on the other side. */
export interface Places {
  /** The issue of a bug. */
  issueOf(bug: number): { readonly repo: string; readonly number: number };
  /** The bug of an issue. */
  bugOf(repo: string, number: number): number;
}

type Worlds = Pick<DemoStage, 'tracker' | 'github'>;

const widget = 'acme/widget';

export function steps(worlds: Worlds, places: Places): readonly DemoStep[] {
  const cast = castOf(worlds, places);
  return [
    { title: 'New on both sides', play: () => newOnBothSides(cast) },
    { title: 'Talking across', play: () => talkingAcross(cast) },
    { title: 'Edits, labels and statuses', play: () => editsAndStatuses(cast) },
    { title: 'Duplicates, and two people at once', play: () => twoAtOnce(cast) },
  ];
}

type Cast = ReturnType<typeof castOf>;

function castOf({ tracker, github }: Worlds, places: Places) {
  return {
    alice: tracker.as('alice'),
    ada: tracker.as('admin'),
    carol: tracker.as('carol'),
    mona: github.as('mona'),
    hubot: github.as('hubot'),
    bugOf: places.bugOf,
    /** The issue of a bug, as people name it. */
    name: (bug: number): string => `${places.issueOf(bug).repo}#${places.issueOf(bug).number}`,
    at: (bug: number): [repo: string, number: number] => [places.issueOf(bug).repo, places.issueOf(bug).number],
    /** Items from earlier steps. */
    made: { bug: 0, issue: 0, comment: 0, fix: 0 },
  };
}

function newOnBothSides({ alice, carol, mona, made }: Cast): readonly string[] {
  const summary = 'Toolbar icons are blurred on a 4K screen';
  made.bug = carol.file({
    product: 'Widget',
    component: 'UI',
    summary,
    description: 'At 200 %. They look like icons of 16 pixels, scaled.',
  });
  const secret = alice.file({
    product: 'Widget',
    component: 'Core',
    summary: 'Password in the log',
    groups: ['security'],
  });
  const title = 'Crash when the file is empty';
  made.issue = mona.open(widget, { title, body: crash, labels: ['severity: major'] });
  return [
    `mona opens ${widget}#${made.issue} "${title}", labelled "severity: major"`,
    `carol files bug ${made.bug} "${summary}"`,
    `alice files bug ${secret} "Password in the log" for the security group only: it must not cross`,
  ];
}

const crash = `Widget 2.0 ends at once if I open an **empty** file:

1. \`touch empty.txt\`
2. \`widget empty.txt\`

\`\`\`
terminate called after throwing an instance of 'std::out_of_range'
  what():  basic_string::at: __n (which is 0) >= this->size() (which is 0)
\`\`\`

It works if the file has one line.`;

function talkingAcross({ alice, mona, hubot, bugOf, at, name, made }: Cast): readonly string[] {
  const bug = bugOf(widget, made.issue);
  alice.comment(bug, 'I can reproduce this. detect_encoding() reads the first byte without looking at the size.');
  alice.comment(demoBugs.closing, 'Contoso asks again, see contract 4711.', { isPrivate: true });
  made.comment = mona.comment(...at(made.bug), 'Which graphics driver?');
  hubot.comment(...at(demoBugs.closing), 'Same here with 2.0 on Linux, with a folder that is synchronized.');
  const [, issue] = at(demoBugs.theme);
  hubot.push(widget, `Bug ${demoBugs.printing} - Keep the last line of every page`);
  made.fix = mona.openPull(widget, { title: 'Dark theme: readable selections', body: `Fixes #${issue}` });
  return [
    `alice comments on bug ${bug}`,
    `mona comments on ${name(made.bug)}, hubot on ${name(demoBugs.closing)}`,
    `mona opens the pull request ${widget}#${made.fix} for ${name(demoBugs.theme)}: bug ${demoBugs.theme} learns of it`,
    `hubot pushes a commit that names bug ${demoBugs.printing}, which learns of it`,
    `alice adds a private comment to bug ${demoBugs.closing}: it must not cross`,
  ];
}

function editsAndStatuses({ ada, mona, at, name, made }: Cast): readonly string[] {
  const { closing, printing, theme, spelling, ebcdic, paste } = demoBugs;
  mona.editComment(widget, made.comment, 'Which graphics driver, and which version of it?');
  ada.change(printing, { status: 'IN_PROGRESS' });
  mona.merge(widget, made.fix);
  ada.change(spelling, { status: 'RESOLVED', resolution: 'WONTFIX' });
  mona.reopen(...at(ebcdic));
  mona.label(...at(paste), 'regression');
  ada.change(closing, { severity: 'blocker', keywords: { add: ['regression'] } });
  return [
    `mona edits her comment on ${name(made.bug)} and reopens ${name(ebcdic)}`,
    `mona merges ${widget}#${made.fix}, which fixes ${name(theme)}: the bug is closed and says so`,
    `ada starts work on bug ${printing} and closes bug ${spelling} as WONTFIX`,
    `mona labels ${name(paste)} "regression"; ada makes bug ${closing} a blocker and adds the keyword regression`,
  ];
}

function twoAtOnce({ ada, mona, at, name }: Cast): readonly string[] {
  const { tabs, tabsAgain, font, paste } = demoBugs;
  ada.change(tabsAgain, { dupe_of: tabs });
  ada.change(font, { summary: 'All files open in a proportional font since 1.1' });
  mona.edit(...at(font), { title: 'The font from the settings is ignored' });
  ada.change(paste, { severity: 'major' });
  mona.edit(...at(paste), { title: 'Undo after a paste removes too much' });
  return [
    `ada marks bug ${tabsAgain} as a duplicate of bug ${tabs}`,
    `ada and mona give bug ${font} and ${name(font)} different titles: a conflict`,
    `ada changes the severity of bug ${paste} while mona changes the title of ${name(paste)}: no conflict`,
  ];
}
