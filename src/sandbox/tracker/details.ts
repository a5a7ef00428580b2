import type { Bug, CustomValues } from '../../model/item.ts';
import { flagName } from './attachments/flags.ts';
import type { TrackerBug, TrackerState } from './world/state.ts';

/** What a bug shows besides the usual: in words, for tables, and as it is, for labels. */
export function furtherFields(
  state: TrackerState,
  bug: TrackerBug,
  { details, labels }: { readonly details: readonly string[]; readonly labels: readonly string[] },
): Pick<Bug, 'details' | 'whiteboard' | 'customs'> {
  return {
    ...(details.length === 0 ? {} : { details: detailsOf(state, bug, details) }),
    ...(labels.includes('whiteboard') ? { whiteboard: bug.whiteboard } : {}),
    ...(labels.some((name) => name.startsWith('cf_')) ? { customs: choicesOf(bug, labels) } : {}),
  };
}

/** Further fields of a bug in words, as the edge tells them: names instead of logins, and of those who follow it the number. */
function detailsOf(state: TrackerState, bug: TrackerBug, names: readonly string[]): NonNullable<Bug['details']> {
  return Object.fromEntries(names.flatMap((name) => (isTold(bug, name) ? [[name, wordsOf(state, bug, name)]] : [])));
}

/** Custom fields as they are kept, as far as they hold choices. */
function choicesOf(bug: TrackerBug, names: readonly string[]): CustomValues {
  const shown = names.flatMap((name): readonly (readonly [string, string | readonly string[]])[] => {
    const value: unknown = bug.custom[name];
    if (typeof value === 'string') return [[name, value]];
    return Array.isArray(value) ? [[name, value.map(String)]] : [];
  });
  return Object.fromEntries(shown);
}

const isTold = (bug: TrackerBug, name: string): boolean => name in bug || name in bug.custom;

function wordsOf(state: TrackerState, bug: TrackerBug, name: string): readonly string[] {
  const nameOf = (login: string): string => {
    const realName = state.users.find((user) => user.login === login)?.realName ?? '';
    return realName === '' || realName.includes('@') ? (login.split('@')[0] ?? login) : realName;
  };
  switch (name) {
    case 'cc':
      return bug.cc.length === 0 ? [] : [bug.cc.length === 1 ? '1 person' : `${bug.cc.length} people`];
    case 'flags':
      return bug.flags.map(({ type, status, requestee }) => {
        return `${flagName(type)}${status}${requestee === null ? '' : ` (${requestee.split('@')[0]})`}`;
      });
    case 'qa_contact':
      return bug.qa_contact === '' ? [] : [nameOf(bug.qa_contact)];
    default: {
      const value: unknown = Object.entries(bug).find(([field]) => field === name)?.[1] ?? bug.custom[name];
      return [value].flat().filter((each): each is string => typeof each === 'string' && each !== '' && each !== '---');
    }
  }
}
