import type { Bug } from '../model/item.ts';
import type { Entry, Link } from '../model/link.ts';
import type { RemarkOperation } from '../model/operation.ts';
import type { Route, Vocabulary } from '../model/route.ts';
import { aboutOf } from './about.ts';
import { digestOf } from './digest.ts';
import { remarkMarker } from './marker.ts';
import { labelRemark } from './text/label-remark.ts';
import type { WrongLabel } from './wrong-labels.ts';

/** One explanation for each label that is put right, and one only, however often it is put wrong. */
export function planRemarks(
  { route, vocabulary }: { readonly route: Route; readonly vocabulary: Vocabulary },
  { link, entries, bug }: { readonly link: Link; readonly entries: readonly Entry[]; readonly bug: Bug },
  wrong: readonly WrongLabel[],
): readonly RemarkOperation[] {
  const planned = new Map<string, RemarkOperation>();
  for (const each of wrong) {
    const { deed, label, field } = each;
    const remark = `${deed}-${digestOf(`${field === undefined ? '' : `${field}: `}${label.toLowerCase()}`).slice(0, 16)}`;
    if (isRemarked(entries, remark)) continue;
    const place = { key: `${link.id}:github:remark:${remark}`, link: link.id, about: aboutOf(link, 'github') };
    const text = `${labelRemark(each, bug, vocabulary)}\n\n${remarkMarker(route.instance, remark)}`;
    const answers = { deed, label, ...(field === undefined ? {} : { field }) };
    planned.set(remark, { kind: 'remark', on: 'github', ...place, remark, text, answers });
  }
  return [...planned.values()];
}

export const isRemarked = (entries: readonly Entry[], remark: string): boolean => entries.some((entry) => entry.remark === remark);
