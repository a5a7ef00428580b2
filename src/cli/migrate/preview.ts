import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import type { MigrationForecast } from '../../wire/migrate.ts';

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
  return pageOf('Preview of a migration', routes.join('\n'));
}

/** An issue as it will look. */
export interface ShownIssue {
  /** Of its heading, for links within the page. */
  readonly id: string;
  /** In the index, before the title. */
  readonly name: string;
  readonly title: string;
  readonly labels: readonly string[];
  /** Its state as HTML, and what else stands below the title. */
  readonly facts: readonly string[];
  readonly posts: readonly { readonly text: string; readonly at: number | null }[];
}

interface Section {
  readonly heading: string;
  /** In words. */
  readonly summary: string;
  readonly issues: readonly ShownIssue[];
}

export const pageOf = (title: string, content: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src https: http:">
<title>${escaped(title)}</title><style>${style}</style></head><body><main>${content}</main></body></html>
`;

export function issuesOf({ heading, summary, issues }: Section): string {
  const nav = issues.map(
    ({ id, name, title }) => `<li><a href="#${escaped(id)}"><b>${escaped(name)}</b> ${escaped(title)}</a></li>`,
  );
  const index = nav.length === 0 ? '' : `<ol class="index">${nav.join('')}</ol>`;
  return `<section><h1>${escaped(heading)}</h1><p>${escaped(summary)}</p>${index}
${issues.map(issueOf).join('\n')}</section>`;
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
      `<span class="state ${closed === undefined ? 'open' : 'closed'}">${closed ?? 'Open'}</span>`,
      ...(assignee === undefined ? [] : [`<span>assigned to ${escaped(assignee)}</span>`]),
      ...(milestone === undefined ? [] : [`<span>milestone ${escaped(milestone)}</span>`]),
      `<a href="${escaped(url)}">bug ${bug}</a>`,
    ],
    posts: [{ body, createdAt: draft.createdAt }, ...comments].map((post) => ({ text: post.body, at: post.createdAt })),
  };
}

function issueOf({ id, title, labels, facts, posts }: ShownIssue): string {
  const [state = '', ...further] = facts;
  const shown = [state, ...labels.map((label) => `<span class="label">${escaped(label)}</span>`), ...further];
  const articles = posts.map(({ text, at }) => {
    const time = at === null ? '' : `<time>${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC</time>`;
    return `<article>${time}${rendered(text)}</article>`;
  });
  return `<section class="issue" id="${escaped(id)}"><h2>${escaped(title)}</h2><p class="facts">${shown.join(' ')}</p>${articles.join('')}</section>`;
}

/** Shows HTML in texts as text, except for the collapsed table that we write ourselves. */
function rendered(markdown: string): string {
  const html = micromark(markdown.replace(/<!-- bugferry:[^\n]*?-->/gu, ''), {
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  });
  return html.replace(/&lt;(\/?(?:details|summary))&gt;/gu, '<$1>');
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const escaped = (text: string): string =>
  text.replace(/[&<>"']/gu, (character) => escapes[character] ?? character);

const style = `
:root { color-scheme: light dark; --line: light-dark(#d0d7de, #3d444d); --soft: light-dark(#f6f8fa, #151b23); --quiet: light-dark(#59636e, #9198a1); }
body { margin: 0; font: 15px/1.55 system-ui, sans-serif; background: light-dark(#fff, #0d1117); color: light-dark(#1f2328, #f0f6fc); }
main { max-width: 860px; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
a { color: light-dark(#0969da, #4493f8); }
.index { list-style: none; display: grid; grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr)); gap: 0 2rem; margin: 0; padding: .8rem 1rem; max-height: 60vh; overflow-y: auto; font-size: 14px; overflow-wrap: anywhere; border: 1px solid var(--line); border-radius: 6px; }
.index li { padding-left: 3.4em; text-indent: -3.4em; }
.index a { text-decoration: none; }
.index a:hover { text-decoration: underline; }
.index b { display: inline-block; min-width: 3em; margin-right: .4em; text-indent: 0; text-align: right; font-weight: 400; color: var(--quiet); font-variant-numeric: tabular-nums; }
.issue { content-visibility: auto; contain-intrinsic-size: auto 40rem; margin-top: 3rem; border-top: 2px solid var(--line); padding-top: 1rem; }
h2 { margin: 0 0 .4rem; font-size: 1.5rem; overflow-wrap: anywhere; }
.facts { display: flex; flex-wrap: wrap; gap: .4rem; align-items: center; color: var(--quiet); font-size: 13px; }
.state, .label { border-radius: 1rem; padding: .1rem .6rem; border: 1px solid var(--line); }
.state { color: #fff; border: 0; }
.open { background: #1f883d; }
.closed { background: #8250df; }
article { border: 1px solid var(--line); border-radius: 6px; margin: 1rem 0; padding: 0 1rem .6rem; overflow-x: auto; overflow-wrap: anywhere; }
time { display: block; margin: 0 -1rem .8rem; padding: .4rem 1rem; background: var(--soft); border-bottom: 1px solid var(--line); color: var(--quiet); font-size: 13px; }
pre { background: var(--soft); padding: .8rem; overflow-x: auto; border-radius: 6px; font-size: 13px; }
blockquote { margin: 0; padding-left: 1rem; border-left: 4px solid var(--line); color: var(--quiet); }
table { border-collapse: collapse; } td, th { border: 1px solid var(--line); padding: .3rem .7rem; }
img { max-width: 100%; }
`;
