import type { Complaint, Path } from './problem.ts';
import type { WrittenRoute } from './schema/route.ts';

/** GitHub's limit for label names. */
const labelLengthMax = 50;
/** The length that a template must leave for the value: most component and keyword names are shorter. */
const valueLength = 20;
const placeholder = '{value}';

/** Label rules must be reversible: each label must mean exactly one field and value. */
export function labelComplaints(route: WrittenRoute, path: Path): Complaint[] {
  const complaints = [...statusLabels(route, path)];
  if (route.github.label !== undefined)
    complaints.push(...nameComplaints(route.github.label, [...path, 'github', 'label']));
  for (const [index, rule] of route.labels.entries()) {
    const at = [...path, 'labels', index];
    const before = route.labels.slice(0, index);
    if (before.some(({ from }) => from === rule.from)) {
      complaints.push({ path: [...at, 'from'], message: `another rule of this route already shows ${rule.from}` });
    }
    const { as } = rule;
    if (rule.from === 'deadline' && (typeof as === 'string' || 'type' in as))
      complaints.push({ path: [...at, 'as'], message: 'only an issue field shows the deadline: as: { field: ... }' });
    if (typeof as !== 'string') {
      complaints.push(
        ...('type' in as
          ? typeComplaints(rule.from, as.type, before, [...at, 'as'])
          : fieldComplaints(as.field, before, [...at, 'as'])),
      );
      continue;
    }
    complaints.push(...templateComplaints(as, [...at, 'as']));
    if (rule.from === 'whiteboard' && rule.both && as === placeholder)
      complaints.push({ path: [...at, 'as'], message: bareTags });
    if (before.some((other) => typeof other.as === 'string' && other.as.toLowerCase() === as.toLowerCase())) {
      complaints.push({
        path: [...at, 'as'],
        message: 'another rule of this route has the same template; a label could not be read back',
      });
    }
  }
  return complaints;
}

type Rules = WrittenRoute['labels'];

/** An issue has one type, so only one field can become the type, and a bug must have one value of it. */
function typeComplaints(from: string, template: string, before: Rules, path: Path): Complaint[] {
  const complaints: Complaint[] = [];
  if (template.split(placeholder).length !== 2)
    complaints.push({
      path: [...path, 'type'],
      message: `the name of a type must contain ${placeholder} exactly once`,
    });
  if (from === 'keywords' || from === 'whiteboard')
    complaints.push({
      path,
      message: `an issue has one type, and a bug may have several ${from === 'keywords' ? from : 'tags'}; use a label, or a field that takes several options`,
    });
  if (before.some(({ as }) => typeof as !== 'string' && 'type' in as))
    complaints.push({ path, message: 'another rule of this route already sets the type of the issue' });
  return complaints;
}

/** An issue field holds the unchanged values of one tracker field. */
function fieldComplaints(field: string, before: Rules, path: Path): Complaint[] {
  const at = [...path, 'field'];
  if (
    before.some(({ as }) => typeof as !== 'string' && 'field' in as && as.field.toLowerCase() === field.toLowerCase())
  )
    return [{ path: at, message: `another rule of this route already writes to the field ${field}` }];
  if (!field.includes(placeholder)) return [];
  return [
    {
      path: at,
      message: `this must be the name of a field, without ${placeholder}: the field gets the unchanged value`,
    },
  ];
}

/** Any word can be a tag, so only fixed words in the template distinguish its labels from others. */
const bareTags = `with both, whiteboard tags need a template with fixed words, such as "tag: ${placeholder}"`;

function templateComplaints(template: string, path: Path): Complaint[] {
  const parts = template.split(placeholder);
  if (parts.length !== 2) return [{ path, message: `a label template must contain ${placeholder} exactly once` }];
  const room = labelLengthMax - parts.join('').length;
  const complaints = formComplaints(template, path);
  if (room >= valueLength) return complaints;
  const message = `the template leaves ${Math.max(room, 0)} characters for the value; labels have at most ${labelLengthMax}, and values need ${valueLength}`;
  return [...complaints, { path, message }];
}

function statusLabels(route: WrittenRoute, path: Path): Complaint[] {
  return Object.entries(route.status.toGithub).flatMap(([status, shown]) => {
    if (typeof shown === 'string' || typeof shown.open !== 'object') return [];
    const { label } = shown.open;
    const at = [...path, 'status', 'toGithub', status, 'open', 'label'];
    const claimed = route.labels.filter(({ as }) => typeof as === 'string' && as !== placeholder && fits(label, as));
    const complaints = claimed.map((rule) => ({
      path: at,
      message: `the label of ${status} also fits the rule for ${rule.from}, "${String(rule.as)}"`,
    }));
    return [...nameComplaints(label, at), ...complaints];
  });
}

function fits(label: string, template: string): boolean {
  const [before = '', after = ''] = template.toLowerCase().split(placeholder);
  const name = label.toLowerCase();
  return name.length > before.length + after.length && name.startsWith(before) && name.endsWith(after);
}

function nameComplaints(label: string, path: Path): Complaint[] {
  if (label.length <= labelLengthMax) return formComplaints(label, path);
  return [{ path, message: `a label has at most ${labelLengthMax} characters, and this one has ${label.length}` }];
}

/** GitHub trims labels, so one with outer spaces would never match again. */
function formComplaints(label: string, path: Path): Complaint[] {
  const isTrimmed = label === label.trim() && !/\p{Cc}/u.test(label);
  return isTrimmed ? [] : [{ path, message: 'a label must not begin or end with a space, nor contain line breaks' }];
}

/** The fields allowed in the collapsed table: no addresses of people, no groups, no hours worked. */
const fields = [
  'alias',
  'url',
  'see_also',
  'cc',
  'flags',
  'deadline',
  'qa_contact',
  'whiteboard',
  'depends_on',
  'votes',
];

export function tableComplaints({ table }: WrittenRoute, path: Path): Complaint[] {
  return table.flatMap((name, index) => {
    const at = [...path, 'table', index];
    if (!fields.includes(name) && !/^cf_[a-z0-9_]+$/u.test(name)) {
      return [
        {
          path: at,
          message: `the table cannot show "${name}"; it shows ${fields.join(', ')} and custom fields (cf_...)`,
        },
      ];
    }
    return table.indexOf(name) < index ? [{ path: at, message: `the table already shows ${name}` }] : [];
  });
}
