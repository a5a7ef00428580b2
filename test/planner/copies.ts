import type { noticeOf } from '../../src/rules/attachments/notice.ts';
import type { issueBody, issueComment } from '../../src/rules/comments/compose.ts';
import type { trackerTable, withTable } from '../../src/rules/fields/table.ts';
import { noReferences, type References } from '../../src/text/references.ts';
import { random } from '../support/random.ts';
import { widgetRoute } from '../support/routes.ts';
import { elementText } from '../text/html-texts.ts';
import { aBug, aCommentLink, aFile, passed } from './samples.ts';

/** All that puts texts of people into issues and comments. */
export interface Writers {
  readonly issueBody: typeof issueBody;
  readonly issueComment: typeof issueComment;
  readonly noticeOf: typeof noticeOf;
  readonly trackerTable: typeof trackerTable;
  readonly withTable: typeof withTable;
}

export interface Copy {
  readonly text: string;
  /** As it is sent to GitHub, with the bridge's own lines around it. */
  readonly markdown: string;
}

export const mirror = 'https://github.com/acme/widget/issues/5';
const everywhere: References = { bug: () => mirror, comment: () => mirror, attachment: () => mirror, page: () => null };

/** Links into GitHub that the bridge writes itself. */
export const ownLinks: readonly string[] = [mirror, aFile.copy.url];

/** Elements that the bridge writes itself. */
export const ownElements =
  /<!-- bugferry:(?:1 [^<>]* |table )-->|<details><summary>More about this bug<\/summary>|<\/details>/gu;

/**
 * Every second one is Markdown on the tracker, every eighth the body of an issue with its table, every sixteenth comes
 * with a file.
 */
export function copyOf(writers: Writers, seed: number, text = elementText(random(seed))): Copy {
  const references = seed % 3 === 0 ? everywhere : noReferences;
  const commentLink = {
    ...aCommentLink,
    text,
    ...(seed % 2 === 0 ? { isMarkdown: true as const } : {}),
    ...(seed % 16 === 5 ? { notice: fileNotice(writers, text) } : {}),
  };
  if (seed % 8 !== 7 && seed % 8 !== 6)
    return { text, markdown: writers.issueComment(widgetRoute, 12, commentLink, references).join('\n\n') };
  const route = { ...widgetRoute, table: ['alias', 'whiteboard'] };
  const { table } = writers.trackerTable(
    route,
    { ...aBug, details: { alias: [text.slice(0, 40)], whiteboard: [text] } },
    [],
  );
  const bug = passed({ ...aBug, creator: { ...aBug.creator, name: text.slice(0, 60) } });
  return {
    text,
    markdown: writers.withTable(writers.issueBody(route, bug, commentLink, references).join('\n\n'), table),
  };
}

function fileNotice({ noticeOf }: Writers, words: string): string {
  const name = words.replace(/\s+/gu, ' ').slice(0, 80);
  return noticeOf({ ...aFile, name, summary: words });
}
