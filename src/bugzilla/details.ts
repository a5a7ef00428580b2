import { z } from 'zod';
import type { Bug, CustomValues } from '../model/item.ts';
import { bugOf, personOf } from './map.ts';
import type { WireBug } from './schema.ts';
import { list, text } from './value.ts';

/** What else has to be asked for, so that a field can be told in words. */
const companions: Readonly<Record<string, readonly string[]>> = { qa_contact: ['qa_contact_detail'] };

/** Names of fields that bugs show besides the usual ones: in words, for the table in the issue, and as they are, for its labels. */
export interface Extras {
  readonly details: readonly string[];
  readonly labels: readonly string[];
}

/** The fields of the tracker's answer that hold these. */
export const extraFields = ({ details, labels }: Extras): readonly string[] => [
  ...new Set([...details.flatMap((name) => [name, ...(companions[name] ?? [])]), ...labels]),
];

/** A bug with what else is asked for. */
export function detailedBug(wire: WireBug, url: string, { details, labels }: Extras): Bug {
  return {
    ...bugOf(wire, url),
    ...(details.length === 0 ? {} : { details: detailsOf(wire, details) }),
    ...(labels.includes('whiteboard') && typeof wire['whiteboard'] === 'string' ? { whiteboard: wire['whiteboard'] } : {}),
    ...(labels.some(isCustom) ? { customs: customsOf(wire, labels) } : {}),
  };
}

const isCustom = (name: string): boolean => name.startsWith('cf_');
const choiceSchema = z.union([z.string(), z.array(z.string())]);

/** What is no choice (a number, a time that is not set) is left out. */
function customsOf(wire: WireBug, names: readonly string[]): CustomValues {
  const shown = names.filter(isCustom).flatMap((name) => {
    const value = choiceSchema.safeParse(wire[name]);
    return value.success ? [[name, value.data] as const] : [];
  });
  return Object.fromEntries(shown);
}

/**
 * Fields for people, in words: names and never addresses, and of those who follow a bug only how many they are. Numbers are left out,
 * because in custom fields they may be bugs that only some may see. A field that was not shown stays absent.
 */
function detailsOf(wire: WireBug, names: readonly string[]): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(names.filter((name) => wire[name] !== undefined).map((name) => [name, wordsOf(wire, name)]));
}

const flagsSchema = z.array(z.object({ name: z.string(), status: z.string(), requestee: text })).catch([]);
const detailSchema = z.object({ real_name: text }).catch({ real_name: '' });
const textsSchema = list.catch([]);

function wordsOf(wire: WireBug, name: string): readonly string[] {
  const value = wire[name];
  if (name === 'cc') return peopleOf(textsSchema.parse(value).length);
  if (name === 'flags') {
    return flagsSchema.parse(value).map(({ name: kind, status, requestee }) => {
      return `${kind}${status}${requestee ? ` (${personOf(requestee, '').name})` : ''}`;
    });
  }
  const texts = textsSchema.parse(value).filter((each) => each !== '' && each !== '---');
  if (name !== 'qa_contact') return texts;
  const { real_name: realName } = detailSchema.parse(wire['qa_contact_detail']);
  return texts.map((login) => personOf(login, realName ?? '').name);
}

const peopleOf = (count: number): readonly string[] => (count === 0 ? [] : [count === 1 ? '1 person' : `${count} people`]);
