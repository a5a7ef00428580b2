import { describe, expect, test } from 'vitest';
import { bugId, issueNumber } from '../../src/model/ids.ts';
import type { Issue } from '../../src/model/item.ts';
import type { UpdateOperation } from '../../src/model/plan/operation.ts';
import type { PublicNeighbour } from '../../src/model/plan/public.ts';
import { bodyDigest } from '../../src/rules/comments/body.ts';
import { githubTable, trackerTable, withTable, withTableStep } from '../../src/rules/fields/table.ts';
import { plan } from '../../src/rules/plan/plan.ts';
import { withoutFooter } from '../../src/text/footer.ts';
import { aBug, aLink, anIssue, ourMarker, passed } from '../planner/samples.ts';
import { widgetRoute } from '../support/routes.ts';

const route = { ...widgetRoute, table: ['alias', 'url', 'see_also', 'cc', 'depends_on', 'cf_fixed_in'] };
const tableOf = (
  details: Readonly<Record<string, readonly string[]>>,
  change = {},
  neighbours: readonly PublicNeighbour[] = [],
): string => String(trackerTable(route, { ...aBug, details, ...change }, neighbours).table);

const table = tableOf({ alias: ['oven'] });
const footer = `---\n*Mirrored as [bug 12](${aBug.url}).*\n\n`;

describe('a table', () => {
  test('is collapsed, with a row for each field that has a value, in the order of the route', () => {
    expect(tableOf({ cf_fixed_in: ['2.0'], cc: ['3 people'], alias: ['oven', 'stove'], url: [] })).toBe(
      [
        '<!-- bugferry:table -->',
        '<details><summary>More about this bug</summary>',
        '',
        '| Field | Value |',
        '| --- | --- |',
        '| Alias | oven, stove |',
        '| CC | 3 people |',
        '| fixed in | 2.0 |',
        '',
        '</details>',
      ].join('\n'),
    );
  });

  test('is none where no field holds anything, and no field where the route names none', () => {
    expect(trackerTable(route, aBug, [])).toEqual({ table: null });
    expect(trackerTable(widgetRoute, { ...aBug, details: { alias: ['oven'] } }, [])).toEqual({});
  });

  test.each([
    ['mentions nobody', 'ask @mona', 'ask @\u200bmona'],
    ['shows no address of a person', 'mail bob@example.test', 'mail bob@…'],
    ['keeps its cells', 'a | b\nc', 'a \\| b c'],
    ['is no HTML', '</details><script>', '&lt;/details>&lt;script>'],
    ['passes for no marker', '<!-- bugferry:1 acme bug=9 -->', '&lt;!--\u200b bugferry:1 acme bug=9 -->'],
    ['links to pages', 'https://example.test/a|b', '<https://example.test/a%7Cb>'],
    [
      'puts no event into an issue of others',
      'https://github.com/else/where/issues/1',
      '`https://github.com/else/where/issues/1`',
    ],
  ])('%s', (_what, words, cell) => {
    expect(tableOf({ alias: [words] })).toContain(`| Alias | ${cell} |`);
  });

  test('leaves out of See Also the issue itself, and bugs of the tracker, which may be hidden', () => {
    const seeAlso = [anIssue.url, aBug.url.replace(/12$/u, '77'), 'https://example.test/9'];
    expect(tableOf({}, { seeAlso })).toContain('| See also | <https://example.test/9> |');
  });

  test('leaves out of See Also the pull requests of its own repository, which say so themselves', () => {
    const [own, other] = ['https://github.com/Acme/widget/pull/9', 'https://github.com/else/where/pull/9'];
    expect(tableOf({}, { seeAlso: [own, other] })).toContain(`| See also | \`${other}\` |`);
    expect(trackerTable(route, { ...aBug, seeAlso: [own] }, [])).toEqual({ table: null });
  });

  test('names of the bugs that this one waits for those that are mirrored and public', () => {
    const target = (bug: number, isShown: boolean): PublicNeighbour =>
      passed({
        bug: bugId(bug),
        issue: issueNumber(bug),
        issueId: bug,
        issueUrl: `https://github.com/acme/widget/issues/${bug}`,
        isShown,
      });
    const shown = tableOf({}, { dependsOn: [bugId(20), bugId(21), bugId(22)] }, [target(20, true), target(21, false)]);
    expect(shown).toContain('| Depends on | [bug 20](https://github.com/acme/widget/issues/20) |');
    expect(shown).not.toMatch(/2[12]/u);
  });

  test('stays short, whatever the fields hold', () => {
    const many = { ...route, table: Array.from({ length: 40 }, (_, index) => `cf_${index}`) };
    const details = Object.fromEntries(many.table.map((name) => [name, ['x'.repeat(2_000)]]));
    expect(String(trackerTable(many, { ...aBug, details }, []).table).length).toBeLessThan(4_200);
  });
});

