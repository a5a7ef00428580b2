import type { TrackerWorld } from '../tracker/world/world.ts';

/**
 * The tracker's content at the start of the demo: a text editor, Widget, and a thermometer with Wi-Fi, Gadget. The bugs
 * are invented, but of the kinds that projects have. One bug and one comment are private.
 */
interface FirstBug {
  readonly daysAgo: number;
  readonly by: string;
  readonly product?: 'Gadget';
  readonly component?: string;
  readonly version?: string;
  readonly type?: 'enhancement';
  readonly severity?: string;
  readonly keywords?: readonly string[];
  readonly groups?: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly comments?: readonly FirstComment[];
  readonly votes?: number;
  /** What has become of it by now. */
  readonly now?: Readonly<Record<string, string | number>>;
}

interface FirstComment {
  readonly daysAgo: number;
  readonly by: string;
  readonly text: string;
  readonly isPrivate?: boolean;
}

/** The bugs that people do something about, by what they are about. */
export const demoBugs = {
  closing: 1,
  printing: 2,
  theme: 4,
  paste: 5,
  font: 6,
  spelling: 7,
  tabs: 8,
  tabsAgain: 9,
  ebcdic: 12,
};

const bugs: readonly FirstBug[] = [
  {
    ...{ daysAgo: 61, by: 'carol', component: 'Core', version: '1.1', severity: 'critical', keywords: ['crash'] },
    summary: 'Crash on closing the last tab while a file is being saved',
    description:
      'Steps to reproduce:\n1. Open a file on a slow network drive\n2. Press Ctrl+S, then Ctrl+W at once\n\nActual: the program ends, and the file is empty.\nExpected: the tab closes when the file is saved.\n\nStack trace:\n  saveWorker::finish() at save.cpp:214\n  Tab::~Tab() at tab.cpp:88',
    comments: [
      { daysAgo: 60, by: 'alice', text: 'Confirmed with 1.1. The worker still holds a pointer to the tab.' },
      { daysAgo: 60, by: 'alice', text: 'Contoso lost a day of work by this, see contract 4711.', isPrivate: true },
      {
        daysAgo: 12,
        by: 'bob',
        text: '> The worker still holds a pointer to the tab.\n\nSame here with an encrypted folder, so not only on the network.',
      },
    ],
  },
  {
    ...{ daysAgo: 58, by: 'bob', component: 'UI', severity: 'normal' },
    summary: 'Print preview cuts off the last line of every page',
    description: 'With A4 and margins of 10 mm. A5 is fine.',
    votes: 4,
    comments: [{ daysAgo: 57, by: 'carol', text: 'Reproduced on Linux and Windows; not on macOS.' }],
  },
  {
    ...{ daysAgo: 55, by: 'alice', component: 'Core', version: '1.0', severity: 'major', keywords: ['regression'] },
    summary: 'Search and replace with a regular expression hangs on files above 100 MB',
    description:
      'Replacing "^\\s+$" with nothing worked in 0.9. In 1.0 one core is busy for minutes, and Cancel does nothing.',
    comments: [
      { daysAgo: 54, by: 'carol', text: 'git bisect says a1b2c3d, "search: one buffer for each line".' },
      { daysAgo: 20, by: 'alice', text: 'A fix is in review. It reads in blocks of 1 MB again.' },
    ],
    now: { status: 'IN_PROGRESS' },
  },
  {
    ...{ daysAgo: 50, by: 'carol', component: 'UI', severity: 'minor' },
    summary: 'Dark theme: selected text cannot be read in the file list',
    description: 'White on light yellow. See the colours in themes/dark.css, line 42.',
  },
  {
    ...{ daysAgo: 47, by: 'bob', component: 'Core', severity: 'normal' },
    summary: 'Undo after a paste removes the word before it as well',
    description: 'Type "one two", paste "three", press Ctrl+Z: only "one" is left.',
    comments: [
      {
        daysAgo: 46,
        by: 'alice',
        text: 'Typing and pasting are merged into one step if they come within half a second.',
      },
    ],
  },
  {
    ...{ daysAgo: 45, by: 'carol', component: 'UI', severity: 'normal' },
    summary: 'Wrong font after update',
    description: 'All files open in a proportional font, whatever the settings say.',
  },
  {
    ...{ daysAgo: 41, by: 'bob', component: 'UI', type: 'enhancement' },
    summary: 'Spell checking in comments of source code',
    description: 'It would help to check only comments and strings, as other editors do.',
    comments: [
      { daysAgo: 40, by: 'alice', text: 'The highlighter knows where comments are, so this is not much work.' },
    ],
    votes: 23,
  },
  {
    ...{ daysAgo: 38, by: 'bob', component: 'UI', severity: 'minor' },
    summary: 'Tabs cannot be reordered with the keyboard',
    description: 'Ctrl+Shift+PageUp does nothing.',
  },
  {
    ...{ daysAgo: 30, by: 'carol', component: 'UI', severity: 'minor' },
    summary: 'Ctrl+Shift+PageDown does not move the tab',
    description: 'I expected it to move to the right, as in my browser.',
  },
  {
    ...{
      daysAgo: 28,
      by: 'alice',
      component: 'Core',
      severity: 'critical',
      keywords: ['security'],
      groups: ['security'],
    },
    summary: 'Session key is written into crash reports',
    description: 'The report contains the environment, and so the key of the sync service.',
  },
  {
    ...{ daysAgo: 26, by: 'alice', component: 'Core', severity: 'normal' },
    summary: 'Files with Windows line ends are saved with mixed ones',
    description: 'Open a file with CRLF, add a line, save: the new line ends with LF.',
    comments: [{ daysAgo: 20, by: 'carol', text: 'Verified with the build of Tuesday.' }],
    now: { status: 'RESOLVED', resolution: 'FIXED' },
  },
  {
    ...{ daysAgo: 24, by: 'bob', component: 'Core', type: 'enhancement' },
    summary: 'Support for EBCDIC',
    description: 'We have some old tapes.',
    comments: [{ daysAgo: 23, by: 'alice', text: 'iconv converts them well; an editor does not have to.' }],
    now: { status: 'RESOLVED', resolution: 'WONTFIX' },
  },
  {
    ...{ daysAgo: 22, by: 'bob', product: 'Gadget', version: 'A2', severity: 'major' },
    summary: 'Battery shows 20 % and then switches off',
    description: 'Below 5 °C it goes from 20 % to off within a minute. Three devices, all revision A2.',
    comments: [
      { daysAgo: 21, by: 'alice', text: 'The table of voltages ends at 10 °C. I measure the rest in our cold room.' },
    ],
  },
  {
    ...{ daysAgo: 18, by: 'carol', product: 'Gadget', version: 'A2', severity: 'normal' },
    summary: 'Clock is wrong by an hour after the end of summer time',
    description: 'Until the next restart. The log says "zone: cached".',
  },
  {
    ...{ daysAgo: 15, by: 'bob', product: 'Gadget', version: 'A1', severity: 'normal' },
    summary: 'Update over Wi-Fi stops at 99 % if the name of the network has an umlaut',
    description: 'It works with "Muller" and not with "Müller".',
    comments: [{ daysAgo: 14, by: 'carol', text: 'Fixed in A2, by the new Wi-Fi driver.' }],
    now: { status: 'RESOLVED', resolution: 'FIXED' },
  },
  {
    ...{ daysAgo: 9, by: 'carol', product: 'Gadget', version: 'A2', type: 'enhancement' },
    summary: 'Show the dew point on the second page',
    description: 'Temperature and humidity are known, so it can be computed.',
    votes: 7,
  },
];

const realNames: Readonly<Record<string, string>> = { admin: 'Ada Lindqvist', bob: 'Bob Bølle', carol: 'Carol Okafor' };

const dayMs = 86_400_000;

export function fillDemoTracker(tracker: TrackerWorld): void {
  for (const [index, user] of tracker.state.users.entries()) {
    const [name = ''] = user.login.split('@');
    tracker.state.users[index] = { ...user, realName: realNames[name] ?? user.realName };
  }
  for (const { daysAgo, by, comments = [], votes = 0, now, product = 'Widget', ...filing } of bugs) {
    const id = tracker.as(by).file({ ...filing, product, stampedMsAgo: daysAgo * dayMs });
    tracker.vote(id, votes);
    // Comments of the same day are a minute apart.
    for (const [index, { by: author, text, isPrivate = false, ...at }] of comments.entries())
      tracker.as(author).comment(id, text, { isPrivate, stampedMsAgo: at.daysAgo * dayMs - index * 60_000 });
    if (now !== undefined)
      tracker.as('alice').change(id, { ...now, stampedMsAgo: (comments.at(-1)?.daysAgo ?? daysAgo) * dayMs - 600_000 });
  }
}
