import type { Complaint, Path } from './problem.ts';
import type { WrittenRoute } from './schema.ts';

/** GitHub's limit for the name of a label. */
const labelLengthMax = 50;
/** Room that a template must leave for the value: most component and keyword names are shorter. */
const valueLength = 20;
const placeholder = '{value}';

/** Label rules must be readable backwards: from a label to the one field and value that it stands for. */
export function labelComplaints(route: WrittenRoute, path: Path): Complaint[] {
  const complaints = [...statusLabels(route, path)];
  if (route.github.label !== undefined) complaints.push(...nameComplaints(route.github.label, [...path, 'github', 'label']));
  for (const [index, rule] of route.labels.entries()) {
    const at = [...path, 'labels', index];
    const before = route.labels.slice(0, index);
    if (before.some(({ from }) => from === rule.from)) {
      complaints.push({ path: [...at, 'from'], message: `another rule of this route shows ${rule.from} already` });
    }
    const { as } = rule;
    if (typeof as !== 'string') {
      complaints.push(
        ...('type' in as ? typeComplaints(rule.from, as.type, before, [...at, 'as']) : fieldComplaints(as.field, before, [...at, 'as'])),
      );
      continue;
    }
    complaints.push(...templateComplaints(as, [...at, 'as']));
    if (rule.from === 'whiteboard' && rule.both && as === placeholder) complaints.push({ path: [...at, 'as'], message: bareTags });
    if (before.some((other) => typeof other.as === 'string' && other.as.toLowerCase() === as.toLowerCase())) {
      complaints.push({ path: [...at, 'as'], message: 'another rule of this route has the same template; a label could not be read back' });
    }
  }
  return complaints;
}

type Rules = WrittenRoute['labels'];

/** An issue has one type, so that one field may be shown so, of which a bug has one value. */
function typeComplaints(from: string, template: string, before: Rules, path: Path): Complaint[] {
  const complaints: Complaint[] = [];
  if (template.split(placeholder).length !== 2)
    complaints.push({ path: [...path, 'type'], message: `the name of a type must contain ${placeholder} exactly once` });
  if (from === 'keywords' || from === 'whiteboard')
    complaints.push({
      path,
      message: `an issue has one type, and a bug may have several ${from === 'keywords' ? from : 'tags'}; use a label, or a field that takes several options`,
    });
  if (before.some(({ as }) => typeof as !== 'string' && 'type' in as))
    complaints.push({ path, message: 'another rule of this route shows a field as the type of the issue already' });
  return complaints;
}

/** A field of the organisation holds the values of one field of the tracker, as they are. */
function fieldComplaints(field: string, before: Rules, path: Path): Complaint[] {
  const at = [...path, 'field'];
  if (before.some(({ as }) => typeof as !== 'string' && 'field' in as && as.field.toLowerCase() === field.toLowerCase()))
    return [{ path: at, message: `another rule of this route writes to the field ${field} already` }];
  if (!field.includes(placeholder)) return [];
  return [{ path: at, message: `this is the name of a field, without ${placeholder}: the value is written into it as it is` }];
}

/** Any word can be a tag, so only words of the template's own tell such a label from those of people. */
const bareTags = `with both, tags of the whiteboard need a template with words of its own, such as "tag: ${placeholder}"`;

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

/** GitHub trims labels, so one with outer spaces would never be found again. */
function formComplaints(label: string, path: Path): Complaint[] {
  const isTrimmed = label === label.trim() && !/\p{Cc}/u.test(label);
  return isTrimmed ? [] : [{ path, message: 'a label must not begin or end with a space, nor contain line breaks' }];
}

/** What may stand in the folded table: nothing that is a person's address, a group, or the time that somebody worked. */
const fields = ['alias', 'url', 'see_also', 'cc', 'flags', 'deadline', 'qa_contact', 'whiteboard', 'depends_on'];

export function tableComplaints({ table }: WrittenRoute, path: Path): Complaint[] {
  return table.flatMap((name, index) => {
    const at = [...path, 'table', index];
    if (!fields.includes(name) && !/^cf_[a-z0-9_]+$/u.test(name)) {
      return [{ path: at, message: `the table cannot show "${name}"; it shows ${fields.join(', ')} and custom fields (cf_...)` }];
    }
    return table.indexOf(name) < index ? [{ path: at, message: `the table shows ${name} already` }] : [];
  });
}
