import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { createMetrics } from '../../src/runtime/metrics.ts';
import { statusWith } from '../http/status.ts';
import { read, root } from './documents.ts';

/** What the program tells, by name: the labels that a value can have. Everything is made to happen once. */
async function exported(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const budgets = [{ name: 'creations an hour', left: 1, max: 2, freeAt: null }];
  const plain = statusWith();
  const side = { ...plain.sides.github, sweptAt: 0, budgets };
  const statuses = () => [{ ...plain, lookedAt: 0, sides: { tracker: side, github: side } }];
  const metrics = createMetrics({ now: () => 0, statuses });
  metrics.answered('github', 200);
  metrics.done({ route: 'widget', side: 'github', kind: 'comment', outcome: 'applied', ms: 1 });
  metrics.ran({ route: 'widget', kind: 'cycle', ms: 1 });
  metrics.hinted('github', 'hint');
  metrics.withdrew('widget', 'withdrawn');
  const found = new Map<string, Set<string>>();
  for (const line of (await metrics.read()).text.split('\n')) {
    const [, name, labels = ''] = /^([a-z]\w*)(?:\{(.*)\})? /u.exec(line) ?? [];
    if (name === undefined) continue;
    found.set(
      name,
      new Set([...(found.get(name) ?? []), ...[...labels.matchAll(/(\w+)="/gu)].flatMap(([, label]) => label ?? [])]),
    );
  }
  return found;
}

const names = await exported();

/** What is wrong with a query: names that nobody tells, and labels that they do not have. */
function complaintsOf(query: string): readonly string[] {
  const used = [...query.matchAll(/\b((?:bugferry|process)_\w+)(?:\{([^}]*)\})?/gu)];
  const by = [...query.matchAll(/by \(([^)]*)\)/gu)].flatMap(([, list = '']) => list.split(/,\s*/u));
  return used.flatMap(([, name = '', selector = '']) => {
    const labels = names.get(name);
    if (labels === undefined) return [`${name} is not told`];
    const asked = [...by, ...[...selector.matchAll(/(\w+)\s*(?:=~|!=|=)/gu)].flatMap(([, label]) => label ?? [])];
    return asked
      .filter((label) => !labels.has(label) && label !== 'job')
      .map((label) => `${name} has no label ${label}`);
  });
}

interface Panel {
  readonly title: string;
  readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[];
}
interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: Readonly<Record<string, string>>;
}

const panels: readonly Panel[] = JSON.parse(read('docs/monitoring/grafana.json')).panels;
const rules: readonly Rule[] = parse(read('docs/monitoring/alerts.yaml')).groups.flatMap(
  ({ rules: list }: { rules: Rule[] }) => list,
);
const queries = [...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)), ...rules.map(({ expr }) => expr)];

describe('the Grafana dashboard', () => {
  test.each(panels.map(({ title, targets }) => [title, targets] as const))(
    'asks in "%s" for what the program tells',
    (_title, targets) => {
      for (const { expr, legendFormat } of targets) {
        expect(complaintsOf(expr)).toEqual([]);
        const [, name = ''] = /(\w+_\w+)\b/u.exec(expr.replace(/histogram_quantile|label_values/gu, '')) ?? [];
        for (const [, label = ''] of legendFormat.matchAll(/\{\{(\w+)\}\}/gu))
          expect([name, [...(names.get(name) ?? [])]]).toEqual([name, expect.arrayContaining([label])]);
      }
    },
  );

  test('shows everything that is ours', () => {
    const base = (name: string) => name.replace(/_(?:bucket|sum|count)$/u, '');
    const ours = new Set([...names.keys()].filter((name) => name.startsWith('bugferry_')).map(base));
    const shown = new Set(
      panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => (expr.match(/bugferry_\w+/gu) ?? []).map(base))),
    );
    expect([...ours].filter((name) => !shown.has(name))).toEqual([]);
  });
});

describe('the alert rules', () => {
  test.each(rules.map(({ alert, expr, annotations }) => [alert, expr, annotations] as const))(
    '%s asks for what the program tells, and says what to do',
    (_alert, expr, annotations) => {
      expect(complaintsOf(expr)).toEqual([]);
      expect(Object.keys(annotations).sort()).toEqual(['action', 'summary']);
      expect(annotations['action']).toMatch(/\.$/u);
    },
  );
});

test('a name or a label that nobody tells would be seen', () => {
  expect(queries.length).toBeGreaterThan(25);
  expect(complaintsOf('sum by (side) (bugferry_parked) + bugferry_park{x="y"}')).toEqual([
    'bugferry_parked has no label side',
    'bugferry_park is not told',
  ]);
  expect(complaintsOf('bugferry_outbox{route=~"$route", status="parked"}')).toEqual([
    'bugferry_outbox has no label status',
  ]);
});

test('docs/monitoring.md lists every name with its labels', () => {
  const rows = [...read('docs/monitoring.md').matchAll(/^\| `(bugferry_\w+)` \| ([^|]*) \|/gmu)].map(
    ([, name = '', labels = '']) => [name, labels.trim()],
  );
  const ours = [...names].flatMap(([name, labels]) => {
    if (!name.startsWith('bugferry_') || /_(?:sum|count)$/u.test(name)) return [];
    return [[name.replace(/_bucket$/u, ''), [...labels].filter((label) => label !== 'le').join(', ')]];
  });
  expect(rows.sort()).toEqual(ours.sort());
});

test('pictures of the dashboard are there, and small', () => {
  const pictures = globSync('docs/screenshots/*.png', { cwd: root });
  expect(pictures.map((path) => path.replace(/.*\/(.*)\.png$/u, '$1')).sort()).toEqual([
    'brake',
    'busy',
    'conflict',
    'dark',
    'pairs',
    'parked',
    'paused',
    'phone',
    'quiet',
    'refused-plan',
    'route',
    'search',
  ]);
  for (const path of pictures) expect(statSync(join(root, path)).size).toBeLessThan(60_000);
  for (const path of pictures) expect(readFileSync(join(root, path)).subarray(1, 4).toString()).toBe('PNG');
});
