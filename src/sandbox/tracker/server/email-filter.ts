import { isOn } from '../installation/settings.ts';
import type { Viewer } from '../installation/users.ts';
import type { TrackerState } from '../world/state.ts';

/** The fields in which answers name people. The history shows the author of a change in full. */
const people = [
  'assigned_to',
  'creator',
  'qa_contact',
  'cc',
  'email',
  'setter',
  'requestee',
  'default_assigned_to',
  'default_qa_contact',
];

/** If the installation is set so, anonymous readers see addresses without the part after the @. */
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
