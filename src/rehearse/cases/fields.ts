import { type Family, type Observation, untried } from '../case.ts';
import type { FieldOfHome } from '../home.ts';
import type { Answer } from '../port.ts';
import { actorOf, outcomeOf, type Scratch } from '../scratch.ts';
import { rowsOf, textAt, valueAt } from '../value.ts';

const partsMeans = 'An issue with such a value is parked as a whole instead of mirrored without it: report the words.';
const fieldsMeans = 'Values of fields do not cross: use labels instead of fields in the rules of the route.';

interface ChosenField extends FieldOfHome {
  readonly option: string;
}

const hasOption = (field: FieldOfHome): field is ChosenField => field.option !== null;

/** Observes with a field that has options, if the organisation has one. */
const withOption =
  (observe: (scratch: Scratch, field: ChosenField) => Promise<Observation>) =>
  async (scratch: Scratch): Promise<Observation> => {
    const field = scratch.home.fields.find(hasOption);
    return field === undefined ? untried('no field has options') : observe(scratch, field);
  };

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

const valuesWith = ({ id, kind }: FieldOfHome, option: string) => [
  { field_id: id, value: kind === 'multi_select' ? [option] : option },
];

function setOption({ post }: Scratch, issue: number, field: FieldOfHome, option: string): Promise<Answer> {
  return post(`/issues/${issue}/issue-field-values`, { issue_field_values: valuesWith(field, option) });
}

function createWith({ post, title, fresh }: Scratch, field: FieldOfHome, option: string): Promise<Answer> {
  return post('/issues', { title: title(fresh('issue')), issue_field_values: valuesWith(field, option) });
}

/** Types and fields of issues, which only organisations have. */
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
