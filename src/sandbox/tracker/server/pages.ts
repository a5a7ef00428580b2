import { html } from 'hono/html';
import { historySeen } from '../bugs/history.ts';
import { commentsSeen } from '../comments/comments.ts';
import { wireTime } from '../installation/times.ts';
import { maySee } from '../installation/users.ts';
import type { TrackerBug, TrackerComment, TrackerState } from '../world/state.ts';

type Markup = ReturnType<typeof html>;

/** The pages for browsers: what an anonymous reader may see, without scripts. */
export function listPage(state: TrackerState, product: string | null): Markup {
  const listed = [...state.bugs.values()].filter(
    (bug) => maySee(null, bug) && (product === null || bug.product === product),
  );
  const bugs = listed.sort((one, other) => other.changedAt - one.changedAt);
  const rows = bugs.map(
    (bug) => html`<tr>
      <td><a href="/show_bug.cgi?id=${bug.id}">${bug.id}</a></td>
      <td>${badge(bug)}</td><td>${bug.product} / ${bug.component}</td>
      <td class="summary"><a href="/show_bug.cgi?id=${bug.id}">${bug.summary}</a></td>
      <td class="quiet">${readable(bug.changedAt)}</td>
    </tr>`,
  );
  return page(
    'Bug list',
    html`<h1>Bugs</h1><table class="bugs"><thead><tr><th>#</th><th>Status</th><th>Product</th><th>Summary</th><th>Changed</th></tr></thead><tbody>${rows}</tbody></table>`,
  );
}

/** One bug with its comments; null if it does not exist or an anonymous reader may not see it. */
export function bugPage(state: TrackerState, id: number): Markup | null {
  const bug = state.bugs.get(id);
  if (bug === undefined || !maySee(null, bug)) return null;
  const facts: readonly (readonly [string, Markup | string])[] = [
    ['Product', `${bug.product} / ${bug.component}`],
    ['Version', bug.version],
    ['Severity', `${bug.severity}, priority ${bug.priority}`],
    ['Platform', `${bug.platform} / ${bug.op_sys}`],
    ['Keywords', bug.keywords.join(', ')],
    ['Reporter', nameOf(state, bug.creator)],
    ['Assignee', nameOf(state, bug.assigned_to)],
    [
      'Duplicate of',
      bug.dupe_of === null ? '' : html`<a href="/show_bug.cgi?id=${bug.dupe_of}">bug ${bug.dupe_of}</a>`,
    ],
    ['See also', html`${bug.see_also.map((url) => html`<a href="${url}">${url}</a><br />`)}`],
  ];
  const rows = facts
    .filter(([, value]) => String(value) !== '')
    .map(([label, value]) => html`<tr><th>${label}</th><td>${value}</td></tr>`);
  const comments = commentsSeen(state, null, id, null).map((comment) => commentBlock(state, comment, comment.count));
  return page(
    `Bug ${bug.id}: ${bug.summary}`,
    html`<p><a href="/">All bugs</a></p><h1>Bug ${bug.id} ${badge(bug)}<br />${bug.summary}</h1><table class="facts"><tbody>${rows}</tbody></table>${comments}`,
  );
}

/** The fields of a bug that people have changed; null as for its page. */
export function activityPage(state: TrackerState, id: number): Markup | null {
  const bug = state.bugs.get(id);
  if (bug === undefined || !maySee(null, bug)) return null;
  const rows = historySeen(state, null, id).map(
    ({ who, at, field, removed, added }) =>
      html`<tr><td>${nameOf(state, who)}</td><td>${readable(at)}</td><td>${field}</td><td>${removed}</td><td>${added}</td></tr>`,
  );
  return page(
    `Changes made to bug ${bug.id}`,
    html`<p><a href="/show_bug.cgi?id=${bug.id}">Back to bug ${bug.id}</a></p><h1>Changes made to bug ${bug.id}</h1>
<table><thead><tr><th>Who</th><th>When</th><th>What</th><th>Removed</th><th>Added</th></tr></thead><tbody>${rows}</tbody></table>`,
  );
}

export const missingPage = (): Markup =>
  page(
    'No such bug',
    html`<p><a href="/">All bugs</a></p><h1>No such bug</h1><p>It does not exist, or it is not public.</p>`,
  );

function commentBlock(state: TrackerState, comment: TrackerComment, count: number): Markup {
  const title = count === 0 ? 'Description' : `Comment ${count}`;
  return html`<section id="c${count}">
    <h2>${title} <span class="quiet">${nameOf(state, comment.creator)}, ${readable(comment.at)}</span></h2>
    <pre>${linked(comment.text)}</pre>
  </section>`;
}

/** Addresses, and names of bugs and comments, as links. */
function linked(text: string): readonly (Markup | string)[] {
  return text.split(/(https?:\/\/[^\s<>"]*[^\s<>".,:;!?)]|\bbug #?\d+\b)/iu).map((part, index) => {
    if (index % 2 === 0) return part;
    const [, id] = /^bug #?(\d+)$/iu.exec(part) ?? [];
    return html`<a href="${id === undefined ? part : `/show_bug.cgi?id=${id}`}">${part}</a>`;
  });
}

const nameOf = (state: TrackerState, login: string): string =>
  state.users.find((user) => user.login === login)?.realName ?? login.split('@')[0] ?? login;

const readable = (at: number): string => wireTime(at).replace('T', ' ').replace('Z', ' UTC');

const badge = (bug: TrackerBug): Markup =>
  html`<span class="badge ${bug.resolution === '' ? 'open' : 'closed'}">${bug.status} ${bug.resolution}</span>`;

const style = `
  body { font: 15px/1.5 system-ui, sans-serif; color: #1f2430; background: #f6f7f9; margin: 0 auto; padding: 1.5rem; max-width: 62rem }
  a { color: #1a5fb4; text-decoration: none } a:hover { text-decoration: underline }
  h1 { font-size: 1.5rem; line-height: 1.3 } h2 { font-size: 1rem; margin: 0; padding: .5rem 1rem; background: #eceff3 }
  table { border-collapse: collapse; width: 100%; background: #fff; border: 1px solid #dde1e6 }
  .summary { overflow-wrap: anywhere }
  th, td { text-align: left; padding: .4rem .8rem; border-bottom: 1px solid #eceff3; vertical-align: top }
  .facts { width: auto; margin-bottom: 1.5rem } .quiet, h2 span { color: #667; font-weight: normal; white-space: nowrap }
  section { background: #fff; border: 1px solid #dde1e6; margin: 1rem 0 } pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0; padding: 1rem }
  .badge { font-size: .75rem; padding: .15rem .5rem; border-radius: 1rem; white-space: nowrap }
  .open { background: #d7f0dd; color: #14532d } .closed { background: #e4e0f1; color: #3b2a73 }
  @media (max-width: 40rem) {
    body { padding: .75rem } th, td { padding: .4rem; overflow-wrap: anywhere }
    .bugs :is(th, td):is(:nth-child(3), :nth-child(5)) { display: none } .bugs td:first-child { white-space: nowrap }
    .bugs .badge { white-space: normal; display: inline-block; border-radius: .5rem }
  }
`;

const page = (title: string, body: Markup): Markup =>
  html`<!doctype html><html lang="en"><head><meta charset="utf-8" /><meta name="viewport" content="width=device-width" /><title>${title}</title><style>${style}</style></head><body>${body}</body></html>`;
