import { sign } from '@octokit/webhooks-methods';
import { repo, type Stage } from '../simulation/stage.ts';
import type { Random } from '../support/random.ts';
import { type Server, send } from './visitor.ts';

export interface Hooks {
  /** Sends the changes since the last call to the HTTP server, while hooks are on; otherwise only records them. */
  send(areOn: boolean): void;
  /** How many were answered as they should be. */
  count(): number;
  /** Waits for the answers that are still to come. */
  done(): Promise<void>;
}

const [missing, doubled, forged] = [0.2, 0.2, 0.05];

/**
 * What both sides would send of the world's changes, our own writes included: some never arrive, some arrive twice, and
 * some are not signed by the one who has the secret. What is answered otherwise than it should be goes to `complain`.
 */
export function openHooks(server: Server, stage: Stage, draw: Random, complain: (words: string) => void): Hooks {
  let seen = shownBy(stage);
  let [serial, count] = [0, 0];
  const waiting = new Set<Promise<void>>();
  const post = (path: string, headers: Readonly<Record<string, string>>, body: string, wanted: number) => {
    const sent = send(server, path, { method: 'POST', headers, body }, complain).then((answer) => {
      if (answer === null) return;
      if (answer.status !== wanted) complain(`${path} answered ${answer.status} and not ${wanted}: ${answer.text}`);
      else count += 1;
    });
    waiting.add(sent);
    void sent.finally(() => waiting.delete(sent));
  };
  const github = async (number: number, event: string, action: string) => {
    const isForged = draw.chance(forged);
    const times = draw.chance(doubled) ? 2 : 1;
    serial += 1;
    const body = JSON.stringify({ action, issue: { number }, repository: { full_name: repo } });
    const headers = {
      'content-type': 'application/json',
      'x-github-event': event,
      'x-github-delivery': `delivery-${serial}`,
      'x-hub-signature-256': await sign(isForged ? 'a guess' : server.githubSecret, body),
    };
    for (let time = 0; time < times; time += 1) post('/hooks/github', headers, body, isForged ? 401 : 202);
  };
  const tracker = (id: number) => {
    const isForged = draw.chance(forged);
    const body = JSON.stringify({ event: { action: 'modify', target: 'bug' }, bug: { id } });
    const headers = { 'x-bugferry-secret': isForged ? 'a guess' : server.trackerSecret };
    for (let time = draw.chance(doubled) ? 2 : 1; time > 0; time -= 1)
      post('/hooks/tracker', headers, body, isForged ? 401 : 202);
  };
  return {
    send(areOn) {
      const [before, now] = [seen, shownBy(stage)];
      seen = now;
      if (!areOn) return;
      for (const [id, stamp] of now.bugs) if (before.bugs.get(id) !== stamp && !draw.chance(missing)) tracker(id);
      for (const number of new Set([...before.issues.keys(), ...now.issues.keys()])) {
        const [was, is] = [before.issues.get(number), now.issues.get(number)];
        if (was === is || draw.chance(missing)) continue;
        const action = is === undefined ? 'deleted' : was === undefined ? 'opened' : 'edited';
        void github(number, draw.chance(0.5) ? 'issues' : 'issue_comment', action);
      }
    },
    count: () => count,
    done: async () => void (await Promise.all(waiting)),
  };
}

interface Shown {
  readonly bugs: ReadonlyMap<number, string>;
  readonly issues: ReadonlyMap<number, string>;
}

/** By stamps, and by the number of comments as one may be older than the last change. */
const shownBy = ({ tracker, github }: Stage): Shown => ({
  bugs: new Map(tracker.bugs().map(({ id, changedAt }) => [id, `${changedAt} ${tracker.commentsOf(id).length}`])),
  issues: new Map(
    github
      .issues(repo)
      .map(({ number, updatedAt }) => [number, `${updatedAt} ${github.commentsOf(repo, number).length}`]),
  ),
});
