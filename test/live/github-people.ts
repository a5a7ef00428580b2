import type { GithubWorld } from '../../src/sandbox/github/world/world.ts';
import type { Random } from '../support/random.ts';
import { type Act, type Actions, addressOf } from './actions.ts';

export interface GithubPeople {
  readonly github: GithubWorld;
  readonly repos: readonly string[];
  readonly draw: Random;
  readonly actions: Actions;
  readonly text: (what: string) => string;
}

/** Whether the issue says that its bug goes on elsewhere: what people write there stays there. */
export const saysMoved = (body: string): boolean => body.trimEnd().endsWith(' moved -->');

/** What mona does to issues on GitHub's pages. */
export function githubActs({ github, repos, draw, actions, text }: GithubPeople): readonly Act[] {
  const mona = github.as('mona');
  const onSome = (act: (repo: string, issue: number) => void) => () => {
    const repo = draw.pick(repos);
    const issues = github.issues(repo).filter(({ body }) => !saysMoved(body));
    if (issues.length > 0) act(repo, draw.pick(issues).number);
  };
  return [
    {
      weight: 3,
      act() {
        const [repo, title] = [draw.pick(repos), text('Opened ö')];
        const place = addressOf(repo, mona.open(repo, { title, body: text('Body ✓') }));
        actions.opened.add(place);
        actions.issueTitles.set(place, title);
      },
    },
    {
      weight: 7,
      act: onSome((repo, issue) => {
        const said = text('Said on GitHub, ñ 🐛');
        actions.issueComments.set(said, { repo, issue, id: mona.comment(repo, issue, said) });
      }),
    },
    {
      weight: 4,
      act: onSome((repo, issue) => {
        const title = text('GitHub title ü');
        mona.edit(repo, issue, { title });
        actions.issueTitles.set(addressOf(repo, issue), title);
      }),
    },
    {
      weight: 2,
      act: onSome((repo, issue) => mona.close(repo, issue, draw.pick(['completed', 'not_planned']))),
    },
    { weight: 2, act: onSome((repo, issue) => mona.reopen(repo, issue)) },
    {
      weight: 2,
      act: onSome((repo, issue) =>
        mona.label(repo, issue, draw.pick(['severity: trivial', 'severity: blocker', 'help wanted'])),
      ),
    },
    {
      weight: 2,
      act() {
        const open = [...actions.issueComments].filter(
          ([, { repo, issue }]) => !saysMoved(github.issue(repo, issue)?.body ?? ''),
        );
        if (open.length === 0) return;
        const [before, place] = draw.pick(open);
        const said = text('Edited on GitHub, å');
        mona.editComment(place.repo, place.id, said);
        actions.issueComments.delete(before);
        actions.issueComments.set(said, place);
      },
    },
    ...(repos.length < 2 ? [] : [{ weight: 1, act: onSome(transfer) }]),
  ];

  function transfer(repo: string, issue: number): void {
    const there = draw.pick(repos.filter((each) => each !== repo));
    const number = mona.transfer(repo, issue, there);
    actions.transferred.set(addressOf(repo, issue), addressOf(there, number));
    for (const [said, place] of actions.issueComments) {
      if (place.repo !== repo || place.issue !== issue) continue;
      const id = github.commentsOf(there, number).find(({ body }) => body.includes(said))?.id ?? place.id;
      actions.issueComments.set(said, { repo: there, issue: number, id });
    }
  }
}
