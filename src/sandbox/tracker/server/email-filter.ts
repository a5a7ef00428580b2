import { isOn } from '../installation/settings.ts';
import type { Viewer } from '../installation/users.ts';
import type { TrackerState } from '../world/state.ts';

/** The fields in which answers name people. The writer of a history entry is not among them: that one is shown in full. */
const people = ['assigned_to', 'creator', 'qa_contact', 'cc', 'email', 'setter', 'requestee', 'default_assigned_to', 'default_qa_contact'];

/** Where the installation wants it so, strangers see addresses without what stands behind the @. */
export function withoutAddresses(state: TrackerState, viewer: Viewer, body: unknown): unknown {
  return viewer === null && isOn(state.settings, 'webservice_email_filter') ? filtered(body) : body;
}

function filtered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(filtered);
  if (typeof value !== 'object' || value === null) return value;
  const isPerson = 'real_name' in value;
  return Object.fromEntries(
    Object.entries(value).map(([name, content]) => [
      name,
      people.includes(name) || (isPerson && name === 'name') ? shortened(content) : filtered(content),
    ]),
  );
}

function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shortened);
  return typeof value === 'string' ? value.replace(/@.*$/, '') : value;
}
