import type { Family, Observation } from '../case.ts';
import type { Answer } from '../port.ts';
import { NoScratch, outcomeOf, type Scratch } from '../scratch.ts';
import { numberAt, rowsOf, textAt, timeAt, valueAt } from '../value.ts';

const accept = 'application/vnd.github.golden-comet-preview+json';
const importMeans =
  'bugferry migrate cannot use imports here: run it with --writer api, which notifies people and takes longer.';
const numbersMeans = 'bugferry migrate --numbers keep stops when a number is taken: migrate with free numbers.';

const pollMs = 2_000;
const patienceMs = 3 * 60_000;

/** The dates of an imported issue and of its comment. */
const dates = { created: '2001-02-03T04:05:06Z', commented: '2001-02-04T04:05:06Z', closed: '2001-02-05T04:05:06Z' };

const begin = (
  { send, home }: Scratch,
  issue: Readonly<Record<string, unknown>>,
  comments: readonly unknown[] = [],
): Promise<Answer> => send({ method: 'POST', path: `${home.path}/import/issues`, accept, body: { issue, comments } });

/** The job of an import once it has ended, or as it last was. */
async function ended(scratch: Scratch, begun: Answer, beganAt: number): Promise<unknown> {
  if (begun.taken !== 'answered') throw new NoScratch(begun.why ?? 'an import could not be made');
  const since = `${new Date(beganAt - 60_000).toISOString().slice(0, 19)}Z`;
  const startedAt = scratch.port.now();
  for (;;) {
    const { data } = await scratch.send({
      method: 'GET',
      path: `${scratch.home.path}/import/issues?since=${since}&per_page=100`,
      accept,
    });
    const job = rowsOf(data).find((each) => numberAt(each, 'id') === numberAt(begun.data, 'id'));
    if (/^(?:imported|failed)$/u.test(textAt(job, 'status')) || scratch.port.now() - startedAt > patienceMs) return job;
    await scratch.sleep(pollMs);
  }
}

const numberIn = (job: unknown): number => Number(/\/issues\/(\d+)\/?$/u.exec(textAt(job, 'issue_url'))?.[1]);

/** Imports a closed issue with a comment, and answers its number. */
async function imported(scratch: Scratch): Promise<number> {
  const issue = {
    title: scratch.title(scratch.fresh('import')),
    body: 'Made by bugferry rehearse.',
    created_at: dates.created,
    updated_at: dates.closed,
    closed: true,
    closed_at: dates.closed,
    labels: [scratch.fresh('label')],
  };
  const comments = [
    { body: 'first', created_at: dates.commented },
    { body: 'second', created_at: dates.commented },
  ];
  const begun = await begin(scratch, issue, comments);
  const number = numberIn(await ended(scratch, begun, begun.readAt));
  if (Number.isNaN(number)) throw new NoScratch('an import did not end');
  await scratch.settle();
  return number;
}

/** The imported issue that several cases look at. */
async function shared(scratch: Scratch): Promise<number> {
  const { issue } = await scratch.shared('import', async () => ({ issue: await imported(scratch), id: 0, node: '' }));
  return issue;
}

async function failed(scratch: Scratch): Promise<Observation> {
  const assignee = scratch.fresh('nobody').replaceAll(' ', '-');
  const begun = await begin(scratch, { title: scratch.title(scratch.fresh('import')), body: '', assignee });
  if (begun.taken !== 'answered') return outcomeOf(begun);
  const job = await ended(scratch, begun, begun.readAt);
  const faults = rowsOf(valueAt(job, 'errors')).map((error) => textAt(error, 'field') || textAt(error, 'location'));
  return `${textAt(job, 'status') || 'no status'}, naming ${faults.join(' and ') || 'nothing'}`;
}

