import { repo } from './bridge.ts';
import type { Deeds, World } from './play.ts';

const admin = ({ tracker }: World) => tracker.as('bridge-insider');
const alice = ({ tracker }: World) => tracker.as('alice');
const mona = ({ github }: World) => github.as('mona');
const hide = ({ tracker }: World, number: number): void => tracker.hide(number);
const show = ({ tracker }: World, number: number): void => tracker.unhide(number);
const attach = (world: World, number: number, name = 'secret.log', more: object = {}): number =>
  alice(world).attach(number, {
    bytes: new TextEncoder().encode('SECRET bytes'),
    file_name: name,
    summary: 'SECRET summary',
    ...more,
  });
const filesOf = ({ tracker }: World, number: number): readonly number[] =>
  [...tracker.state.attachments.values()].flatMap(({ id, bug }) => (bug === number ? [id] : []));
const setFiles = (world: World, number: number, is_private: boolean): void => {
  for (const id of filesOf(world, number)) admin(world).changeAttachment(id, { is_private });
};
const setComment = (world: World, number: number, index: number, isPrivate: boolean): void => {
  const id = world.tracker.commentsOf(number).at(index)?.id ?? 0;
  admin(world).change(number, { comment_is_private: { [id]: isPrivate } });
};
const move = (world: World, number: number, product: 'Secret' | 'Widget'): void =>
  world.tracker.as('admin').change(number, {
    product,
    component: product === 'Secret' ? 'Vault' : 'Core',
    version: 'unspecified',
    target_milestone: '---',
    ...(product === 'Widget' ? { groups: { remove: ['security'] } } : {}),
  });

const copied = (world: World, number: number): void => {
  alice(world).comment(number, 'SECRET answer');
  alice(world).change(number, { whiteboard: '[SECRETtag]' });
};
const said = (world: World, number: number): void => void alice(world).comment(number, 'An answer.');

/** Public when the backup was made, copied since, and private when the state comes back. */
export const hidden: Deeds = {
  'a bug with a file': { since: (world, number) => void attach(world, number), meanwhile: hide, later: show },
  'a file': {
    since: (world, number) => void attach(world, number),
    meanwhile: (world, number) => setFiles(world, number, true),
    later: (world, number) => setFiles(world, number, false),
  },
  'one of two files': {
    since(world, number) {
      alice(world).attach(number, { bytes: new Uint8Array([1]), file_name: 'public.log', summary: 'Public' });
      attach(world, number);
    },
    meanwhile: (world, number) =>
      admin(world).changeAttachment(filesOf(world, number).at(-1) ?? 0, { is_private: true }),
  },
  'a file that was renamed, and was there before': {
    before: (world, number) => void attach(world, number, 'SECRET-first.log'),
    since: (world, number) =>
      admin(world).changeAttachment(filesOf(world, number)[0] ?? 0, { file_name: 'SECRET-then.log' }),
    meanwhile: (world, number) => setFiles(world, number, true),
  },
  'the comment of a file, and the file': {
    since: (world, number) =>
      void attach(world, number, 'secret.txt', { comment: 'SECRET comment', content_type: 'text/plain' }),
    meanwhile(world, number) {
      setFiles(world, number, true);
      setComment(world, number, -1, true);
    },
  },
  'a comment': {
    since: (world, number) => void alice(world).comment(number, 'SECRET comment'),
    meanwhile: (world, number) => setComment(world, number, -1, true),
    later: (world, number) => setComment(world, number, -1, false),
  },
  'a description': {
    since(world, number) {
      world.tracker.editComment(world.tracker.commentsOf(number)[0]?.id ?? 0, 'SECRET description');
      alice(world).comment(number, 'Edited it.');
    },
    meanwhile: (world, number) => setComment(world, number, 0, true),
  },
  'a title, an alias and a tag': {
    since: (world, number) =>
      alice(world).change(number, {
        summary: 'SECRET title',
        alias: { add: ['SECRETalias'] },
        whiteboard: '[SECRETtag]',
      }),
    meanwhile: hide,
  },
  'a bug that moves to a secret product': {
    since(world, number) {
      attach(world, number);
      alice(world).change(number, { summary: 'SECRET title' });
    },
    meanwhile: (world, number) => move(world, number, 'Secret'),
    later: (world, number) => move(world, number, 'Widget'),
  },
  'a bug of since then': {
    since(world) {
      attach(world, alice(world).file({ summary: 'SECRET new bug', description: 'SECRET words' }));
    },
    meanwhile: (world) =>
      hide(world, world.tracker.bugs().find(({ summary }) => summary === 'SECRET new bug')?.id ?? 0),
  },
  'an issue of people': { isFromGithub: true, since: copied, meanwhile: hide },
  'an issue of people that is public again': { isFromGithub: true, since: copied, meanwhile: hide, later: show },
};

/** Withdrawn since the backup, and public again before the state comes back, or after it. */
export const withdrawn: Deeds = {
  'a bug that is public again before': { since: hide, meanwhile: show },
  'a bug that is public again after': { since: hide, later: show },
  'a bug with all fields': {
    before(world, number) {
      attach(world, number, 'public.log', { summary: 'Public', bytes: new Uint8Array([1, 2]) });
      alice(world).change(number, {
        status: 'RESOLVED',
        resolution: 'FIXED',
        target_milestone: '1.1',
        severity: 'major',
        assigned_to: 'bob@example.test',
        keywords: { add: ['crash'] },
      });
    },
    since: hide,
    meanwhile: show,
  },
  'a bug that was renamed and closed while hidden': {
    since: hide,
    meanwhile: (world, number) =>
      alice(world).change(number, { summary: 'Renamed', status: 'RESOLVED', resolution: 'WONTFIX' }),
    later: show,
  },
  'a bug that people closed on GitHub before': {
    before: (world, number) => mona(world).close(repo, number),
    since: hide,
    meanwhile: show,
  },
  'a description that is public again': {
    since: (world, number) => setComment(world, number, 0, true),
    meanwhile: (world, number) => setComment(world, number, 0, false),
  },
  'a comment that is public again': {
    before: (world, number) => void alice(world).comment(number, 'Said.'),
    since: (world, number) => setComment(world, number, -1, true),
    later: (world, number) => setComment(world, number, -1, false),
  },
  'a bug of a secret product for a while': {
    since: (world, number) => move(world, number, 'Secret'),
    meanwhile: (world, number) => move(world, number, 'Widget'),
  },
  'a bug that was hidden when the backup was made': {
    before: hide,
    since: show,
    meanwhile: (world, number) => mona(world).edit(repo, number, { title: 'Edited on GitHub' }),
  },
  'a bug that is hidden, public and hidden again': { before: hide, since: show, meanwhile: hide, later: show },
  'an issue of people, hidden for a while': { isFromGithub: true, before: said, since: hide, meanwhile: show },
  'an issue of people, hidden since': { isFromGithub: true, before: said, since: hide, later: show },
};
