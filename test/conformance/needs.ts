import { at, listAt } from './judge.ts';
import type { Caller } from './server.ts';
import type { Tracker } from './tracker.ts';

/** What not every tracker, or not every key, has. */
export type Need =
  | 'editor'
  | 'insider'
  | 'time tracking'
  | 'tagger'
  | 'other'
  | 'outsider'
  | 'other without time tracking'
  | 'other without rights'
  | 'group'
  | 'qa contacts'
  | 'milestones'
  | 'keywords'
  | 'bug flags'
  | 'attachment flags'
  | 'custom fields'
  | 'two products'
  | 'two components';

interface Probe {
  /** Why it is not offered. */
  readonly reason: string;
  readonly isMet: (tracker: Tracker) => Promise<boolean>;
}

const probes: Readonly<Record<Need, Probe>> = {
  editor: {
    reason: 'the key may not edit bugs of others (editbugs)',
    isMet: (tracker) => mayEdit(tracker, tracker.main, 'main'),
  },
  insider: {
    reason: 'the key may not write private comments',
    isMet: (tracker) => isInsider(tracker, tracker.main, 'main'),
  },
  'time tracking': { reason: 'the key does not see hours', isMet: async (tracker) => seesHours(tracker, tracker.main) },
  tagger: { reason: 'the key may not tag comments', isMet: mayTag },
  other: {
    reason: 'there is no --other-key, or it belongs to the same account',
    isMet: async (tracker) => tracker.hasOther && (await tracker.otherLogin()) !== (await tracker.login()),
  },
  outsider: {
    reason: 'there is no --other-key, or it belongs to an insider',
    isMet: async (tracker) => tracker.hasOther && !(await isInsider(tracker, tracker.other, 'other')),
  },
  'other without time tracking': {
    reason: 'there is no --other-key, or it sees hours too',
    isMet: async (tracker) => tracker.hasOther && !(await seesHours(tracker, tracker.other)),
  },
  'other without rights': {
    reason: 'there is no --other-key, or it may edit all bugs',
    isMet: async (tracker) => tracker.hasOther && !(await mayEdit(tracker, tracker.other, 'other')),
  },
  group: {
    reason: 'no group was found to which the key may restrict a bug',
    isMet: async (tracker) => (await groupOf(tracker)) !== null,
  },
  'qa contacts': {
    reason: 'QA contacts are switched off',
    isMet: async (tracker) =>
      at(await tracker.read(await tracker.scratch()), 'qa_contact') !== undefined && isOn(tracker, 'useqacontact'),
  },
  milestones: {
    reason: 'the product has no second milestone',
    isMet: async (tracker) => (await tracker.place()).milestones.length > 1 && isOn(tracker, 'usetargetmilestone'),
  },
  keywords: {
    reason: 'there are fewer than two keywords',
    isMet: async (tracker) => (await tracker.vocabulary()).keywords.length > 1,
  },
  'bug flags': {
    reason: 'the component has no flags on bugs',
    isMet: async (tracker) => (await flagTypes(tracker, 'bug')).length > 0,
  },
  'attachment flags': {
    reason: 'the component has no flags on attachments',
    isMet: async (tracker) => (await flagTypes(tracker, 'attachment')).length > 0,
  },
  'custom fields': {
    reason: 'there are no custom fields',
    isMet: async (tracker) => (await tracker.vocabulary()).custom.length > 0,
  },
  'two products': {
    reason: 'the key may file in one product only',
    isMet: async (tracker) => (await tracker.place()).others.length > 0,
  },
  'two components': {
    reason: 'the product has one component',
    isMet: async (tracker) => (await tracker.place()).components.length > 1,
  },
};

/** Why a case cannot be shown here; null when it can. Each need is probed once. */
export async function whatLacks(tracker: Tracker, needs: readonly Need[]): Promise<string | null> {
  for (const need of needs) {
    const { reason, isMet } = probes[need];
    if (!(await tracker.once(`need ${need}`, () => isMet(tracker)))) return reason;
  }
  return null;
}

