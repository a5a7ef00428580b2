import { html, raw } from 'hono/html';
import type { GitCommit } from '../world/git/git.ts';
import { type CommentRecord, fullName, type IssueRecord, type Repo, type User } from '../world/records.ts';
import { type GithubState, listedNow } from '../world/state.ts';
import { markdownHtml } from './markdown.ts';

type Html = ReturnType<typeof html>;

const style = `
  body { margin: 0; background: #f6f8fa; color: #1f2328; font: 16px/1.5 system-ui, sans-serif; }
  main { max-width: 52rem; margin: 2rem auto; padding: 0 1rem; }
  header { color: #59636e; }
  a { color: #0969da; text-decoration: none; }
  h1 { font-weight: 500; margin: .25rem 0 .5rem; overflow-wrap: anywhere; }
  h1 small, time { color: #59636e; font-weight: 400; }
  .state { border-radius: 2em; padding: .2em .8em; color: #fff; background: #1a7f37; font-size: .85rem; }
  .state.completed { background: #8250df; }
  .state.not_planned, .state.duplicate { background: #59636e; }
  .label { border-radius: 2em; padding: .1em .6em; border: 1px solid #d1d9e0; background: #ddf4ff; font-size: .8rem; }
  article { margin: 1rem 0; border: 1px solid #d1d9e0; border-radius: .5rem; background: #fff; overflow: hidden; }
  article header { padding: .5rem 1rem; background: #f6f8fa; border-bottom: 1px solid #d1d9e0; }
  .list { list-style: none; padding: 0; border: 1px solid #d1d9e0; border-radius: .5rem; background: #fff; }
  .list li { padding: .75rem 1rem; } .list li + li { border-top: 1px solid #d1d9e0; }
  .text { padding: 0 1rem; overflow-wrap: anywhere; overflow-x: auto; font-size: .9rem; }
  .text p, .text li { white-space: pre-line; } .text p br { display: none; }
  .text pre { padding: 1rem; background: #f6f8fa; border-radius: .4rem; overflow-x: auto; }
  .text code { font: .85em ui-monospace, monospace; background: #818b981f; border-radius: .3rem; padding: .1em .35em; }
  .text pre code { background: none; padding: 0; }
  .text blockquote { margin: 0 0 1rem; padding: 0 1em; color: #59636e; border-left: .25em solid #d1d9e0; }
  .text table { border-collapse: collapse; } .text td, .text th { border: 1px solid #d1d9e0; padding: .3rem .7rem; }
  .text img { max-width: 100%; } .text summary { cursor: pointer; }
`;

/** The page `/`: where a person who shortens an address arrives. */
export const startPage = (repos: readonly Repo[]): Html =>
  page(
    'Repositories',
    html`<h1>Repositories</h1><ul class="list">${repos.map((repo) => html`<li><a href="/${fullName(repo)}/issues">${fullName(repo)}</a></li>`)}</ul>`,
  );

/** The page `/{owner}/{repo}/issues`: issues and pull requests, newest first. */
export function listPage(repo: Repo, issues: readonly IssueRecord[]): Html {
  const rows = [...issues].reverse().map(
    (issue) => html`<li>${stateOf(issue)}
      <a href="/${fullName(repo)}/${issue.isPull ? 'pull' : 'issues'}/${issue.number}">${issue.title}</a> ${labelsOf(issue)}
      <br><time>#${issue.number} by ${issue.author.login}, ${day(issue.createdAt)}, ${issue.comments.length === 1 ? '1 comment' : `${issue.comments.length} comments`}</time></li>`,
  );
  const nothing = html`<p>There is nothing here yet.</p>`;
  return page(
    `Issues of ${fullName(repo)}`,
    html`<header>${fullName(repo)}</header><h1>Issues</h1>${rows.length === 0 ? nothing : html`<ul class="list">${rows}</ul>`}`,
  );
}

/** The page `/{owner}/{repo}/issues/{n}`. */
export function issuePage(state: GithubState, repo: Repo, issue: IssueRecord): Html {
  const listed = issue.comments.filter(listedNow(state));
  return page(
    `${issue.title} · #${issue.number}`,
    html`<header><a href="/${fullName(repo)}/issues">${fullName(repo)}</a></header>
      <h1>${issue.title} <small>#${issue.number}</small></h1>
      <p>${stateOf(issue)} ${labelsOf(issue)}</p>
      ${post(issue.author, issue.createdAt, issue.body ?? '', 'issue')}
      ${listed.map((comment: CommentRecord) => post(comment.author, comment.createdAt, comment.body, `issuecomment-${comment.id}`))}`,
  );
}

/** The page `/{owner}/{repo}/commit/{sha}`. */
export function commitPage(repo: Repo, sha: string, { message, author, at }: GitCommit): Html {
  const [title = '', ...rest] = message.split('\n');
  return page(
    `${title} · ${sha.slice(0, 7)}`,
    html`<header><a href="/${fullName(repo)}/issues">${fullName(repo)}</a></header>
      <h1>${title} <small>${sha.slice(0, 7)}</small></h1>
      <article><header><b>${author.name}</b> <time>${day(at)}</time></header><div class="text"><pre>${rest.join('\n').trim()}</pre></div></article>`,
  );
}

export const missingPage = (): Html =>
  page('Not found', html`<h1>Not found</h1><p>This is not a page of the sandbox GitHub.</p>`);

function page(title: string, content: Html): Html {
  return html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
    <title>${title}</title><style>${style}</style></head><body><main>${content}</main></body></html>`;
}

function post(author: User, at: number, body: string, id: string): Html {
  return html`<article id="${id}"><header><b>${author.login}</b> <time>${day(at)}</time></header><div class="text">${raw(markdownHtml(body))}</div></article>`;
}

function stateOf(issue: IssueRecord): Html {
  const reason = issue.state === 'closed' ? (issue.stateReason ?? 'completed') : '';
  const word = issue.state === 'open' ? 'Open' : `Closed: ${reason.replace('_', ' ')}`;
  return html`<span class="state ${reason}">${issue.isPull ? 'Pull request, ' : ''}${word}</span>`;
}

const labelsOf = (issue: IssueRecord): readonly Html[] =>
  issue.labels.map((label) => html` <span class="label">${label.name}</span>`);
const day = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
