/** The name of a field in messages of a search, where it differs from the internal one. */
const labels: ReadonlyMap<string, string> = new Map([
  ['bug_id', 'Bug ID'],
  ['product', 'Product'],
  ['component', 'Component'],
  ['classification', 'Classification'],
  ['dependson', 'Depends on'],
  ['blocked', 'Blocks'],
  ['commenter', 'Commenter'],
  ['longdescs.count', 'Number of Comments'],
  ['longdescs.isprivate', 'Comment is private'],
  ['attach_data.thedata', 'Attachment data'],
  ['owner_idle_time', 'Time Since Assignee Touched'],
  ['estimated_time', 'Orig. Est.'],
  ['remaining_time', 'Hours Left'],
  ['work_time', 'Hours Worked'],
  ['percentage_complete', '%Complete'],
]);

export const labelOf = (field: string): string => labels.get(field) ?? field;
