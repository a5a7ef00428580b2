import { type Family, untried } from '../case.ts';
import { actorOf, outcomeOf } from '../scratch.ts';
import { numberAt, rowsOf, textAt, valueAt } from '../value.ts';
import { madeLabel, madeMilestone } from './made.ts';

const labelMax = 50;
const manyLabels = 101;
const partsMeans = 'An issue with such a value is parked as a whole instead of mirrored without it: report the words.';

const namesOf = (issue: unknown): readonly string[] =>
  rowsOf(valueAt(issue, 'labels')).map((label) => textAt(label, 'name'));

/** Labels, assignees and milestones, and how GitHub refuses them. */
export const labels: Family = {
  name: 'labels and people',
  cases: [
    {
      id: 'label-of-50',
      assumes: 'The name of a label may have 50 characters.',
      usedIn: ['github/writing/write.ts'],
      expects: 'accepted',
      means: 'Values of the tracker with longer names get no label: shorten them with a rule of the route.',
      observe: async ({ post, fresh }) =>
        outcomeOf(await post('/labels', { name: fresh('label').padEnd(labelMax, 'x'), color: 'ededed' })),
    },
    {
      id: 'label-of-51',
      assumes: 'A longer name is refused, and not cut.',
      usedIn: ['github/writing/write.ts'],
      expects: 'refused',
      means: 'Labels may appear with other names than bugferry expects; shorten them with a rule of the route.',
      observe: async ({ post, fresh }) =>
        (await post('/labels', { name: fresh('label').padEnd(labelMax + 1, 'x'), color: 'ededed' })).taken,
    },
    {
      id: 'label-unknown',
      assumes: 'An issue may name a label that does not exist yet; or it is refused in words about labels.',
      usedIn: ['github/writing/write.ts'],
      expects: 'accepted, or refused as about labels',
      fits: /^(?:accepted|422 about [^:]*labels)/u,
      means: partsMeans,
      observe: async ({ patch, issue, fresh }) =>
        outcomeOf(await patch(`/issues/${(await issue('labelled')).issue}`, { labels: [fresh('label')] })),
    },
    {
      id: 'label-too-long-on-issue',
      assumes: 'An issue with a label that is too long is refused in words about labels.',
      usedIn: ['github/writing/refused-part.ts', 'github/writing/write.ts'],
      expects: '422 about labels',
      fits: /^422 about [^:]*labels/u,
      means: partsMeans,
      observe: async ({ patch, issue, fresh }) =>
        outcomeOf(
          await patch(`/issues/${(await issue('labelled')).issue}`, {
            labels: [fresh('label').padEnd(labelMax + 1, 'x')],
          }),
        ),
    },
    {
      id: 'labels-over-100',
      assumes: 'An issue takes over 100 labels, or refuses them in words about labels.',
      usedIn: ['github/writing/refused-part.ts'],
      expects: 'accepted, or refused as about labels',
      fits: /^(?:accepted|422 about [^:]*labels)/u,
      means: partsMeans,
      async observe({ patch, newIssue, fresh }) {
        const name = fresh('many');
        const names = Array.from({ length: manyLabels }, (_, index) => `${name} ${index + 1}`);
        return outcomeOf(await patch(`/issues/${(await newIssue()).issue}`, { labels: names }));
      },
    },
    {
      id: 'pages-of-100',
      assumes: 'A page of a list may have 100 rows.',
      usedIn: ['github/repository.ts', 'github/connection/paging.ts'],
      expects: '100 rows',
      means: 'Lists take more requests. If pages are shorter and have no Link header, rows are missed: report it.',
      async observe({ get }) {
        const { data, headers } = await get('/labels?per_page=100');
        const rows = rowsOf(data).length;
        if (rows < 100 && headers['link'] === undefined) return untried(`there are only ${rows} labels`);
        return `${rows} rows`;
      },
    },
    {
      id: 'label-taken',
      assumes: 'A label that exists in another case is refused with already_exists.',
      usedIn: ['github/writing/write.ts'],
      expects: 'already_exists',
      means: 'Labels that someone else makes at the same time are dropped from the issue until the next sweep.',
      async observe(scratch) {
        const name = await madeLabel(scratch);
        const answer = await scratch.post('/labels', { name: name.toUpperCase(), color: 'ededed' });
        return answer.faults.includes('already_exists') ? 'already_exists' : outcomeOf(answer);
      },
    },
    {
      id: 'label-in-any-case',
      assumes: 'An issue that names a label in another case gets the label as it is.',
      usedIn: ['github/writing/update.ts'],
      expects: 'the label as it is',
      means: 'Labels that differ by case alone may appear twice; use one spelling in the rules of the route.',
      async observe(scratch) {
        const name = await madeLabel(scratch);
        const { issue } = await scratch.issue('labelled');
        const answer = await scratch.patch(`/issues/${issue}`, { labels: [name.toUpperCase()] });
        if (answer.taken !== 'answered') return outcomeOf(answer);
        return namesOf(answer.data).join() === name ? 'the label as it is' : namesOf(answer.data).join();
      },
    },
    {
      id: 'label-event',
      assumes: 'The events of an issue say who has labelled it.',
      usedIn: ['github/reading/issue-events.ts'],
      expects: 'our account',
      means: 'bugferry cannot say who changed a label, and copies of such changes name no one.',
      async observe(scratch) {
        const name = await madeLabel(scratch);
        const { issue } = await scratch.issue('labelled');
        await scratch.post(`/issues/${issue}/labels`, { labels: [name] });
        return actorOf(
          scratch,
          issue,
          (event) => textAt(event, 'event') === 'labeled' && textAt(event, 'label.name') === name,
        );
      },
    },
    {
      id: 'assignee-unknown',
      assumes: 'An assignee who does not exist is refused in words about assignees.',
      usedIn: ['github/writing/refused-part.ts', 'github/writing/write.ts'],
      expects: '422 about assignees',
      fits: /^422 about [^:]*assignees/u,
      means: partsMeans,
      observe: async ({ patch, issue, fresh }) =>
        outcomeOf(
          await patch(`/issues/${(await issue('labelled')).issue}`, {
            assignees: [fresh('nobody').replaceAll(' ', '-')],
          }),
        ),
    },
    {
      id: 'assignee-set',
      assumes: 'An assignee is shown in assignees.',
      usedIn: ['github/map.ts', 'github/writing/update.ts'],
      expects: 'set, then cleared',
      means: 'Assignees do not cross: remove people from the configuration, or report this.',
      async observe({ patch, issue, home }) {
        if (home.login === null) return untried('the token has no user to assign');
        const { issue: number } = await issue('labelled');
        const logins = (data: unknown) => rowsOf(valueAt(data, 'assignees')).map((user) => textAt(user, 'login'));
        const set = await patch(`/issues/${number}`, { assignees: [home.login] });
        const cleared = await patch(`/issues/${number}`, { assignees: [] });
        if (set.taken !== 'answered') return outcomeOf(set);
        const [one, other] = [logins(set.data), logins(cleared.data)];
        return one.join() === home.login && other.length === 0
          ? 'set, then cleared'
          : `"${one.join()}", then "${other.join()}"`;
      },
    },
    {
      id: 'milestone-unknown',
      assumes: 'A milestone that does not exist is refused in words about milestones.',
      usedIn: ['github/writing/refused-part.ts', 'github/writing/write.ts'],
      expects: '422 about milestone',
      fits: /^422 about [^:]*milestone/u,
      means: partsMeans,
      observe: async ({ patch, issue }) =>
        outcomeOf(await patch(`/issues/${(await issue('labelled')).issue}`, { milestone: 999_999 })),
    },
    {
      id: 'milestone-taken',
      assumes: 'A second milestone with one title is refused with already_exists.',
      usedIn: ['github/writing/milestones.ts'],
      expects: 'already_exists',
      means: 'Milestones may appear twice if two bridges write to one repository.',
      async observe({ post, fresh }) {
        const title = fresh('milestone');
        await post('/milestones', { title });
        const answer = await post('/milestones', { title });
        return answer.faults.includes('already_exists') ? 'already_exists' : outcomeOf(answer);
      },
    },
    {
      id: 'milestone-by-number',
      assumes: 'A new milestone can be read by its number at once.',
      usedIn: ['github/writing/milestones.ts'],
      expects: 'answered',
      means: 'An issue may wait some minutes for its milestone.',
      async observe({ post, get, fresh }) {
        const made = await post('/milestones', { title: fresh('milestone') });
        return (await get(`/milestones/${numberAt(made.data, 'number')}`)).taken;
      },
    },
    {
      id: 'milestone-set',
      assumes: 'A milestone is set by its number, and cleared by null.',
      usedIn: ['github/writing/milestones.ts', 'github/writing/update.ts'],
      expects: 'set, then cleared',
      means: 'Milestones do not cross: set milestones: false in the route.',
      async observe({ post, patch, issue, fresh }) {
        const { issue: number } = await issue('labelled');
        const title = fresh('milestone');
        const made = await post('/milestones', { title });
        const set = await patch(`/issues/${number}`, { milestone: numberAt(made.data, 'number') });
        const cleared = await patch(`/issues/${number}`, { milestone: null });
        if (set.taken !== 'answered') return outcomeOf(set);
        const isSet = textAt(set.data, 'milestone.title') === title;
        return isSet && valueAt(cleared.data, 'milestone') === null
          ? 'set, then cleared'
          : isSet
            ? 'not cleared'
            : 'not set';
      },
    },
    {
      id: 'label-deleted',
      assumes: 'A label that is deleted goes from its issues.',
      usedIn: ['github/reading/names.ts', 'github/map.ts'],
      expects: 'gone',
      means: 'Issues keep a label that the list of labels lacks; delete it from them by hand.',
      async observe(scratch) {
        const name = scratch.fresh('label');
        const { issue } = await scratch.issue('labelled');
        const set = await scratch.patch(`/issues/${issue}`, { labels: [name] });
        if (!namesOf(set.data).includes(name)) return untried(`it could not be set: ${outcomeOf(set)}`);
        await scratch.del(`/labels/${encodeURIComponent(name)}`);
        await scratch.settle();
        return namesOf((await scratch.get(`/issues/${issue}`)).data).includes(name) ? 'still there' : 'gone';
      },
    },
    {
      id: 'milestone-deleted',
      assumes: 'So does a milestone.',
      usedIn: ['github/reading/names.ts', 'github/map.ts'],
      expects: 'gone',
      means: 'Issues keep a milestone that is gone; remove it from them by hand.',
      async observe(scratch) {
        const milestone = await madeMilestone(scratch);
        const { issue } = await scratch.issue('labelled');
        const set = await scratch.patch(`/issues/${issue}`, { milestone });
        if (numberAt(set.data, 'milestone.number') !== milestone)
          return untried(`it could not be set: ${outcomeOf(set)}`);
        await scratch.del(`/milestones/${milestone}`);
        await scratch.settle();
        return valueAt((await scratch.get(`/issues/${issue}`)).data, 'milestone') === null ? 'gone' : 'still there';
      },
    },
  ],
};
