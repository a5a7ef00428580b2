import { type Bridge, type BridgeRoute, verifyRoute } from '../wire.ts';
import type { Desk } from './desk.ts';
import type { MigrateOptions } from './migrate-options.ts';
import { documentOf, saveReport } from './save-report.ts';
import { codeOfReports } from './verify.ts';
import { verifyMeter } from './verify-meter.ts';
import { printReport } from './verify-summary.ts';

/** Compares what was carried over with what stands on the tracker, as `bugferry verify` does. Answers with the exit code. */
export async function verifyAfter(
  { terminal, signal }: Desk,
  { json, html }: Pick<MigrateOptions, 'json' | 'html'>,
  { bridge, route }: { readonly bridge: Bridge; readonly route: BridgeRoute },
): Promise<number> {
  const meter = verifyMeter(terminal, bridge.clock.now);
  const report = await verifyRoute(route, { sample: null, signal, tell: json ? () => {} : meter.tell });
  meter.end();
  if (json) terminal.json({ kind: 'verified', ...documentOf([report]) });
  else printReport(terminal, report, html ?? null);
  if (html !== undefined) saveReport([report], { html });
  return codeOfReports([report]);
}
