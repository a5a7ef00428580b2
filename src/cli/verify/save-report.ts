import { closeSync, fchmodSync, fstatSync, openSync, writeFileSync } from 'node:fs';
import { totalsOf } from '../../model/reports/verification.ts';
import { UsageError } from '../exit-code.ts';
import { jsonPieces } from '../json-pieces.ts';
import type { JudgedReport } from './judged.ts';
import { reportPage } from './page.ts';

interface ReportFiles {
  /** A file name; true if the caller prints the report. */
  readonly json?: string | true;
  readonly html?: string;
}

/** Writes the report to the requested files. Throws `UsageError`. */
export function saveReport(reports: readonly JudgedReport[], { json, html }: ReportFiles): void {
  if (typeof json === 'string') save(json, linesOf(documentOf(reports)));
  if (html !== undefined) save(html, reportPage(reports));
}

/** The whole report as JSON. */
export const documentOf = (reports: readonly JudgedReport[]) => ({
  routes: reports.map((report) => ({ ...report, totals: totalsOf(report) })),
});

function* linesOf(document: unknown): Generator<string> {
  yield* jsonPieces(document, 1);
  yield '\n';
}

function save(file: string, text: Text): void {
  saveFile(
    file,
    text,
    (why) =>
      `cannot write the report to ${file}: ${why}. The comparison itself succeeded; choose another file and run it again.`,
  );
}

/** A text, or its pieces where it is long. */
type Text = string | Generator<string>;

/** Writes a file that only its owner can read: it may hold words that are not public any more. Throws `UsageError` with the message of `problem` if it cannot. */
export function saveFile(file: string, text: Text, problem: (why: string) => string): void {
  try {
    const opened = openSync(file, 'w', 0o600);
    try {
      // A file that exists keeps its rights when it is opened; what is no file, such as /dev/stdout, has its own.
      if (fstatSync(opened).isFile()) fchmodSync(opened, 0o600);
      for (const piece of typeof text === 'string' ? [text] : text) writeFileSync(opened, piece);
    } finally {
      closeSync(opened);
    }
  } catch (cause) {
    throw new UsageError(problem(cause instanceof Error ? cause.message : String(cause)), { cause });
  }
}
