import type { DemoStage } from './demo-stage.ts';

/**
 * The script of the demo: what people do on both sides, scene by scene. Each scene is acted out at once; the next one waits until the
 * bridge is quiet again. Only the people's doors of the two worlds are used.
 */
export interface Scene {
  readonly title: string;
  /** Acts, and answers one line for each thing that was done. */
  play(): readonly string[];
}

/** Where things of the real content ended up on GitHub, by their bugs. */
export type IssueOfBug = (bug: number) => { readonly repo: string; readonly number: number };
/** Where things that began on GitHub ended up on the tracker. */
export type BugOfIssue = (repo: string, number: number) => number;

export interface Places {
  readonly issueOf: IssueOfBug;
  readonly bugOf: BugOfIssue;
}

const widget = 'acme/widget';

export function scenes({ tracker, github }: Pick<DemoStage, 'tracker' | 'github'>, places: Places): readonly Scene[] {
  const [alice, admin, carol] = [tracker.as('alice'), tracker.as('admin'), tracker.as('carol')];
  const [mona, hubot] = [github.as('mona'), github.as('hubot')];
  const at = (bug: number) => places.issueOf(bug);
  const name = (bug: number) => `${at(bug).repo}#${at(bug).number}`;
  const opened: { bug: number; issue: number; comment: number } = { bug: 0, issue: 0, comment: 0 };
  return [
    {
      title: 'New on both sides',
      play() {
        opened.bug = carol.file({
          product: 'Widget',
          component: 'UI',
          summary: 'Toolbar icons are blurred',
          description: 'On a 4k screen.',
        });
        const secret = alice.file({ product: 'Widget', component: 'Core', summary: 'Password in the log', groups: ['security'] });
        opened.issue = mona.open(widget, {
          title: 'Crash when the file is empty',
          body: 'Open an empty file.\n\n**It crashes.**',
          labels: ['severity: major'],
        });
        return [
          `carol files bug ${opened.bug} "Toolbar icons are blurred"`,
          `alice files bug ${secret} "Password in the log" for the security group only: it must not cross`,
          `mona opens ${widget}#${opened.issue} "Crash when the file is empty", labelled "severity: major"`,
        ];
      },
    },
    {
      title: 'Talking across',
      play() {
        const bug = places.bugOf(widget, opened.issue);
        alice.comment(bug, 'I can reproduce this with an empty file.');
        alice.comment(1, 'The customer is a big one, see contract 4711.', { isPrivate: true });
        opened.comment = mona.comment(at(opened.bug).repo, at(opened.bug).number, 'Which graphics driver?');
        const { repo, number } = at(1);
        hubot.comment(repo, number, 'Happens on my machine too.');
        return [
          `alice comments on bug ${bug}`,
          'alice adds a private comment to bug 1: it must not cross',
          `mona comments on ${name(opened.bug)}, hubot on ${name(1)}`,
        ];
      },
    },
    {
      title: 'Edits, labels and statuses',
      play() {
        mona.editComment(at(opened.bug).repo, opened.comment, 'Which graphics driver, and which version of it?');
        admin.change(2, { status: 'IN_PROGRESS' });
        mona.close(at(3).repo, at(3).number, 'completed');
        admin.change(41, { status: 'RESOLVED', resolution: 'WONTFIX' });
        mona.reopen(at(39).repo, at(39).number);
        mona.label(at(4).repo, at(4).number, 'regression');
        admin.change(5, { severity: 'minor', keywords: { add: ['crash'] } });
        return [
          `mona edits her comment on ${name(opened.bug)}`,
          `ada starts work on bug 2 and closes bug 41 as WONTFIX; mona closes ${name(3)} and reopens ${name(39)}`,
          `mona labels ${name(4)} "regression"; ada makes bug 5 minor and adds the keyword crash`,
        ];
      },
    },
    {
      title: 'Duplicates, and two people at once',
      play() {
        admin.change(43, { dupe_of: 42 });
        admin.change(6, { summary: 'The description is empty' });
        mona.edit(at(6).repo, at(6).number, { title: 'No description is shown' });
        admin.change(7, { severity: 'major' });
        mona.edit(at(7).repo, at(7).number, { title: 'Spaces at both ends are lost' });
        return [
          'ada marks bug 43 as a duplicate of bug 42',
          `ada and mona give bug 6 and ${name(6)} different titles: a conflict`,
          `ada changes the severity of bug 7 while mona changes the title of ${name(7)}: no conflict`,
        ];
      },
    },
  ];
}
