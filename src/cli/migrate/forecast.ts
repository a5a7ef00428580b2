import { counted } from '../../explain/words.ts';
import { type Duration, durationInWords, durationOf, type Pace, type Work } from '../../model/duration.ts';
import { openBridge } from '../../wire/bridge.ts';
import { forecastRoute, type MigrationForecast } from '../../wire/migrate.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { type Terminal, visible } from '../terminal.ts';
import { saveFile } from '../verify/save-report.ts';
import { meterOf, paceOf } from './meter.ts';
import { type MigrateOptions, migratedRoutes } from './options.ts';
import { previewPage } from './preview.ts';
import { readRehearsed } from './rehearsal.ts';

/**
 * Prints what a migration would do and how long it would take, and writes a preview page of issues. Writes to neither
 * side.
 */
export async function dryRun(context: CommandContext, options: MigrateOptions): Promise<number> {
  const { terminal, signal } = context;
  const config = readRehearsed(context, options);
  const warn = (message: string) => terminal.note(`bugferry: ${message}`);
  const bridge = openBridge(config, { mode: 'copy', signal, warn, tell: () => {} });
  const pace = paceOf(config, bridge);
  const meter = meterOf(terminal, { isJson: false, pace, now: bridge.clock.now });
  try {
    const forecasts: MigrationForecast[] = [];
    for (const route of migratedRoutes(bridge, options)) {
      const { numbers, limit = null } = options;
      const tell = options.json ? () => {} : meter.tell;
      forecasts.push(await forecastRoute(route, { numbers, limit, tell, samplesMax: options.samples }));
    }
    meter.end();
    const { preview } = options;
    saveFile(
      preview,
      previewPage(forecasts),
      (why) => `cannot write the preview to ${preview}: ${why}. Choose another file with --preview.`,
    );
    for (const each of forecasts) {
      if (options.json) terminal.json(asDocument(each, pace, options.preview));
      else print(terminal, each, { pace, options });
    }
    if (!options.json) terminal.out(`Preview of the issues: ${options.preview}`);
    if (forecasts.some(({ remainder }) => remainder.refusal !== null)) return exitCodes.braked;
    return forecasts.some(({ problems }) => problems.length > 0) ? exitCodes.attention : exitCodes.well;
  } finally {
    meter.end();
    bridge.close();
  }
}

function asDocument({ samples, ...rest }: MigrationForecast, pace: Pace, preview: string) {
  const took = (work: Work): Duration => durationOf(work, pace);
  return {
    kind: 'forecast',
    ...rest,
    samples: samples.map(({ bug }) => bug),
    preview,
    durations: { import: took(rest.work.import), api: took(rest.work.api) },
  };
}

const listMax = 12;

function print(
  { out, paint }: Terminal,
  forecast: MigrationForecast,
  { pace, options }: { pace: Pace; options: MigrateOptions },
): void {
  const { repo, bugs, comments, files, closings, minimized, types, fields, relations, split } = forecast;
  const { labels, milestones, unmapped, problems, left, work, gaps } = forecast;
  out(
    paint(
      'bold',
      `Route ${forecast.route}: ${counted(bugs, 'bug becomes an issue', 'bugs become issues')} of ${repo}, with ${counted(comments, 'comment')}`,
    ),
  );
  if (files.count > 0) out(`  Copied first: ${counted(files.count, 'file')} (${megabytes(files.bytes)}).`);
  if (closings > 0)
    out(
      `  ${counted(closings, 'issue is', 'issues are')} closed with a reason that an import cannot set; many fit into one request.`,
    );
  if (minimized > 0)
    out(`  ${counted(minimized, 'comment')} tagged as spam, obsolete or similar: minimized, many in one request.`);
  if (types > 0) out(`  ${counted(types, 'issue gets its', 'issues get their')} type afterwards, two requests each.`);
  if (fields > 0)
    out(
      `  ${counted(fields, 'issue gets its', 'issues get their')} issue field values afterwards, three requests each.`,
    );
  if (relations > 0) out(`  ${counted(relations, 'dependency follows', 'dependencies follow')}, one request each.`);
  const { writes, refusal } = forecast.remainder;
  if (writes.github + writes.tracker > 0)
    out(
      `  What changed on pairs is carried over: ${counted(writes.github, 'write')} to GitHub, ${writes.tracker} to the tracker.`,
    );
  if (refusal !== null)
    out(paint('red', `  The brake refuses that, and the migration stops before it: ${visible(refusal)}.`));
  if (options.numbers === 'keep')
    out(
      `  ${counted(gaps, 'number without a bug is filled with a closed issue', 'numbers without a bug are filled with closed issues')}.`,
    );
  out(`  ${mailLine(forecast)}`);
  if (labels.length > 0) out(`  ${counted(labels.length, 'label')}: ${listed(labels)}`);
  if (milestones.length > 0) out(`  ${counted(milestones.length, 'milestone')}: ${listed(milestones)}`);
  if (split.length > 0)
    out(
      `  ${counted(split.length, 'text is', 'texts are')} too long for one comment: ${listed(split.map(({ bug, parts }) => `bug ${bug} (${parts} parts)`))}`,
    );
  if (left.bugs + left.files > 0)
    out(`  Left out because they are not public: ${counted(left.bugs, 'bug')}, ${counted(left.files, 'file')}.`);
  for (const { name, bugs: times } of unmapped.slice(0, listMax))
    out(
      paint(
        'yellow',
        `  ${visible(name)} has no GitHub login in people: ${counted(times, 'bug stays', 'bugs stay')} unassigned.`,
      ),
    );
  if (unmapped.length > listMax) out(paint('yellow', `  and ${unmapped.length - listMax} more; see bugferry people.`));
  for (const { about, reason } of problems.slice(0, listMax)) out(paint('yellow', `  ${about}: ${visible(reason)}`));
  if (problems.length > listMax) out(paint('yellow', `  and ${problems.length - listMax} more of this kind.`));
  out(`  ${timeLine('By import', work.import, pace)}`);
  if (options.numbers !== 'keep') out(`  ${timeLine('With --writer api', work.api, pace)}`);
  if (forecast.mayImport === false)
    out(paint('red', `  The account may not import into ${repo}: importing needs the admin role.`));
}

function mailLine({ pointers, filed, remainder, mails }: MigrationForecast): string {
  const why = [
    ...(pointers === 0
      ? []
      : [`${counted(pointers, 'bug gets the address of its', 'bugs get the address of their')} issue (pointer: now)`]),
    ...(filed.bugs === 0
      ? []
      : [
          `${counted(filed.bugs, 'issue without a bug becomes one', 'issues without a bug become bugs')}, with ${counted(filed.comments, 'comment')}`,
        ]),
    ...(remainder.writes.tracker === 0
      ? []
      : [
          `${counted(remainder.writes.tracker, 'change of an issue reaches its bug', 'changes of issues reach their bugs')}`,
        ]),
  ];
  return why.length === 0
    ? 'The tracker sends no mail.'
    : `The tracker sends at least ${counted(mails, 'mail')}: ${why.join('; ')}.`;
}

function timeLine(how: string, work: Work, pace: Pace): string {
  const { ms, limitedBy } = durationOf(work, pace);
  const { reads, writes, creations, trackerRequests } = work;
  return `${how}: ${counted(reads + writes + creations, 'request')} to GitHub, ${trackerRequests} to the tracker, at least ${durationInWords(ms)} (${limitedBy}).`;
}

const listed = (names: readonly string[]): string =>
  visible(
    `${names.slice(0, listMax).join(', ')}${names.length > listMax ? `, and ${names.length - listMax} more` : ''}`,
  );

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;
