import type { Link } from '../../../src/model/link.ts';
import type { AttachmentRule, Direction } from '../../../src/model/route.ts';
import type { Random } from '../../support/random.ts';
import { repo, type Stage } from '../stage.ts';
import type { Action, Actions, Text } from './people.ts';

/** Files stand on a branch of the route's own repository. */
export const onBranch: AttachmentRule = {
  store: 'branch',
  owner: 'acme',
  repo: 'widget',
  branch: 'attachments',
  tag: 'attachments',
  bytesMax: 10_000,
};

/** In every third simulation files cross as well, to a branch or to releases; the others go on as they were. */
export function ruleOf(seed: number): AttachmentRule | null {
  if (seed % 3 !== 0) return null;
  return seed % 2 === 0 ? onBranch : { ...onBranch, store: 'release' };
}

/** Files that people put somewhere, by their content, which is unique. */
export interface FileActions {
  /** On bugs that everybody may see. */
  readonly attached: Map<string, { readonly bug: number; readonly id: number; readonly said: string }>;
  /** Public once, and private now. */
  readonly hidden: Map<string, { readonly id: number }>;
  /** In comments on issues, and what the comment says besides. */
  readonly dropped: Map<string, { readonly issue: number; readonly said: string }>;
}

export const noFileActions = (): FileActions => ({ attached: new Map(), hidden: new Map(), dropped: new Map() });

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

export function fileActions(stage: Stage, random: Random, actions: Actions, text: Text): readonly Action[] {
  const { tracker, github } = stage;
  const { files } = actions;
  const mona = github.as('mona');
  const someBug = () => random.pick(tracker.bugs().filter(({ product }) => product === 'Widget'));
  return [
    {
      weight: 6,
      act() {
        const { id: bug } = someBug();
        const [content, said, name] = [
          text('Content of a file'),
          text('Said with a file'),
          random.pick(['a.bin', '../a.bin', 'ä b.bin', 'a.bin']),
        ];
        const id = tracker.as('alice').attach(bug, { bytes: bytesOf(content), file_name: name, comment: said });
        if (actions.hidden.has(bug)) for (const secret of [content, said]) actions.secrets.add(secret);
        else {
          files.attached.set(content, { bug, id, said });
          actions.bugComments.set(said, bug);
        }
      },
    },
    {
      weight: 2,
      act() {
        const [content, said, name] = [text('Secret content'), text('Secretly said with a file'), text('Secret name')];
        const file = { bytes: bytesOf(content), file_name: name, summary: name, comment: said, is_private: true };
        tracker.as('bridge-insider').attach(someBug().id, file);
        for (const secret of [content, said, name]) actions.secrets.add(secret);
      },
    },
    {
      weight: 2,
      act() {
        const open = [...files.attached];
        if (open.length === 0) return;
        const [content, { id, said }] = random.pick(open);
        tracker.as('bridge-insider').changeAttachment(id, { is_private: true });
        files.attached.delete(content);
        files.hidden.set(content, { id });
        actions.bugComments.delete(said);
      },
    },
    {
      weight: 4,
      act() {
        const issues = github.issues(repo);
        if (issues.length === 0) return;
        const { number: issue } = random.pick(issues.concat());
        const [content, said] = [text('Dropped into an issue'), text('Said around a file')];
        const url = mona.upload({ name: 'drop.bin', type: 'application/octet-stream', bytes: bytesOf(content) });
        const id = mona.comment(repo, issue, `${said}\n\n[drop.bin](${url})`);
        actions.issueComments.set(said, { issue, id });
        files.dropped.set(content, { issue, said });
      },
    },
  ];
}

/**
 * I3, I4 and I9 for files: the attachment store has each public file once and no private one, and each file that was
 * dropped into an issue is on its bug once.
 */
export function fileViolations(
  stage: Stage,
  actions: Actions,
  links: readonly Link[],
  direction: Direction,
): readonly string[] {
  const found: string[] = [];
  const attachmentStore = [...stored(stage).values()].map((bytes) => new TextDecoder().decode(bytes));
  for (const [content, { bug }] of actions.files.attached) {
    if (links.find((each) => each.bug === bug)?.state !== 'live') continue;
    const copies = attachmentStore.filter((each) => each === content).length;
    const wanted = direction === 'to-tracker' ? 0 : 1;
    if (copies !== wanted)
      found.push(
        `${copies < wanted ? 'I3' : 'I4'}: "${content}" on bug ${bug} is in the attachment store ${copies} times`,
      );
  }
  for (const [content, { id }] of actions.files.hidden) {
    const bug = stage.tracker.state.attachments.get(id)?.bug;
    const isWritten = links.find((each) => each.bug === bug)?.state === 'live';
    if (isWritten && attachmentStore.includes(content))
      found.push(`I9: "${content}" became private and is still in the attachment store`);
  }
  const attached = [...stage.tracker.state.attachments.values()].map(({ content }) =>
    Buffer.from(content ?? '', 'base64').toString(),
  );
  for (const [content, { issue, said }] of actions.files.dropped) {
    const copies = attached.filter((each) => each === content).length;
    if (copies > 1) found.push(`I4: "${content}" is attached ${copies} times`);
    const isThere = actions.issueComments.has(said) && links.find((each) => each.issue === issue)?.state === 'live';
    if (isThere && copies === 0 && direction !== 'to-github')
      found.push(`I3: "${content}" in issue ${issue} is not attached`);
    if (copies > 0 && direction === 'to-github') found.push(`I8: "${content}" was attached, which is upstream`);
  }
  return found;
}

/** The whole content of the attachment store, for checks of content that must not be there. */
export const attachmentStoreInWords = (stage: Stage): string =>
  [...stored(stage)].map(([path, bytes]) => `${path}: ${new TextDecoder().decode(bytes)}`).join('\n');

/** The copies on the branch and in releases, by where they stand. */
const stored = ({ github }: Stage): ReadonlyMap<string, Uint8Array> =>
  new Map([...github.files(repo, 'attachments'), ...github.assets(repo)]);
