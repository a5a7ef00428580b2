import type { GithubWorld } from '../../src/sandbox/github/world/world.ts';
import type { Random } from '../support/random.ts';
import type { Act, Actions } from './actions.ts';

export interface GithubPeople {
  readonly github: GithubWorld;
  readonly repo: string;
  readonly draw: Random;
  readonly actions: Actions;
  readonly text: (what: string) => string;
}

/** What mona does to issues on GitHub's pages. */
export function githubActs({ github, repo, draw, actions, text }: GithubPeople): readonly Act[] {
  const mona = github.as('mona');
  const onSome = (act: (issue: number) => void) => () => {
    const issues = github.issues(repo);
    if (issues.length > 0) act(draw.pick(issues).number);
  };
  return [
    {
      weight: 3,
      act() {
        const title = text('Opened ö');
        const number = mona.open(repo, { title, body: text('Body ✓') });
        actions.opened.add(number);
        actions.issueTitles.set(number, title);
      },
    },
    {
      weight: 7,
      act: onSome((issue) => {
        const said = text('Said on GitHub, ñ 🐛');
        actions.issueComments.set(said, { issue, id: mona.comment(repo, issue, said) });
      }),
    },
    {
      weight: 4,
      act: onSome((issue) => {
        const title = text('GitHub title ü');
        mona.edit(repo, issue, { title });
        actions.issueTitles.set(issue, title);
      }),
    },
    { weight: 2, act: onSome((issue) => mona.close(repo, issue, draw.pick(['completed', 'not_planned']))) },
    { weight: 2, act: onSome((issue) => mona.reopen(repo, issue)) },
    {
      weight: 2,
      act: onSome((issue) =>
        mona.label(repo, issue, draw.pick(['severity: trivial', 'severity: blocker', 'help wanted'])),
      ),
    },
    {
      weight: 2,
      act() {
        if (actions.issueComments.size === 0) return;
        const [before, { issue, id }] = draw.pick([...actions.issueComments]);
        const said = text('Edited on GitHub, å');
        mona.editComment(repo, id, said);
        actions.issueComments.delete(before);
        actions.issueComments.set(said, { issue, id });
      },
    },
  ];
}