describe('in the body of an issue', () => {
  const mirrored = withTable(`Text.\n\n${ourMarker}`, table);

  test('it stands above the marker and is found again, also as the website saves it', () => {
    expect(mirrored).toBe(`Text.\n\n${table}\n\n${ourMarker}`);
    expect(githubTable(route, { ...anIssue, body: mirrored }, aBug.id)).toEqual({ table });
    expect(githubTable(route, { ...anIssue, body: mirrored.replaceAll('\n', '\r\n') }, aBug.id)).toEqual({ table });
    expect(githubTable(route, { ...anIssue, body: `Text.\n\n${ourMarker}` }, aBug.id)).toEqual({ table: null });
  });

  test('it takes no part without the marker, or without room', () => {
    expect(githubTable(route, { ...anIssue, body: `Text.\n\n${table}` }, aBug.id)).toEqual({});
    expect(githubTable(route, { ...anIssue, body: `${'x'.repeat(64_000)}\n\n${ourMarker}` }, aBug.id)).toEqual({});
  });

  test('it takes no part above the marker of another bug, where our own line still has to come', () => {
    expect(githubTable(route, { ...anIssue, body: mirrored }, aBug.id + 1)).toEqual({});
    expect(githubTable(route, { ...anIssue, body: mirrored }, null)).toEqual({});
  });

  test('it is missing from a new body that it would make too long, and nobody waits for it', () => {
    const [full, other] = [61_001, 61_000].map((length) => ourMarker.padStart(length, 'text '));
    expect(withTable(full ?? '', table)).toBe(full);
    expect(githubTable(route, { ...anIssue, body: full ?? '' }, aBug.id)).toEqual({});
    expect(withTable(other ?? '', table)).toContain(table);
    expect(githubTable(route, { ...anIssue, body: other ?? '' }, aBug.id)).toEqual({ table: null });
  });

  test.each([
    ['of a mirrored bug', 'Text.\n\n'],
    ['of an issue of people', `Text.\n\n${footer}`],
  ])('it is no part of the words %s', (_what, body) => {
    const [plain, tabled] = [`${body}${ourMarker}`, withTable(`${body}${ourMarker}`, table)];
    expect(withoutFooter(tabled)).toBe('Text.');
    expect(withoutFooter(tabled.replaceAll('\n', '\r\n'))).toBe('Text.');
    expect(bodyDigest(tabled)).toBe(bodyDigest(plain));
  });

  test('one that somebody quoted further up is theirs', () => {
    const body = `${table}\n\nText.\n\n${ourMarker}`;
    expect(withoutFooter(body)).toBe(`${table}\n\nText.`);
    expect(githubTable(route, { ...anIssue, body }, aBug.id)).toEqual({ table: null });
  });
});

describe('an update', () => {
  const operation = (value: string | null) => ({ target: { table: value } }) as unknown as UpdateOperation;
  const ends = (issue: Issue) => ({ bug: aBug, issue });
  const tabled = { ...anIssue, body: `Text.\n\n${table}\n\n${ourMarker}` };

  test('replaces the passage alone, in the same request as everything else', () => {
    const passage = { was: table, becomes: 'new' };
    expect(withTableStep(route, [{ title: 'x' }, { state: 'closed' }], operation('new'), ends(tabled))).toEqual([
      { title: 'x', passage },
      { state: 'closed' },
    ]);
    expect(withTableStep(route, [], operation(null), ends(tabled))).toEqual([{ passage: { was: table, becomes: '' } }]);
  });

  test('puts the first table above the marker', () => {
    const passage = { was: ourMarker, becomes: `new\n\n${ourMarker}` };
    expect(withTableStep(route, [], operation('new'), ends({ ...anIssue, body: `Text.\n\n${ourMarker}` }))).toEqual([
      { passage },
    ]);
  });

  test('is planned when the tracker changed, and when somebody on GitHub did, and not otherwise', () => {
    const vocabulary = { values: {}, workflow: null };
    const scenario = {
      route: { ...route, labels: [] },
      vocabulary,
      isComplete: { tracker: true, github: true },
      own: { tracker: null, github: null },
    };
    const bug = { ...aBug, details: { alias: ['oven'] } };
    const base = { title: 'Crash on start', status: 'open', table };
    const planned = (body: string) => {
      const link = { ...aLink, tracker: bug, github: { ...anIssue, body }, base: { tracker: base, github: base } };
      return plan(scenario, [
        { link, commentLinks: [], targets: [], attachmentLinks: [], neighbours: [], duplicateOf: null, refused: {} },
      ]).operations;
    };
    expect(planned(tabled.body)).toEqual([]);
    expect(planned(tabled.body.replace('oven', 'stove'))).toMatchObject([{ on: 'github', target: { table } }]);
    expect(planned(`Text.\n\n${ourMarker}`)).toMatchObject([{ on: 'github', target: { table } }]);
  });
});
