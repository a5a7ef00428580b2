import { isOpen, resolutions, statuses } from '../installation/workflow.ts';
import { type Clause, type Condition, clause, condition, customSearch, olderCharts } from './clause.ts';
import { fieldNumbers, type Parameters, textIn } from './parameters.ts';
import type { Scope } from './scope.ts';

/** The whole search as one clause. */
export function searchClause(scope: Scope, parameters: Parameters): Clause {
  const usual = withKnownValues(parameters);
  const numbers = fieldNumbers(usual);
  return clause([
    clause(fieldConditions(scope, usual)),
    ...personClauses(usual),
    changeClause(usual),
    clause(deadlineConditions(usual)),
    olderCharts(usual),
    ...(numbers.length === 0 ? [] : [customSearch(usual, numbers)]),
  ]);
}

/** Drops statuses that do not exist; if none or all remain, the status does not matter. The same for resolutions. */
function withKnownValues(parameters: Parameters): Parameters {
  const usual = new Map(parameters);
  const asked = usual.get('bug_status')?.map((status) => status.trim());
  if (asked !== undefined && (textIn(usual, 'bug_status_type') ?? 'anyexact') === 'anyexact') {
    const known = statuses.filter(
      (status) =>
        asked.includes(status) ||
        asked.includes('__all__') ||
        asked.includes(isOpen(status) ? '__open__' : '__closed__'),
    );
    if (known.length === statuses.length) usual.delete('bug_status');
    else usual.set('bug_status', known);
  }
  const legal = usual.get('resolution')?.filter((name) => ['---', ...resolutions].includes(name.trim()));
  if (legal?.length === resolutions.length) usual.delete('resolution');
  return usual;
}

/** Every field is also a parameter, with an underscore for the dot in its name; `NAME_type` is the kind of match. */
function fieldConditions(scope: Scope, parameters: Parameters): readonly Condition[] {
  return Object.entries(scope.fields).flatMap(([name, field]) => {
    const parameter = name.replaceAll('.', '_');
    const values = parameters.get(parameter);
    if (values === undefined) return [];
    const operator = textIn(parameters, `${parameter}_type`) || (name === 'content' ? 'matches' : 'anyexact');
    return [condition(name, operator, field.isChoice ? values : values.join(','))];
  });
}

const roles = ['assigned_to', 'reporter', 'cc', 'qa_contact'] as const;

/** `email1` with `emailtype1` and the roles to search: `emailassigned_to1`, `emailreporter1`, `emailcc1` and so on. */
function personClauses(parameters: Parameters): readonly Clause[] {
  return [...parameters.keys()].flatMap((name) => {
    const id = /^email(\d+)$/.exec(name)?.[1];
    const email = textIn(parameters, name)?.trim() ?? '';
    if (id === undefined || email === '' || email === '0') return [];
    const type = textIn(parameters, `emailtype${id}`) || 'anyexact';
    const operator = type === 'exact' ? 'equals' : type;
    const isAsked = (role: string): boolean => !['', '0'].includes(textIn(parameters, `email${role}${id}`) ?? '');
    const fields = [...roles.filter(isAsked), ...(isAsked('longdesc') ? ['commenter'] : [])];
    return [
      clause(
        fields.map((field) => condition(field, operator, email)),
        'OR',
      ),
    ];
  });
}

/**
 * `chfield` with `chfieldfrom`, `chfieldto` and `chfieldvalue`: what changed, when and to which value. Without a field,
 * any change.
 */
function changeClause(parameters: Parameters): Clause {
  const timeOf = (name: string): string => {
    const text = (textIn(parameters, name) ?? '').trim().toLowerCase();
    return text === 'now' || text === '0' ? '' : text;
  };
  const [from, to, value] = [timeOf('chfieldfrom'), timeOf('chfieldto'), textIn(parameters, 'chfieldvalue') ?? ''];
  if (from === '' && to === '' && value === '') return clause([]);
  const fields = (parameters.get('chfield') ?? []).map((name) => (name === '[Bug creation]' ? 'creation_ts' : name));
  const end = /^\d{4}-\d{1,2}-\d{1,2}$/.test(to) ? `${to} 23:59:59` : to;
  const isWhenever = fields.length === 0 && value === '';
  const changes = fields.map((name) =>
    clause(
      [
        ...(value === '' ? [] : [condition(name, 'changedto', value)]),
        ...(from === '' ? [] : [condition(name, 'changedafter', from)]),
        ...(to === '' ? [] : [condition(name, 'changedbefore', end)]),
      ],
      'AND_G',
    ),
  );
  return clause([
    condition('delta_ts', 'greaterthaneq', from),
    condition('delta_ts', 'lessthaneq', isWhenever ? to : ''),
    clause(changes, 'OR'),
  ]);
}

const deadlineConditions = (parameters: Parameters): readonly Condition[] => [
  condition('deadline', 'greaterthaneq', textIn(parameters, 'deadlinefrom')),
  condition('deadline', 'lessthaneq', textIn(parameters, 'deadlineto')),
];
