import type { Complaint, Path } from './problem.ts';
import type { WrittenRoute } from './schema.ts';

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
