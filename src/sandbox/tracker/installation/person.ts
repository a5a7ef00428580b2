import type { TrackerState } from '../world/state.ts';
import { way } from './versions.ts';

/** A person as bugs and attachments show them, with the keys of the version. */
export function personRecord(state: TrackerState, login: string): Record<string, unknown> {
  const user = state.users.find((candidate) => candidate.login === login);
  const record = { id: user?.id ?? 0, name: login, real_name: user?.realName ?? '' };
  switch (way(state, 'people')) {
    case 'short':
      return record;
    case 'email':
      return { ...record, email: login };
    case 'nick':
      return { ...record, email: login, nick: nickOf(login) };
  }
}

export const nickOf = (login: string): string => login.split('@')[0] ?? '';