/** Whole issues, imported with their dates. */
export const imports: Family = {
  name: 'imports',
  cases: [
    {
      id: 'import-begins',
      assumes: 'An import is accepted with 202, a number of its own and a status.',
      usedIn: ['github/imports/importer.ts'],
      needs: ['admin'],
      expects: '202, pending',
      fits: /^202, (?:pending|importing|imported)$/u,
      means: importMeans,
      async observe(scratch) {
        const begun = await begin(scratch, {
          title: scratch.title(scratch.fresh('import')),
          body: 'Made by bugferry rehearse.',
        });
        if (begun.taken !== 'answered') return outcomeOf(begun);
        await ended(scratch, begun, begun.readAt);
        return `${begun.status}, ${Number.isNaN(numberAt(begun.data, 'id')) ? 'no number' : textAt(begun.data, 'status')}`;
      },
    },
    {
      id: 'import-ends',
      assumes: 'The list of imports shows it as imported within three minutes, with the address of its issue.',
      usedIn: ['github/imports/importer.ts', 'migrate/in-flight.ts'],
      needs: ['admin'],
      expects: 'imported, with an address',
      means: importMeans,
      async observe(scratch) {
        const begun = await begin(scratch, {
          title: scratch.title(scratch.fresh('import')),
          body: 'Made by bugferry rehearse.',
        });
        if (begun.taken !== 'answered') return outcomeOf(begun);
        const job = await ended(scratch, begun, begun.readAt);
        return `${textAt(job, 'status') || 'not listed'}, with ${Number.isNaN(numberIn(job)) ? 'no address' : 'an address'}`;
      },
    },
    {
      id: 'import-time',
      assumes: 'An import says when it began, in a time with its zone.',
      usedIn: ['github/imports/importer.ts'],
      needs: ['admin'],
      expects: 'a time within a minute',
      means:
        'After an interruption, bugferry migrate may not find its imports and make issues twice: do not interrupt it.',
      async observe(scratch) {
        const begun = await begin(scratch, {
          title: scratch.title(scratch.fresh('import')),
          body: 'Made by bugferry rehearse.',
        });
        if (begun.taken !== 'answered') return outcomeOf(begun);
        await ended(scratch, begun, begun.readAt);
        const text = textAt(begun.data, 'created_at');
        if (!/^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/u.test(text)) return `"${text}"`;
        return Math.abs(Date.parse(text) - begun.readAt) < 60_000 ? 'a time within a minute' : text;
      },
    },
    {
      id: 'import-dates',
      assumes: 'An imported issue keeps the dates of its creation and closing.',
      usedIn: ['github/imports/importer.ts'],
      needs: ['admin'],
      expects: 'the dates of the import',
      means: 'Migrated issues show the date of the migration; their bodies still tell the date of the bug.',
      async observe(scratch) {
        const { data } = await scratch.get(`/issues/${await shared(scratch)}`);
        const isKept =
          timeAt(data, 'created_at') === Date.parse(dates.created) &&
          timeAt(data, 'closed_at') === Date.parse(dates.closed);
        return isKept
          ? 'the dates of the import'
          : `${textAt(data, 'created_at')}, closed ${textAt(data, 'closed_at') || 'never'}`;
      },
    },
    {
      id: 'import-state',
      assumes: 'An imported issue may be closed, and have labels that do not exist yet.',
      usedIn: ['github/imports/importer.ts', 'migrate/import-bugs.ts'],
      needs: ['admin'],
      expects: 'closed, 1 label',
      means: 'Migrated issues are closed and labelled one by one afterwards, which takes longer.',
      async observe(scratch) {
        const { data } = await scratch.get(`/issues/${await shared(scratch)}`);
        return `${textAt(data, 'state')}, ${rowsOf(valueAt(data, 'labels')).length} label`;
      },
    },
    {
      id: 'import-comments',
      assumes: 'Its comments keep their order and their dates.',
      usedIn: ['github/imports/importer.ts'],
      needs: ['admin'],
      expects: 'first, second, with their dates',
      means: 'Migrated comments may stand in another order, or show the date of the migration.',
      async observe(scratch) {
        const rows = rowsOf((await scratch.get(`/issues/${await shared(scratch)}/comments?per_page=100`)).data);
        const isDated =
          rows.length > 0 && rows.every((row) => timeAt(row, 'created_at') === Date.parse(dates.commented));
        return `${rows.map((row) => textAt(row, 'body')).join(', ') || 'none'}, with ${isDated ? 'their' : 'other'} dates`;
      },
    },
    {
      id: 'import-refused',
      assumes: 'An import with an unknown assignee fails later, and its errors name the assignee.',
      usedIn: ['github/imports/importer.ts', 'migrate/in-flight.ts'],
      needs: ['admin'],
      expects: 'failed, naming assignee',
      fits: /^failed, naming (?:\/issue\/)?assignee$/u,
      means: 'Bugs with an assignee whom GitHub does not know are parked by bugferry migrate: remove them from people.',
      observe: failed,
    },
    {
      id: 'import-number',
      assumes: 'One import after the other takes the next numbers, and a failed one takes none.',
      usedIn: ['migrate/in-flight.ts'],
      needs: ['admin'],
      expects: 'the next two numbers',
      means: numbersMeans,
      async observe(scratch) {
        const first = await imported(scratch);
        await failed(scratch);
        const second = await imported(scratch);
        return second === first + 1 ? 'the next two numbers' : `${first}, then ${second}`;
      },
    },
  ],
};
