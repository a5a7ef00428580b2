/**
 * The tables of states (the files life.ts): that every change of state goes through them, and what must hold whatever
 * events come in whatever order. What a single event does is shown by the tests of whoever raises it.
 */

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AttachmentLink } from '../../src/model/attachment.ts';
import type { CommentLink, Link } from '../../src/model/link.ts';
import type { AttachmentEvent } from '../../src/rules/attachments/life.ts';
import type { CommentEvent } from '../../src/rules/comments/life.ts';
import type { LinkEvent } from '../../src/rules/links/life.ts';
import { aCommentLink, aFile, aLink, copyAt, onGithub } from '../planner/samples.ts';
import { type Fault, plant } from '../support/plant.ts';

const root = join(import.meta.dirname, '../..');

describe('every change of state goes through its table', () => {
  const assignment = /\bstate: '(?:pending|mirrored|skipped|gone|withdrawn|linked|live|frozen|tombstone)'/u;
  const tables = /^src\/(?:rules\/(?:comments|attachments|links)\/life\.ts|model\/)/u;

  test('nothing else in src names a state to put a link into', () => {
    const files = globSync('src/**/*.ts', { cwd: root }).filter(
      (path) => !tables.test(path) && !path.startsWith('src/sandbox/'),
    );
    expect(files.length).toBeGreaterThan(300);
    const found = files.filter((path) => assignment.test(readFileSync(join(root, path), 'utf8')));
    expect(found).toEqual([]);
  });

  test('which would be noticed', () => {
    expect(assignment.test("store.commentLinks.save({ ...commentLink, state: 'gone', reason });")).toBe(true);
  });
});

const words = { text: 'Words', digest: 'd9' };
const commentEvents: readonly CommentEvent[] = [
  { kind: 'copied', copy: copyAt(7), mirrored: 'd1', parts: 1, isStale: false },
  { kind: 'copied', copy: null, mirrored: 'd1', parts: 1, isStale: true },
  { kind: 'deleted', reason: 'deleted', isCopyLeft: true, isToReport: true },
  { kind: 'deleted', reason: 'deleted', isCopyLeft: false, isToReport: false },
  { kind: 'hidden', reason: 'it is private' },
  { kind: 'shown', ...words },
  { kind: 'condemned' },
  { kind: 'cleared' },
  { kind: 'redacted', digest: 'n' },
  { kind: 'erased', reason: 'shorter' },
  { kind: 'lost' },
  { kind: 'worded', ...words },
  { kind: 'emptied', text: '', digest: 'd0' },
];
const { copy: _copy, state: _state, reason: _reason, ...facts } = aCommentLink;
const states = [
  { state: 'pending', reason: null, copy: null },
  { state: 'mirrored', reason: null, copy: null },
  { state: 'mirrored', reason: null, copy: copyAt(5, { isEdited: true }) },
  { state: 'skipped', reason: 'no text', copy: null },
  { state: 'gone', reason: 'deleted', copy: null },
  { state: 'gone', reason: 'deleted', copy: copyAt(5) },
  { state: 'withdrawn', reason: 'private', copy: null },
  { state: 'withdrawn', reason: 'private', copy: copyAt(5) },
] as const;
const comments: readonly CommentLink[] = states.flatMap((each) => [
  { ...facts, text: each.state === 'withdrawn' ? null : 'Said', checkedDigest: 'd1', ...each },
  { ...facts, ...onGithub, text: each.state === 'withdrawn' ? null : 'Said', ...each },
]);

interface Lives {
  readonly comment: (link: CommentLink, event: CommentEvent) => CommentLink;
  readonly file: (link: AttachmentLink, event: AttachmentEvent) => AttachmentLink;
  readonly link: (link: Link, event: LinkEvent) => Link;
}

async function livesIn(folder = join(root, 'src')): Promise<Lives> {
  const [one, two, three]: [
    typeof import('../../src/rules/comments/life.ts'),
    typeof import('../../src/rules/attachments/life.ts'),
    typeof import('../../src/rules/links/life.ts'),
  ] = await Promise.all([
    import(`${folder}/rules/comments/life.ts`),
    import(`${folder}/rules/attachments/life.ts`),
    import(`${folder}/rules/links/life.ts`),
  ]);
  return { comment: one.commentAfter, file: two.attachmentAfter, link: three.linkAfter };
}

