import { html, raw } from 'hono/html';
import { htmlOf, type MigrationForecast } from '../../wire/migrate.ts';
import { framed, type Markup } from '../page-frame.ts';

type Sample = MigrationForecast['samples'][number];

/** One self-contained page that shows issues as GitHub will; it loads nothing except pictures in the issues. */
export function previewPage(forecasts: readonly MigrationForecast[]): string {
  const routes = forecasts.map(({ route, repo, samples, bugs }) =>
    issuesOf({
      heading: repo,
      summary: `Preview of ${samples.length} of ${bugs} bugs.`,
      issues: samples.map((sample) => shownOf(route, sample)),
    }),
  );
  return pageOf('Preview of a migration', routes);
}

/** An issue as it will look. */
export interface ShownIssue {
  /** The anchor of its heading, for links within the page. */
  readonly id: string;
  /** The index shows it before the title. */
  readonly name: string;
  readonly title: string;
  readonly labels: readonly string[];
  /** The line below the title: the state, and after the labels all else. */
  readonly facts: readonly Markup[];
  readonly posts: readonly { readonly text: string; readonly at: number | null }[];
}

interface Section {
  readonly heading: string;
  readonly summary: string;
  readonly issues: readonly ShownIssue[];
}

export const pageOf = (what: string, content: readonly Markup[]): string =>
  framed({ title: what, what, style, content, hasPictures: true });

export function issuesOf({ heading, summary, issues }: Section): Markup {
  const nav = issues.map(
    ({ id, name, title }) => html`<li><a href="#${id}"><b>${name}</b> <bdi>${title}</bdi></a></li>`,
  );
  const index = nav.length === 0 ? '' : html`<ol class="index">${nav}</ol>`;
  return html`<section><h1>${heading}</h1><p>${summary}</p>${index}
${issues.map(issueOf)}</section>`;
}

const closedAs: Readonly<Record<string, string>> = {
  completed: 'Closed as completed',
  not_planned: 'Closed as not planned',
  duplicate: 'Closed as duplicate',
};

function shownOf(route: string, { bug, url, view, draft }: Sample): ShownIssue {
  const { title, body, labels, comments, assignee, milestone } = draft;
  const closed = view === null ? undefined : closedAs[view];
  return {
    id: `${route}-${bug}`,
    name: String(bug),
    title,
    labels,
    facts: [
      html`<span class="state ${closed === undefined ? 'open' : 'closed'}">${closed ?? 'Open'}</span>`,
      ...(assignee === undefined ? [] : [html`<span>assigned to ${assignee}</span>`]),
      ...(milestone === undefined ? [] : [html`<span>milestone ${milestone}</span>`]),
      html`<a href="${url}">bug ${bug}</a>`,
    ],
    posts: [{ body, createdAt: draft.createdAt }, ...comments].map((post) => ({ text: post.body, at: post.createdAt })),
  };
}

function issueOf({ id, title, labels, facts, posts }: ShownIssue): Markup {
  const [state = html``, ...further] = facts;
  const shown = [state, ...labels.map((label) => html`<span class="label">${label}</span>`), ...further];
  const articles = posts.map(({ text, at }) => {
    const time = at === null ? '' : html`<time>${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC</time>`;
    return html`<article>${time}${rendered(text)}</article>`;
  });
  return html`<section class="issue" id="${id}"><h2><bdi>${title}</bdi></h2><p class="facts">${shown}</p>${articles}</section>`;
}

/** Shows HTML in texts as text, except for the collapsed table that we write ourselves. */
function rendered(markdown: string): Markup {
  const shown = markdown.replace(/<!-- bugferry:[^\n]*?-->/gu, '');
  const text = htmlOf(shown);
  if (text === null) return html`<pre>${shown}</pre>`;
  return raw(text.replace(/&lt;(\/?(?:details|summary))&gt;/gu, '<$1>'));
}

const style = `
main { max-width: 860px; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
.brand { margin: 0 0 1rem; }
.index { list-style: none; display: grid; grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr)); gap: 0 2rem; margin: 0; padding: .8rem 1rem; max-height: 60vh; overflow-y: auto; font-size: 14px; overflow-wrap: anywhere; border: 1px solid var(--line); border-radius: 10px; background: var(--card); }
.index a { display: flex; gap: .4em; text-decoration: none; }
.index a:hover { text-decoration: underline; }
.index bdi { min-width: 0; text-align: left; }
.index b { flex: none; min-width: 4em; text-align: right; font-weight: 400; color: var(--dim); font-variant-numeric: tabular-nums; }
.issue { content-visibility: auto; contain-intrinsic-size: auto 40rem; margin-top: 3rem; border-top: 2px solid var(--line); padding-top: 1rem; }
h2 { margin: 0 0 .4rem; font-size: 1.5rem; overflow-wrap: anywhere; }
.facts { display: flex; flex-wrap: wrap; gap: .4rem; align-items: center; color: var(--dim); font-size: 13px; }
.state, .label { border-radius: 1rem; padding: .1rem .6rem; border: 1px solid var(--line); }
.state { color: #fff; border: 0; }
.open { background: #1f883d; }
.closed { background: #8250df; }
article { border: 1px solid var(--line); border-radius: 10px; background: var(--card); margin: 1rem 0; padding: 0 1rem .6rem; overflow-x: auto; overflow-wrap: anywhere; }
time { display: block; margin: 0 -1rem .8rem; padding: .4rem 1rem; background: var(--soft); border-bottom: 1px solid var(--line); color: var(--dim); font-size: 13px; }
article :is(p, li, h1, h2, h3, h4, h5, h6, td, th) { unicode-bidi: plaintext; }
pre { background: var(--soft); padding: .8rem; overflow-x: auto; border-radius: 6px; font-size: 13px; }
blockquote { margin: 0; padding-left: 1rem; border-left: 4px solid var(--line); color: var(--dim); }
table { border-collapse: collapse; } td, th { border: 1px solid var(--line); padding: .3rem .7rem; }
section + h2 { margin-top: 2.5rem; }
.scroll table { width: 100%; border-style: hidden; }
.scroll th { text-align: left; }
img { max-width: 100%; }
@media print {
  .index { max-height: none; }
  .issue { content-visibility: visible; }
  .state { print-color-adjust: exact; }
  pre { white-space: pre-wrap; }
}
`;
