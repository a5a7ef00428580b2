import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programAt } from '../../support/program.ts';

/** Where Debian's package cmark-gfm puts it, and where its own `make install` does. */
const places = ['/usr/bin/cmark-gfm', '/usr/local/bin/cmark-gfm'];

/**
 * GitHub's own parser of Markdown; null where there is none, and then those tests are skipped. CMARK_GFM names another
 * one.
 */
export const cmarkPath: string | null = programAt('CMARK_GFM', places);

/** Why tests with it are skipped, for their names; empty where they run. */
export const skipped =
  cmarkPath === null ? ' (skipped: there is no cmark-gfm here; install it, or name it in CMARK_GFM)' : '';

/** Those that GitHub reads issues and comments with. */
const extensions = ['table', 'strikethrough', 'autolink', 'tasklist', 'tagfilter', 'footnotes'];

/** Begins where no text is; it is found again only where nothing before it swallows what stands below. */
const border = 'BorderBetweenTwoTexts';
const borderTree = `  <paragraph>\n    <text xml:space="preserve">${border}</text>\n  </paragraph>\n`;
const together = 100;

/**
 * What GitHub's parser makes of each text, as the XML that it tells of its tree. Many are read by one process, with a
 * border between them, which takes a fifth of the time. Those that define something would change their neighbours, so
 * each is read by a process of its own, and so are those of a batch in which a border was lost.
 */
export function treesOf(markdowns: readonly string[]): readonly string[] {
  const trees = new Map<number, string>();
  const defines = (index: number): boolean => definition.test(markdowns[index] ?? '');
  const alone = [...markdowns.keys()].filter(defines);
  const quiet = [...markdowns.keys()].filter((index) => !defines(index));
  const batches = Array.from({ length: Math.ceil(quiet.length / together) }, (_, at) =>
    quiet.slice(at * together, (at + 1) * together),
  );
  const joined = rawTreesOf(batches.map((batch) => batch.map((index) => markdowns[index]).join(`\n\n${border}\n\n`)));
  for (const [at, batch] of batches.entries()) {
    const parts = (joined[at] ?? '').split(borderTree);
    if (parts.length === batch.length)
      for (const [place, index] of batch.entries()) trees.set(index, parts[place] ?? '');
    else alone.push(...batch);
  }
  const single = rawTreesOf(alone.map((index) => markdowns[index] ?? ''));
  for (const [place, index] of alone.entries()) trees.set(index, single[place] ?? '');
  return markdowns.map((_, index) => trees.get(index) ?? '');
}

/** At the beginning of a line, behind the signs of quotations and lists. */
const definition = /^[\s>*+.)\d-]*\[(?:[^[\]\\]|\\[\s\S])*\]:/mu;

/** A text as GitHub's parser renders it in issues and comments, where each line end shows. */
export function htmlOf(markdown: string): string {
  if (cmarkPath === null) throw new Error('there is no cmark-gfm here');
  const args = ['--unsafe', '--hardbreaks', ...extensions.flatMap((name) => ['-e', name])];
  return execFileSync(cmarkPath, args, { input: markdown, encoding: 'utf8' });
}

/** One process for each text; a shell starts them, as that takes a quarter of the time of starting them from here. */
function rawTreesOf(markdowns: readonly string[]): readonly string[] {
  if (cmarkPath === null) throw new Error('there is no cmark-gfm here');
  const folder = mkdtempSync(join(tmpdir(), 'bugferry-texts-'));
  try {
    for (const [index, markdown] of markdowns.entries()) writeFileSync(join(folder, String(index)), markdown);
    const read = `"${cmarkPath}" --unsafe -t xml ${extensions.map((name) => `-e ${name}`).join(' ')}`;
    const script = `i=0; while [ $i -lt ${markdowns.length} ]; do ${read} $i || exit 1; printf '\\000'; i=$((i + 1)); done`;
    const out = execFileSync('sh', ['-c', script], { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 30 });
    return out.split('\0').slice(0, -1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
