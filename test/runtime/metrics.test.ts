import { expect, test } from 'vitest';
import { createMetrics } from '../../src/runtime/metrics.ts';
import { failing, statusWith } from '../http/status.ts';
import { plant } from '../support/plant.ts';

test('what happened is counted, and what is, is read when somebody asks', async () => {
  let [parked, now] = [2, 100_000];
  const retirement = { sinceAt: null, endsAt: 5_000 };
  const budgets = [{ name: 'creations an hour', left: 7, max: 120, freeAt: null }];
  const statuses = () => {
    const plain = statusWith({
      outbox: { planned: 1, sent: 0, parked },
      open: { conflicts: 3, skips: 4 },
      withdrawn: { issues: 5, files: 6 },
      lookedAt: 60_000,
      isInStep: false,
      isHalted: true,
      failures: [failing({ count: 3 })],
    });
    const github = {
      ...plain.sides.github,
      polledAt: 40_000,
      sweptAt: 10_000,
      budgets,
      pause: { until: 9, why: 'limit' },
      retirement,
    };
    return [{ ...plain, sides: { tracker: { ...plain.sides.tracker, polledAt: null }, github } }];
  };
  const metrics = createMetrics({ now: () => now, statuses });
  for (const status of [200, 201, 404, null]) metrics.answered('github', status);
  metrics.done({ route: 'widget', side: 'github', kind: 'comment', outcome: 'applied', ms: 700 });
  metrics.ran({ route: 'widget', kind: 'cycle', ms: 1_500 });
  metrics.hinted('github', 'hint');
  metrics.withdrew('widget', 'failed');
  const { type, text } = await metrics.read();
  expect(type).toContain('text/plain');
  for (const line of [
    'bugferry_requests_total{side="github",status="2xx"} 2',
    'bugferry_requests_total{side="github",status="4xx"} 1',
    'bugferry_requests_total{side="github",status="none"} 1',
    'bugferry_operations_total{route="widget",side="github",kind="comment",outcome="applied"} 1',
    'bugferry_operation_duration_seconds_sum{side="github"} 0.7',
    'bugferry_cycle_duration_seconds_bucket{le="2",route="widget",kind="cycle"} 1',
    'bugferry_hooks_total{side="github",outcome="hint"} 1',
    'bugferry_github_interface_ends_seconds 5',
    'bugferry_in_step{route="widget"} 0',
    'bugferry_halted{route="widget"} 1',
    'bugferry_failures{route="widget",of="cycle"} 3',
    'bugferry_failures{route="widget",of="sweep"} 0',
    'bugferry_lag_seconds{route="widget",side="github"} 60',
    'bugferry_look_age_seconds{route="widget"} 40',
    'bugferry_sweep_age_seconds{route="widget",side="github"} 90',
    'bugferry_outbox{route="widget",state="planned"} 1',
    'bugferry_parked{route="widget"} 2',
    'bugferry_set_aside{route="widget"} 0',
    'bugferry_conflicts{route="widget"} 3',
    'bugferry_attention{route="widget"} 4',
    'bugferry_withdrawn{route="widget",what="issue"} 5',
    'bugferry_withdrawn{route="widget",what="file"} 6',
    'bugferry_withdrawals_total{route="widget",outcome="failed"} 1',
    'bugferry_budget_left{side="github",budget="creations_an_hour"} 7',
    'bugferry_paused{side="github"} 1',
    'bugferry_links{route="widget",state="live"} 2',
  ])
    expect(text.split('\n')).toContain(line);
  expect(text).not.toContain('bugferry_lag_seconds{route="widget",side="tracker"}');
  [parked, now] = [0, 160_000];
  const later = await metrics.read();
  expect(later.text).toContain('bugferry_parked{route="widget"} 0\n');
  expect(later.text).toContain('bugferry_lag_seconds{route="widget",side="github"} 120\n');
});

test('a planted fault is caught: the end of the interface version is not measured', async () => {
  const folder = plant({ file: 'runtime/metrics.ts', from: '(retirement?.endsAt ?? 0) / 1000', to: '0' });
  const broken = (await import(`${folder}/runtime/metrics.ts`)) as typeof import('../../src/runtime/metrics.ts');
  const plain = statusWith({});
  const github = { ...plain.sides.github, retirement: { sinceAt: null, endsAt: 5_000 } };
  const statuses = () => [{ ...plain, sides: { ...plain.sides, github } }];
  const line = 'bugferry_github_interface_ends_seconds 5\n';
  expect((await createMetrics({ now: () => 0, statuses }).read()).text).toContain(line);
  expect((await broken.createMetrics({ now: () => 0, statuses }).read()).text).not.toContain(line);
});
