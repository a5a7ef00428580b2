import { type Case, type Family, type Observation, untried } from '../case.ts';
import type { Answer } from '../port.ts';
import { NoScratch, outcomeOf, type Scratch } from '../scratch.ts';
import { numberAt, rowsOf, textAt, valueAt } from '../value.ts';
import { madeLabel, madeMilestone, setOption, withOption } from './made.ts';

/** Nobody answers there: GitHub keeps what it tried to send, and shows it to administrators. */
export const hookAddress = 'https://bugferry.invalid/hooks/github';
const events = ['issues', 'issue_comment', 'label', 'milestone'];

const lateMeans =
  'Such changes cross with the next poll or sweep, and not within seconds: webhooks do not hasten them.';
const looksMax = 3;

async function madeHook(scratch: Scratch): Promise<number> {
  const { id } = await scratch.shared('webhook', async () => {
    const config = { url: hookAddress, content_type: 'json', secret: scratch.fresh('secret'), insecure_ssl: '0' };
    const make = (wanted: readonly string[]) =>
      scratch.post('/hooks', { name: 'web', active: true, events: wanted, config });
    const all = await make([...events, 'issue_dependencies']);
    // A server without dependencies refuses their event, and all others with it.
    const made = all.taken === 'refused' ? await make(events) : all;
    if (made.taken !== 'answered') throw new NoScratch(made.why ?? 'a webhook could not be made');
    return { issue: 0, id: numberAt(made.data, 'id'), node: '' };
  });
  return id;
}

/** The delivery that a change causes: of this event, and with this value in its payload. */
async function delivered(
  scratch: Scratch,
  event: string,
  { path, value }: { readonly path: string; readonly value: unknown },
  change: () => Promise<Answer>,
): Promise<unknown> {
  const place = `/hooks/${await madeHook(scratch)}/deliveries`;
  const list = async () => rowsOf((await scratch.get(`${place}?per_page=100`)).data);
  const before = new Set((await list()).map((row) => numberAt(row, 'id')));
  const answer = await change();
  if (answer.taken !== 'answered') throw new NoScratch(outcomeOf(answer));
  for (let looks = 0; looks < looksMax; looks += 1) {
    await scratch.settle();
    for (const row of await list()) {
      if (before.has(numberAt(row, 'id')) || textAt(row, 'event') !== event) continue;
      const { data } = await scratch.get(`${place}/${numberAt(row, 'id')}`);
      if (valueAt(data, `request.payload.${path}`) === value) return data;
    }
  }
  return null;
}

/** What the bridge makes of a delivery. */
function readOf({ port, home }: Scratch, event: string, delivery: unknown, issue: number | null): Observation {
  if (delivery === null) return 'nothing was sent';
  const read = port.hinted(event, valueAt(delivery, 'request.payload'));
  if (typeof read === 'string') return read;
  if (read.repo?.toLowerCase() !== `${home.owner}/${home.repo}`.toLowerCase()) return `about ${read.repo}`;
  if (read.ref === null) return 'the repository';
  if (read.ref !== issue) return `#${read.ref}`;
  return read.isThread === true ? 'the issue and its comments' : 'the issue';
}

interface Draft extends Pick<Case, 'id' | 'assumes' | 'expects' | 'needs'> {
  readonly observe: Case['observe'];
}

const aboutHooks = ({ needs = [], ...rest }: Draft): Case => ({
  ...rest,
  usedIn: ['http/hooks.ts'],
  needs: ['admin', ...needs],
  means: lateMeans,
});

