import { type Case, type Family, untried } from '../case.ts';
import { type FieldOfHome, fieldsListed, fieldsQuery, fieldsShown } from '../fields-of-home.ts';
import type { Answer } from '../port.ts';
import { actorOf, outcomeOf, type Scratch } from '../scratch.ts';
import { rowsOf, textAt, valueAt } from '../value.ts';
import { type ChosenField, setOption, valuesWith, withOption } from './made.ts';

const partsMeans = 'An issue with such a value is parked as a whole instead of mirrored without it: report the words.';
const fieldsMeans = 'Values of fields do not cross: use labels instead of fields in the rules of the route.';

/** The option that an issue shows for a field; null for none. */
async function optionOn({ get, settle }: Scratch, issue: number, field: FieldOfHome): Promise<string | null> {
  await settle();
  const { data } = await get(`/issues/${issue}`);
  const found = rowsOf(valueAt(data, 'issue_field_values')).find(
    (value) => textAt(value, 'issue_field_name') === field.name,
  );
  return textAt(found, 'single_select_option.name') || textAt(found, 'multi_select_options.0.name') || null;
}

/** Whether an issue shows the option that was set. */
async function optionShown(scratch: Scratch, issue: number, field: ChosenField): Promise<string> {
  const shown = await optionOn(scratch, issue, field);
  return shown === field.option ? 'shown by its name' : `shown as ${shown}`;
}

function createWith({ post, title, fresh }: Scratch, field: FieldOfHome, option: string): Promise<Answer> {
  return post('/issues', { title: title(fresh('issue')), issue_field_values: valuesWith(field, option) });
}

/** What is written into a field of each kind without options, and has to come back unchanged. */
const written = {
  text: `two  spaces, "quotes", \u{1f41b} and ${'x'.repeat(100)}`,
  number: 1234.5,
  date: '2026-02-28',
} as const;

/** A value of such a field: that it comes back as it was written. */
const kept = (kind: keyof typeof written, assumes: string): Case => ({
  id: `field-${kind}`,
  assumes,
  usedIn: ['github/writing/field-values.ts', 'github/map.ts'],
  needs: ['fields'],
  expects: 'as written',
  means: fieldsMeans,
  async observe(scratch) {
    const field = scratch.home.fields.find((each) => each.kind === kind);
    if (field === undefined) return untried(`no field holds a ${kind}`);
    const { issue } = await scratch.issue('typed');
    const answer = await scratch.post(`/issues/${issue}/issue-field-values`, {
      issue_field_values: [{ field_id: field.id, value: written[kind] }],
    });
    if (answer.taken !== 'answered') return outcomeOf(answer);
    await scratch.settle();
    const { data } = await scratch.get(`/issues/${issue}`);
    const rows = rowsOf(valueAt(data, 'issue_field_values'));
    const shown = valueAt(
      rows.find((row) => textAt(row, 'issue_field_name') === field.name),
      'value',
    );
    return shown === written[kind] ? 'as written' : JSON.stringify(shown ?? null).slice(0, 200);
  },
});

const inWords = (fields: readonly FieldOfHome[]): string =>
  fields
    .map(({ id, name, kind, option }) => [id, name, kind, option ?? ''].join(' '))
    .sort()
    .join(', ');

