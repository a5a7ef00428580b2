import type { Result, Verdict } from './suite.ts';

/** Section titles, in our words. */
const titles: Readonly<Record<string, string>> = {
  '0': 'JSON and times',
  '1': 'Who sees what',
  '2.1': 'Bug',
  '2.2': 'Person',
  '2.3': 'Flag',
  '2.4': 'History record',
  '2.5': 'Attachment',
  '2.6': 'Comment',
  '2.7': 'Comment tag',
  '3': 'States and transitions',
  '4.1': 'Get Bug',
  '4.2': 'Bug History',
  '4.3': 'Search Bugs',
  '4.4': 'Create Bug',
  '4.5': 'Update Bug',
  '4.6.1': 'Flags on creation',
  '4.6.2': 'Flags on change',
  '4.7': 'Get Attachment',
  '4.8': 'Create Attachment',
  '4.9': 'Update Attachment',
  '4.10': 'Get Comments',
  '4.11': 'Create Comments',
  '4.12': 'Search Comment Tags',
  '4.13': 'Update Comment Tags',
  '5': 'Authentication',
  '7': 'Errors',
  '8': 'Limits',
  '9': 'Versioning',
};

type Kind = Verdict['kind'];
const kinds: readonly Kind[] = ['passed', 'differs', 'known', 'not offered'];

const count = (results: readonly Result[], kind: Kind): number =>
  results.filter(({ verdict }) => verdict.kind === kind).length;

export const isContent = (results: readonly Result[]): boolean => count(results, 'differs') === 0;

/**
 * A table by section, what differs, what differs as the version is known to, what is not offered and why, and which way
 * the tracker goes where it has a choice.
 */
export function report(results: readonly Result[]): string {
  return [table(results), differences(results), knownWays(results), absences(results), choices(results)]
    .filter((part) => part !== '')
    .join('\n\n');
}

function table(results: readonly Result[]): string {
  const sections = [...new Set(results.map(({ section }) => section))];
  const row = (section: string, title: string, of: readonly Result[]) =>
    [section.padEnd(7), title.padEnd(24), ...kinds.map((kind) => String(count(of, kind)).padStart(11))].join(' ');
  const rows = sections.map((section) =>
    row(
      section,
      titles[section] ?? '',
      results.filter((result) => result.section === section),
    ),
  );
  const head = ['Section'.padEnd(7), ''.padEnd(24), ...kinds.map((kind) => kind.padStart(11))].join(' ');
  const line = '-'.repeat(head.length);
  return [head, line, ...rows, line, row('All', '', results)].join('\n');
}

function differences(results: readonly Result[]): string {
  const lines = results.flatMap(({ section, name, verdict }) =>
    verdict.kind === 'differs'
      ? [
          `  ${section} ${name}`,
          `      ${verdict.what}`,
          `      expected: ${verdict.expected}`,
          `      got:      ${verdict.got}`,
        ]
      : [],
  );
  return lines.length === 0 ? '' : ['Differs:', ...lines].join('\n');
}

function knownWays(results: readonly Result[]): string {
  const known = results.flatMap(({ section, name, verdict }) =>
    verdict.kind === 'known' ? [{ way: verdict.way, name: `${section} ${name}` }] : [],
  );
  const lines = [...Map.groupBy(known, ({ way }) => way)].flatMap(([{ says, source }, of]) => [
    `  ${says} (${source}):`,
    ...of.map(({ name }) => `      ${name}`),
  ]);
  return lines.length === 0 ? '' : ['Differs as versions like this one are known to:', ...lines].join('\n');
}

function absences(results: readonly Result[]): string {
  const byReason = new Map<string, string[]>();
  for (const { section, name, verdict } of results) {
    if (verdict.kind !== 'not offered') continue;
    byReason.set(verdict.reason, [...(byReason.get(verdict.reason) ?? []), `${section} ${name}`]);
  }
  const lines = [...byReason].flatMap(([reason, names]) => [`  ${reason}:`, ...names.map((name) => `      ${name}`)]);
  return lines.length === 0 ? '' : ['Not offered:', ...lines].join('\n');
}

function choices(results: readonly Result[]): string {
  const lines = results.flatMap(({ section, verdict }) =>
    verdict.kind === 'passed' && verdict.remark !== null ? [`  ${section} ${verdict.remark}`] : [],
  );
  return lines.length === 0 ? '' : ['Where the tracker has a choice:', ...lines].join('\n');
}
