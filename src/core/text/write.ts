import type { Bug, Issue } from '../../model/item.ts';
import type { Entry } from '../../model/link.ts';
import type { Route } from '../../model/route.ts';
import { editedLine, githubMarker, mirroredLine, wroteLine } from '../marker.ts';
import { fit } from './fit.ts';
import { toMarkdown, toMarkdownInline } from './to-markdown.ts';
import { toTrackerText } from './to-tracker.ts';

/** The body of an issue that mirrors a bug. */
export function issueBody(route: Route, bug: Bug, description: Entry | null): string {
  const who = `**${toMarkdownInline(bug.creator.name)}** opened [bug ${bug.id}](${bug.url}) on ${dayAndTime(bug.createdAt)}:`;
  return joined(who, fit(toMarkdown(description?.text ?? ''), bug.url), githubMarker(route.instance, { bug: bug.id, comment: null }));
}

/** A tracker comment as an issue comment. */
export function issueComment(route: Route, bug: number, entry: Entry): string {
  const where = `[comment ${entry.count ?? ''}](${entry.url})`;
  const who = `**${toMarkdownInline(entry.author.name)}** wrote in ${where} on ${dayAndTime(entry.createdAt)}:`;
  return joined(who, fit(toMarkdown(entry.text ?? ''), entry.url), githubMarker(route.instance, { bug, comment: entry.source }));
}

/** The line under an issue that began on GitHub, by which it names its bug. */
export function issueFooter(route: Route, bug: number, url: string): string {
  return `---\n*Mirrored as [bug ${bug}](${url}).*\n\n${githubMarker(route.instance, { bug, comment: null })}`;
}

/** The description of a bug that mirrors an issue. */
export function bugDescription(issue: Issue): string {
  return joined(wroteLine(issue.author.login, issue.url), trackerCopy(issue.body, issue.url));
}

/** A GitHub comment as a tracker comment. */
export function bugComment(entry: Entry): string {
  return joined(wroteLine(entry.author.login, entry.url), trackerCopy(entry.text ?? '', entry.url));
}

/** The tracker cannot edit what was copied, so an edit on GitHub arrives as a comment with the new text. */
export function bugEdit(entry: Entry, text: string, digest: string): string {
  const line = editedLine(entry.author.login, entry.url, digest);
  return joined(line, trackerCopy(text, entry.url) || '(The text was emptied.)');
}

/** The part of a tracker comment that a person on GitHub wrote. */
export const trackerCopy = (text: string, url: string): string => fit(toTrackerText(text), url);

/** The comment by which a bug names its issue where see_also does not take the URL. */
export const bugPointer = (issueUrl: string): string => mirroredLine(issueUrl);

/** `2026-09-23 08:50 UTC` */
export const dayAndTime = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const joined = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n\n');
