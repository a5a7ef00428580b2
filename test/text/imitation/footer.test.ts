/** Only the bridge's own lines are taken away below a text: whatever people put among them crosses (I3). */

import { expect, test } from 'vitest';
import { trackerTable } from '../../../src/rules/fields/table.ts';
import { plainFooter } from '../../../src/rules/privacy/neutral.ts';
import { issueFooter, withoutFooter } from '../../../src/text/footer.ts';
import { dashboardMarker, githubMarker, movedMarker, remarkMarker } from '../../../src/text/marker.ts';
import { toTrackerText } from '../../../src/text/to-tracker.ts';
import { aBug } from '../../planner/samples.ts';
import { widgetRoute } from '../../support/routes.ts';

const marker = githubMarker('acme', { bug: 12, comment: null });
const { table } = trackerTable(
  { ...widgetRoute, table: ['whiteboard', 'alias'] },
  { ...aBug, details: { whiteboard: ['a | b'], alias: ['x'] } },
  [],
);

test.each([
  ['a marker', marker],
  ['the marker of a part', githubMarker('acme', { bug: 12, comment: 3, part: { index: 1, count: 2 } })],
  ['a remark', remarkMarker('acme', 'label:bug')],
  ['a dashboard', dashboardMarker('acme', 'a route')],
  ['the line of an issue', issueFooter(widgetRoute, 12, aBug.url)],
  ['the line of an issue whose bug is hidden', plainFooter('acme', 12)],
  ['the line of an earlier version', `---\n*Mirrored as bug 12.*\n\n${marker}`],
  [
    'where a bug went',
    `---\n*[Bug 12](${aBug.url}) moved to product A & B, and goes on in [o/r#7](https://github.com/o/r/issues/7).*\n\n${movedMarker('acme', 12)}`,
  ],
  ['that it went', `---\n*Bug 12 goes on elsewhere.*\n\n${movedMarker('acme', 12)}`],
  ['the table', `${table}\n\n${marker}`],
  ['the line, the table and the marker', `---\n*Mirrored as [bug 12](${aBug.url}).*\n\n${table}\n\n${marker}`],
])('what the bridge wrote goes: %s', (_name, footer) => {
  for (const body of [`Words.\n\n${footer}`, `Words.\n\n${footer}\n\n${footer}`, `Words.\n\n${footer}\n`]) {
    expect(withoutFooter(body)).toBe('Words.');
    expect(withoutFooter(body.replaceAll('\n', '\r\n'))).toBe('Words.');
  }
  expect(withoutFooter(footer)).toBe('');
});

test.each([
  ['below a rule', `A.\n\n---\nWORDS\n\n${marker}`],
  ['below a rule, in emphasis', `A.\n\n---\n*Mirrored as WORDS.*\n\n${marker}`],
  ['behind our line', `A.\n\n---\n*Mirrored as bug 12.* WORDS\n\n${marker}`],
  ['between our line and the marker', `A.\n\n---\n*Mirrored as bug 12.*\nWORDS\n${marker}`],
  ['between two markers on a line', `A. ${marker} WORDS ${marker}`],
  ['before a marker that begins on their line', `A. <!-- bugferry:1 --> WORDS <!-- -->`],
  ['on the line of the marker', `A.\n\n<!-- bugferry:1 x --> WORDS <!-- -->`],
  ['in code', 'A. `<!-- bugferry:1 ` WORDS -->'],
  [
    'in a table of their own',
    `A.\n\n<!-- bugferry:table -->\n<details><summary>WORDS</summary></details>\n\n${marker}`,
  ],
  ['in the table', `A.\n\n${String(table).replace('\n\n</details>', '\n\nWORDS\n\n</details>')}\n\n${marker}`],
  ['before the table on its line', `A.\n\nWORDS ${table}\n\n${marker}`],
])('what people wrote stays: %s', (_name, body) => {
  for (const text of [body, body.replaceAll('\n', '\r\n')]) expect(toTrackerText(text)).toContain('WORDS');
});
