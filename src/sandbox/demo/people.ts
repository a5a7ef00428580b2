import type { DemoStage } from './stage.ts';

/**
 * The script of the demo: what people do on both sides, step by step. Each step runs at once; the next one waits until the bridge is quiet
 * again. People act only through the two worlds.
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
    made: { bug: 0, issue: 0, comment: 0 },
  };
}

function newOnBothSides({ alice, carol, mona, made }: Cast): readonly string[] {
  made.bug = carol.file({ product: 'Widget', component: 'UI', summary: 'Toolbar icons are blurred', description: 'On a 4k screen.' });
  const secret = alice.file({ product: 'Widget', component: 'Core', summary: 'Password in the log', groups: ['security'] });
  const body = 'Open an empty file.\n\n**It crashes.**';
  made.issue = mona.open(widget, { title: 'Crash when the file is empty', body, labels: ['severity: major'] });
  return [
    `carol files bug ${made.bug} "Toolbar icons are blurred"`,
    `alice files bug ${secret} "Password in the log" for the security group only: it must not cross`,
    `mona opens ${widget}#${made.issue} "Crash when the file is empty", labelled "severity: major"`,
  ];
}

function talkingAcross({ alice, mona, hubot, bugOf, at, name, made }: Cast): readonly string[] {
  const bug = bugOf(widget, made.issue);
  alice.comment(bug, 'I can reproduce this with an empty file.');
  alice.comment(1, 'The customer is a big one, see contract 4711.', { isPrivate: true });
  made.comment = mona.comment(...at(made.bug), 'Which graphics driver?');
  hubot.comment(...at(1), 'Happens on my machine too.');
  return [
    `alice comments on bug ${bug}`,
    'alice adds a private comment to bug 1: it must not cross',
    `mona comments on ${name(made.bug)}, hubot on ${name(1)}`,
  ];
}

function editsAndStatuses({ ada, mona, at, name, made }: Cast): readonly string[] {
  mona.editComment(widget, made.comment, 'Which graphics driver, and which version of it?');
  ada.change(2, { status: 'IN_PROGRESS' });
  mona.close(...at(3), 'completed');
  ada.change(41, { status: 'RESOLVED', resolution: 'WONTFIX' });
  mona.reopen(...at(39));
  mona.label(...at(4), 'regression');
  ada.change(5, { severity: 'minor', keywords: { add: ['crash'] } });
  return [
    `mona edits her comment on ${name(made.bug)}`,
    `ada starts work on bug 2 and closes bug 41 as WONTFIX; mona closes ${name(3)} and reopens ${name(39)}`,
    `mona labels ${name(4)} "regression"; ada makes bug 5 minor and adds the keyword crash`,
  ];
}

function twoAtOnce({ ada, mona, at, name }: Cast): readonly string[] {
  ada.change(43, { dupe_of: 42 });
  ada.change(6, { summary: 'The description is empty' });
  mona.edit(...at(6), { title: 'No description is shown' });
  ada.change(7, { severity: 'major' });
  mona.edit(...at(7), { title: 'Spaces at both ends are lost' });
  return [
    'ada marks bug 43 as a duplicate of bug 42',
    `ada and mona give bug 6 and ${name(6)} different titles: a conflict`,
    `ada changes the severity of bug 7 while mona changes the title of ${name(7)}: no conflict`,
  ];
}
