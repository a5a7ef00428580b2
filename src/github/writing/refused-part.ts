/** The parts of an issue that a refusal may be about, by GitHub's words. */
type RefusedPart = 'labels' | 'assignees' | 'milestone' | 'type' | 'fields' | 'duplicate';

/**
 * GitHub's words for fields and duplicates are not documented; neither `field` nor `option` appears in the other
 * refusals.
 */
const words: Readonly<Record<RefusedPart, RegExp>> = {
  labels: /^labels?$/iu,
  assignees: /^assignees?$/iu,
  milestone: /^milestones?$/iu,
  type: /^(?:issue_?)?types?$/iu,
  fields: /issue_?field|\bfield_(?:id|values?)\b|option/iu,
  duplicate: /duplicate|state_reason/iu,
};

export const isAbout = (part: RefusedPart, faults: readonly string[]): boolean =>
  faults.some((fault) => words[part].test(fault));

/** Everything that a refusal is about. */
export const refusedParts = (faults: readonly string[]): readonly RefusedPart[] => {
  const parts: readonly RefusedPart[] = ['labels', 'assignees', 'milestone', 'type', 'fields', 'duplicate'];
  return parts.filter((part) => isAbout(part, faults));
};