/** The payloads of webhooks, as the bridge reads them. */
export const webhooks: Family = {
  name: 'webhooks',
  cases: [
    aboutHooks({
      id: 'hook-headers',
      assumes: 'A webhook names its event and its delivery, and is signed.',
      expects: 'event, delivery and signature',
      async observe(scratch) {
        const { issue } = await scratch.issue('other');
        const title = scratch.title(scratch.fresh('issue'));
        const delivery = await delivered(scratch, 'issues', { path: 'issue.title', value: title }, () =>
          scratch.patch(`/issues/${issue}`, { title }),
        );
        if (delivery === null) return 'nothing was sent';
        const headers = valueAt(delivery, 'request.headers');
        const names = typeof headers === 'object' ? Object.keys(headers ?? {}).map((name) => name.toLowerCase()) : [];
        const wanted = { event: 'x-github-event', delivery: 'x-github-delivery', signature: 'x-hub-signature-256' };
        const missing = Object.entries(wanted).flatMap(([word, name]) => (names.includes(name) ? [] : [word]));
        return missing.length === 0 ? 'event, delivery and signature' : `without ${missing.join(' and ')}`;
      },
    }),
    aboutHooks({
      id: 'hook-issue',
      assumes: 'The webhook of a changed issue names the issue and its repository.',
      expects: 'the issue',
      async observe(scratch) {
        const { issue } = await scratch.issue('other');
        const title = scratch.title(scratch.fresh('issue'));
        const delivery = await delivered(scratch, 'issues', { path: 'issue.title', value: title }, () =>
          scratch.patch(`/issues/${issue}`, { title }),
        );
        return readOf(scratch, 'issues', delivery, issue);
      },
    }),
    aboutHooks({
      id: 'hook-comment',
      assumes: 'The webhook of a comment names the issue.',
      expects: 'the issue and its comments',
      async observe(scratch) {
        const { issue } = await scratch.issue('subject');
        const body = scratch.fresh('comment');
        const delivery = await delivered(scratch, 'issue_comment', { path: 'comment.body', value: body }, () =>
          scratch.post(`/issues/${issue}/comments`, { body }),
        );
        return readOf(scratch, 'issue_comment', delivery, issue);
      },
    }),
    aboutHooks({
      id: 'hook-label',
      assumes: 'The webhook of a renamed label names the repository.',
      expects: 'the repository',
      async observe(scratch) {
        const [from, to] = [await madeLabel(scratch), scratch.fresh('label')];
        const delivery = await delivered(scratch, 'label', { path: 'label.name', value: to }, () =>
          scratch.patch(`/labels/${encodeURIComponent(from)}`, { new_name: to }),
        );
        return readOf(scratch, 'label', delivery, null);
      },
    }),
    aboutHooks({
      id: 'hook-milestone',
      assumes: 'The webhook of a renamed milestone names the repository.',
      expects: 'the repository',
      async observe(scratch) {
        const [number, title] = [await madeMilestone(scratch), scratch.fresh('milestone')];
        const delivery = await delivered(scratch, 'milestone', { path: 'milestone.title', value: title }, () =>
          scratch.patch(`/milestones/${number}`, { title }),
        );
        return readOf(scratch, 'milestone', delivery, null);
      },
    }),
    aboutHooks({
      id: 'hook-dependency',
      assumes: 'The webhook of a new dependency names the blocked issue.',
      expects: 'the issue',
      async observe(scratch) {
        const { issue, id } = await scratch.issue('other');
        const path = `/issues/${issue}/dependencies/blocked_by`;
        if ((await scratch.get(path)).taken === 'missing') return untried('the server has no dependencies');
        const blocker = await scratch.issue('subject');
        const event = 'issue_dependencies';
        const delivery = await delivered(scratch, event, { path: 'blocked_issue.id', value: id }, () =>
          scratch.post(path, { issue_id: blocker.id }),
        );
        return readOf(scratch, event, delivery, issue);
      },
    }),
    aboutHooks({
      id: 'hook-field',
      assumes: 'The webhook of a field that people set names the issue.',
      needs: ['fields'],
      expects: 'the issue',
      observe: withOption(async (scratch, field) => {
        const { issue, id } = await scratch.newIssue();
        // The webhook of its opening comes first.
        await scratch.settle();
        const delivery = await delivered(scratch, 'issues', { path: 'issue.id', value: id }, () =>
          setOption(scratch, issue, field, field.option),
        );
        return readOf(scratch, 'issues', delivery, issue);
      }),
    }),
  ],
};