async function isOn(tracker: Tracker, parameter: string): Promise<boolean> {
  return (await tracker.vocabulary()).parameters[parameter] !== '0';
}

function isInsider(tracker: Tracker, caller: Caller, name: string): Promise<boolean> {
  return tracker.once(`insider ${name}`, async () => {
    const reply = await caller.post(`/bug/${await tracker.scratch()}/comment`, {
      comment: 'A private line.',
      is_private: true,
    });
    return at(reply.body, 'error') === undefined;
  });
}

async function seesHours(tracker: Tracker, caller: Caller): Promise<boolean> {
  return at(await tracker.read(await tracker.scratch(), {}, caller), 'estimated_time') !== undefined;
}

/** An account may read which groups it is in; a tracker that does not tell is taken to be generous. */
function mayEdit(tracker: Tracker, caller: Caller, name: 'main' | 'other'): Promise<boolean> {
  return tracker.once(`editor ${name}`, async () => {
    const groups = await groupNames(tracker, caller, name);
    return groups === null || groups.includes('editbugs');
  });
}

function groupNames(tracker: Tracker, caller: Caller, name: 'main' | 'other'): Promise<readonly string[] | null> {
  return tracker.once(`groups ${name}`, async () => {
    const login = name === 'main' ? await tracker.login() : await tracker.otherLogin();
    const groups = at((await caller.get('/user', { names: login })).body, 'users', 0, 'groups');
    return Array.isArray(groups) ? groups.map((group) => String(at(group, 'name'))) : null;
  });
}

async function mayTag(tracker: Tracker): Promise<boolean> {
  const comment = await tracker.comment(await tracker.scratch(), 'A line to tag.');
  return Array.isArray((await tracker.main.put(`/bug/comment/${comment}/tags`, { add: ['probe'] })).body);
}

/**
 * A group to which the key may restrict bugs of the product, and which nobody else needs to be in; null when none was
 * found.
 */
export function groupOf(tracker: Tracker): Promise<string | null> {
  return tracker.once('group', async () => {
    // A bug of its own: Harmony may keep it hidden.
    const bug = await tracker.file();
    const names = (await groupNames(tracker, tracker.main, 'main')) ?? [];
    const isOfSystem = (name: string) =>
      name.startsWith('bz_') || /^(?:admin|tweakparams|edit|create|canconfirm|disableusers|can_?moderate)/u.test(name);
    for (const name of names.filter((one) => !isOfSystem(one)).slice(0, 8)) {
      const reply = await tracker.update(bug, { groups: { add: [name] } });
      if (at(reply.body, 'error') === undefined) return name;
    }
    return null;
  });
}

export interface FlagType {
  readonly id: number;
  readonly name: string;
  readonly isMultiple: boolean;
  readonly isRequestable: boolean;
}

/**
 * Active flag types of the component, by their own resource or, where there is none, by the product; none where the
 * tracker does not tell them.
 */
export function flagTypes(tracker: Tracker, target: 'bug' | 'attachment'): Promise<readonly FlagType[]> {
  return tracker.once(`flags ${target}`, async () => {
    const { product, component } = await tracker.place();
    const reply = await tracker.main.get(`/flag_type/${encodeURIComponent(product)}/${encodeURIComponent(component)}`);
    const types = at(reply.body, target) ?? (await flagTypesOfProduct(tracker, target));
    return (Array.isArray(types) ? types : [])
      .filter((type) => at(type, 'is_active') !== false)
      .map((type) => ({
        id: Number(at(type, 'id')),
        name: String(at(type, 'name')),
        isMultiple: at(type, 'is_multiplicable') === true,
        isRequestable: at(type, 'is_requesteeble') === true,
      }));
  });
}

async function flagTypesOfProduct(tracker: Tracker, target: 'bug' | 'attachment'): Promise<unknown> {
  const { product, component } = await tracker.place();
  const { body } = await tracker.main.get('/product', { names: product });
  const components = listAt(body, 'products', 0, 'components');
  return at(
    components.find((one) => at(one, 'name') === component),
    'flag_types',
    target,
  );
}