/** What is wrong about a single step of a comment. */
function wrongStep(before: CommentLink, event: CommentEvent, after: CommentLink): readonly string[] {
  const name = `${before.state} ${event.kind} ${after.state}`;
  const isHiding = ['hidden', 'condemned', 'cleared', 'redacted'].includes(event.kind);
  const isAlive = after.state === 'pending' || after.state === 'mirrored';
  return [
    ...(before.state === 'gone' && isAlive ? [`${name}: what was deleted comes back`] : []),
    ...(before.state === 'withdrawn' && isAlive && event.kind !== 'shown'
      ? [`${name}: what is hidden comes back by itself`]
      : []),
    ...(after.state === 'withdrawn' && after.text !== null && after !== before
      ? [`${name}: the text of what is hidden is kept`]
      : []),
    ...(before.state === 'mirrored' && isHiding && after.state !== 'withdrawn'
      ? [`${name}: what is hidden stays`]
      : []),
    ...(event.kind === 'deleted' && after.state !== 'gone' ? [`${name}: what is deleted stays`] : []),
    ...(isAlive && after.reason !== null ? [`${name}: it is mirrored, for a reason against it`] : []),
    ...(!isAlive && after.reason === '' ? [`${name}: nobody knows why`] : []),
    ...((after.state === 'pending' || after.state === 'skipped') && after.copy !== null
      ? [`${name}: it has a copy`]
      : []),
    ...(after.origin === 'github' && after.checkedDigest !== null
      ? [`${name}: a comment of GitHub counts as checked`]
      : []),
    ...(event.kind === 'shown' && after !== before && after.checkedDigest !== null
      ? [`${name}: it is published unchecked`]
      : []),
  ];
}

const wrongComments = ({ comment }: Lives): readonly string[] =>
  comments.flatMap((before) => commentEvents.flatMap((event) => wrongStep(before, event, comment(before, event))));

const files: readonly AttachmentLink[] = [
  aFile,
  { ...aFile, checkedDigest: 'd', state: 'pending', copy: null },
  { ...aFile, state: 'linked', reason: 'too large', copy: null },
  { ...aFile, state: 'withdrawn', copy: null },
  { ...aFile, origin: 'github', path: null, checkedDigest: null, copy: { id: 9, url: null } },
  { ...aFile, origin: 'github', path: null, checkedDigest: null, state: 'pending', copy: null },
];
const fileEvents: readonly AttachmentEvent[] = [
  { kind: 'copied', copy: { url: 'u', sha256: null, excerpt: null } },
  { kind: 'copied', copy: { id: 8, url: 'u' } },
  { kind: 'hidden' },
  { kind: 'shown' },
  { kind: 'left', reason: 'too large' },
  { kind: 'refused', reason: 'busy' },
  { kind: 'lost' },
];

const wrongFiles = ({ file }: Lives): readonly string[] =>
  files.flatMap((before) =>
    fileEvents.flatMap((event) => {
      const after = file(before, event);
      const name = `${before.state} ${event.kind} ${after.state}`;
      return [
        ...(event.kind === 'hidden' && after.state !== 'withdrawn' ? [`${name}: what is hidden stays`] : []),
        ...(before.state === 'withdrawn' && event.kind === 'copied' && after.state !== 'withdrawn'
          ? [`${name}: it comes back by itself`]
          : []),
        ...(after.state === 'withdrawn' && after !== before && after.checkedDigest !== null
          ? [`${name}: it would be published unchecked`]
          : []),
        ...((after.state === 'mirrored') === (after.copy !== null)
          ? []
          : [`${name}: only what is mirrored has a copy`]),
        ...(event.kind === 'lost' && before.state === 'mirrored' && after.state !== 'pending'
          ? [`${name}: it is not made again`]
          : []),
      ];
    }),
  );

