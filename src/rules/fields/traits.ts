import { type CustomName, type FieldName, fieldNames } from '../../model/item.ts';
import { isCustom } from '../../text/canonical.ts';

/** The properties that distinguish one field from another. All other code treats fields alike. */
interface FieldTraits {
  /**
   * A side may have no counterpart of the other side's value, such as an unlisted person or a missing milestone. Then
   * the field is not compared, the agreed value lapses, and the value is copied as soon as there is a counterpart. A
   * new issue may lack it, and a new bug may get a default.
   */
  readonly mayLackCounterpart: boolean;
  /** The edges check it for changes right before they write; a different answer is therefore the server's doing. */
  readonly isCheckedFirst: boolean;
  /** Only the tracker changes it, on every route. */
  readonly isTrackers: boolean;
}

const plain: FieldTraits = { mayLackCounterpart: false, isCheckedFirst: false, isTrackers: false };

const traits: Readonly<Record<Exclude<FieldName, CustomName>, FieldTraits>> = {
  title: { ...plain, isCheckedFirst: true },
  status: plain,
  component: plain,
  severity: plain,
  priority: plain,
  platform: plain,
  op_sys: plain,
  version: plain,
  keywords: plain,
  whiteboard: plain,
  assignee: { ...plain, mayLackCounterpart: true, isCheckedFirst: true },
  milestone: { ...plain, mayLackCounterpart: true, isCheckedFirst: true },
  dependsOn: plain,
  table: { ...plain, isTrackers: true },
};

export const traitsOfField = (field: FieldName): FieldTraits => (isCustom(field) ? plain : traits[field]);

/** The fields of which a side may have no counterpart. */
export const lapsing: readonly FieldName[] = fieldNames.filter((field) => traits[field].mayLackCounterpart);