/** Types and fields of issues. */
export const fields: Family = {
  name: 'types and fields',
  cases: [
    {
      id: 'type-unknown',
      assumes: 'A type that does not exist is refused in words about types.',
      usedIn: ['github/writing/refused-part.ts', 'github/writing/write.ts'],
      needs: ['types'],
      expects: '422 about type',
      fits: /^422 about [^:]*type/u,
      means: partsMeans,
      observe: async ({ patch, issue, fresh }) =>
        outcomeOf(await patch(`/issues/${(await issue('typed')).issue}`, { type: fresh('type') })),
    },
    {
      id: 'type-set',
      assumes: 'A type is set by its name, and cleared by null.',
      usedIn: ['github/writing/update.ts', 'github/map.ts'],
      needs: ['types'],
      expects: 'set, then cleared',
      means: 'Types do not cross: use labels instead of types in the rules of the route.',
      async observe({ patch, issue, home }) {
        const { issue: number } = await issue('typed');
        const set = await patch(`/issues/${number}`, { type: home.types[0] });
        const cleared = await patch(`/issues/${number}`, { type: null });
        if (set.taken !== 'answered') return outcomeOf(set);
        const isSet = textAt(set.data, 'type.name') === home.types[0];
        return isSet && !valueAt(cleared.data, 'type') ? 'set, then cleared' : isSet ? 'not cleared' : 'not set';
      },
    },
    {
      id: 'type-event',
      assumes: 'The events of an issue say who has set its type.',
      usedIn: ['github/reading/issue-events.ts'],
      needs: ['types'],
      expects: 'our account',
      means: 'bugferry cannot say who changed a type, and copies of such changes name no one.',
      async observe(scratch) {
        const { issue } = await scratch.newIssue();
        const [type] = scratch.home.types;
        await scratch.patch(`/issues/${issue}`, { type });
        return actorOf(scratch, issue, (event) => textAt(event, 'issue_type.name') === type);
      },
    },
    {
      id: 'fields-of-owner',
      assumes: 'GraphQL lists the fields of a repository, as REST lists those of its organisation.',
      usedIn: ['github/reading/offered-fields.ts'],
      needs: ['fields'],
      expects: 'both list the same fields',
      fits: /^(?:both list the same fields|only \S+ lists fields)$/u,
      means: 'Fields may be missing for bugferry: compare what bugferry check lists with the settings of the owner.',
      async observe({ graphql, send, home }) {
        const path = `/orgs/${encodeURIComponent(home.owner)}/issue-fields`;
        const [listed, shown] = [
          fieldsListed((await send({ method: 'GET', path })).data),
          fieldsShown((await graphql(fieldsQuery(home))).data),
        ];
        if (listed.length === 0) return 'only GraphQL lists fields';
        if (shown.length === 0) return 'only REST lists fields';
        return inWords(listed) === inWords(shown)
          ? 'both list the same fields'
          : `REST lists ${inWords(listed)}, GraphQL ${inWords(shown)}`;
      },
    },
    {
      id: 'field-set',
      assumes: 'A field with options is set by the name of an option, and the issue shows that name.',
      usedIn: ['github/writing/update.ts', 'github/writing/field-values.ts'],
      needs: ['fields'],
      expects: 'shown by its name',
      means: fieldsMeans,
      observe: withOption(async (scratch, field) => {
        const { issue } = await scratch.issue('typed');
        const answer = await setOption(scratch, issue, field, field.option);
        return answer.taken === 'answered' ? optionShown(scratch, issue, field) : outcomeOf(answer);
      }),
    },
    kept('text', 'A text keeps its spaces and all characters.'),
    kept('number', 'A number may have decimal places.'),
    kept('date', 'A date is a day without a time.'),
    {
      id: 'field-event',
      assumes: 'An event tells who set a field of an issue.',
      usedIn: ['github/reading/issue-events.ts'],
      needs: ['fields'],
      expects: 'our account',
      means: 'An explanation of a field that bugferry resets comes also to programs.',
      observe: withOption(async (scratch, field) => {
        const { issue } = await scratch.newIssue();
        const answer = await setOption(scratch, issue, field, field.option);
        if (answer.taken !== 'answered') return outcomeOf(answer);
        return actorOf(scratch, issue, (event) => textAt(event, 'event').startsWith('issue_field_'));
      }),
    },
    {
      id: 'field-at-creation',
      assumes: 'A new issue may have values of fields.',
      usedIn: ['github/writing/write.ts'],
      needs: ['fields'],
      expects: 'shown by its name',
      means: fieldsMeans,
      observe: withOption(async (scratch, field) => {
        const made = await createWith(scratch, field, field.option);
        return made.taken === 'answered'
          ? optionShown(scratch, Number(valueAt(made.data, 'number')), field)
          : outcomeOf(made);
      }),
    },
    {
      id: 'field-cleared',
      assumes: 'DELETE clears one field.',
      usedIn: ['github/writing/update.ts'],
      needs: ['fields'],
      expects: 'cleared',
      means: fieldsMeans,
      observe: withOption(async (scratch, field) => {
        const { issue } = await scratch.issue('typed');
        await setOption(scratch, issue, field, field.option);
        const answer = await scratch.del(`/issues/${issue}/issue-field-values/${field.id}`);
        if (answer.taken !== 'answered') return outcomeOf(answer);
        return (await optionOn(scratch, issue, field)) === null ? 'cleared' : 'still set';
      }),
    },
    {
      id: 'field-cleared-twice',
      assumes: 'Clearing a field that is empty answers 404.',
      usedIn: ['github/writing/update.ts'],
      needs: ['fields'],
      expects: 'missing',
      fits: /^(?:missing|answered)$/u,
      means: 'The operation is parked, and bugferry retry does not help: report the words.',
      observe: withOption(async ({ newIssue, del }, { id }) => {
        const { issue } = await newIssue();
        return (await del(`/issues/${issue}/issue-field-values/${id}`)).taken;
      }),
    },
    {
      id: 'option-unknown',
      assumes: 'An option that does not exist is refused as a whole, with the reason in the answer.',
      usedIn: ['github/writing/update.ts', 'github/writing/field-values.ts'],
      needs: ['fields'],
      expects: 'refused, with a reason',
      means: 'Other fields of the same bug may be lost or parked: report the words.',
      observe: withOption(async (scratch, field) => {
        const { issue } = await scratch.issue('typed');
        const answer = await setOption(scratch, issue, field, scratch.fresh('option'));
        return answer.taken === 'refused' && answer.faults.length > 0 ? 'refused, with a reason' : outcomeOf(answer);
      }),
    },
    {
      id: 'option-unknown-at-creation',
      assumes: 'A new issue with such an option is refused in words about fields.',
      usedIn: ['github/writing/refused-part.ts', 'github/writing/write.ts'],
      needs: ['fields'],
      expects: '422 about fields',
      fits: /^422 about [^:]*fields/u,
      means: partsMeans,
      observe: withOption(async (scratch, field) =>
        outcomeOf(await createWith(scratch, field, scratch.fresh('option'))),
      ),
    },
  ],
};