const links: readonly Link[] = [
  aLink,
  { ...aLink, state: 'frozen', reason: 'hidden', frozenBy: 'tracker' },
  { ...aLink, state: 'tombstone', reason: 'deleted', frozenBy: null },
];
const linkEvents: readonly LinkEvent[] = [
  { kind: 'vanished', by: 'github', reason: 'transferred' },
  { kind: 'deleted', reason: 'deleted' },
  { kind: 'shown' },
];

const wrongLinks = ({ link }: Lives): readonly string[] =>
  links.flatMap((before) =>
    linkEvents.flatMap((event) => {
      const after = link(before, event);
      const name = `${before.state} ${event.kind} ${after.state}`;
      return [
        ...(before.state === 'tombstone' && after.state !== 'tombstone'
          ? [`${name}: what was deleted comes back`]
          : []),
        ...(event.kind === 'deleted' && after.state !== 'tombstone' ? [`${name}: what was deleted is written on`] : []),
        ...(event.kind === 'vanished' && after.state === 'live' ? [`${name}: what vanished is written on`] : []),
        ...(event.kind === 'vanished' && after.state === 'frozen' && after.frozenBy !== event.by
          ? [`${name}: the wrong side thaws it`]
          : []),
        ...(event.kind === 'shown' && before.state === 'frozen' && after.state !== 'live'
          ? [`${name}: it stays frozen`]
          : []),
      ];
    }),
  );

const wrongs = (lives: Lives): readonly string[] => [
  ...wrongComments(lives),
  ...wrongFiles(lives),
  ...wrongLinks(lives),
];

describe('the tables of states', () => {
  test('do nothing wrong in any cell', async () => {
    expect(wrongs(await livesIn())).toEqual([]);
  });

  test('do nothing wrong after any series of events', async () => {
    const { comment } = await livesIn();
    const series = fc.array(fc.constantFrom(...commentEvents), { maxLength: 12 });
    fc.assert(
      fc.property(fc.constantFrom(...comments), series, (start, events) => {
        let link = start;
        for (const event of events) {
          const after = comment(link, event);
          expect(wrongStep(link, event, after)).toEqual([]);
          link = after;
        }
      }),
    );
  });

  test.each<Fault & { readonly name: string }>([
    cell(
      'a deleted comment is copied again',
      'comment',
      "skipped: 'mirrored', gone: 'stays'",
      "skipped: 'mirrored', gone: 'mirrored'",
    ),
    cell(
      'a hidden comment stays',
      'comment',
      "hidden: { pending: 'withdrawn', mirrored: 'withdrawn'",
      "hidden: { pending: 'withdrawn', mirrored: 'stays'",
    ),
    cell(
      'a copy that turns up makes it public',
      'comment',
      "gone: 'stays', withdrawn: 'withdrawn' },\n  // Final",
      "gone: 'stays', withdrawn: 'returns' },\n  // Final",
    ),
    cell(
      'a comment that is public again counts as checked',
      'comment',
      'digest: event.digest, checkedDigest: null,',
      'digest: event.digest,',
    ),
    cell(
      'a hidden file stays',
      'attachment',
      "hidden: { pending: 'withdrawn', mirrored: 'withdrawn'",
      "hidden: { pending: 'withdrawn', mirrored: 'stays'",
    ),
    cell(
      'a hidden file counts as checked',
      'attachment',
      "state === 'withdrawn' ? null : link.checkedDigest",
      'link.checkedDigest',
    ),
    cell(
      'a lost file is not attached again',
      'attachment',
      "lost: { pending: 'stays', mirrored: 'pending'",
      "lost: { pending: 'stays', mirrored: 'stays'",
    ),
    cell(
      'a tombstone thaws',
      'link',
      "shown: { live: 'stays', frozen: 'live', tombstone: 'stays' }",
      "shown: { live: 'stays', frozen: 'live', tombstone: 'live' }",
    ),
    cell('a vanished end is written on', 'link', "vanished: { live: 'frozen'", "vanished: { live: 'stays'"),
  ])('a planted fault is caught: $name', async (fault) => {
    expect(wrongs(await livesIn(plant(fault)))).not.toEqual([]);
  });
});

function cell(
  name: string,
  life: 'comment' | 'attachment' | 'link',
  from: string,
  to: string,
): Fault & { readonly name: string } {
  return { name, file: `rules/${life}s/life.ts`, from, to };
}
