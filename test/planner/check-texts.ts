import type { Link } from '../../src/model/link.ts';
import type { Bridge } from './bridge.ts';
import { hold } from './hold.ts';
import { tokensIn } from './plan-context.ts';
import { commentsOf, us } from './world.ts';

/** I3 and I4 for texts: each stands on the other side exactly once. */
export function checkTexts(bridge: Bridge, link: Link): void {
  const { world, planContext } = bridge;
  const { bug, github: issue } = link;
  if (bug === null || issue === null || link.tracker === null || link.tracker.isPrivate) return;
  const here = world.issues.get(issue.number);
  const [onTracker, onGithub] = [commentsOf(world, 'tracker', bug), commentsOf(world, 'github', issue.number)];
  const github = [
    here?.body ?? '',
    ...onGithub.filter(({ author }) => author.login === us.github.login).map(({ text }) => text),
  ];
  const tracker = onTracker
    .filter(({ author }) => author.login === us.tracker.login)
    .map(({ text }) => asItStands(text));
  const { direction } = planContext.route;
  hold(
    count(github, 'has been marked as a duplicate of') === 0,
    `I4: what the tracker wrote itself on bug ${bug} was mirrored`,
  );
  for (const comment of onTracker) {
    if (comment.author.login === us.tracker.login || comment.isPrivate || direction === 'to-tracker') continue;
    for (const text of tokensIn(comment.text)) {
      if (text.startsWith('text-d') && !here?.body.includes('<!-- bugferry')) continue;
      // A report of an edited body carries the description with it.
      const back = text.startsWith('text-t') ? count(tracker, text) : 0;
      hold(back === 0, `I4: the copy of ${text} came back to bug ${bug}`);
      const expected = world.buried.includes(text) ? 0 : 1;
      hold(
        count(github, text) === expected,
        `I3, I4: ${text} of bug ${bug} stands ${count(github, text)} times on GitHub, not ${expected}`,
      );
    }
  }
  for (const comment of onGithub) {
    if (comment.author.login === us.github.login || direction === 'to-github') continue;
    for (const text of tokensIn(comment.text)) {
      hold(
        count(tracker, text) === 1,
        `I3, I4: ${text} of issue ${issue.number} stands ${count(tracker, text)} times on the tracker`,
      );
    }
  }
  const last = tokensIn(here?.body ?? '')
    .filter((text) => !text.startsWith('text-d'))
    .at(-1);
  if (last === undefined || direction === 'to-github') return;
  hold(
    count(tracker, last) === 1,
    `I3, I4: the body ${last} of issue ${issue.number} stands ${count(tracker, last)} times on the tracker`,
  );
}

/** What a report of an edit says that stands there now. */
const asItStands = (text: string): string => text.replace(/\[-[\s\S]*?-\]/gu, '').replace(/\{\+|\+\}/gu, '');

const count = (texts: readonly string[], text: string): number => texts.filter((each) => each.includes(text)).length;
