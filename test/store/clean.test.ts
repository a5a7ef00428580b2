import { describe, expect, onTestFinished, test } from 'vitest';
import type { Store } from '../../src/model/store.ts';
import { scrubOf } from '../../src/runtime/scrub.ts';
import { openStore } from '../../src/store/open.ts';
import { sampleAttachmentLink } from '../contract/store/attachment-links.ts';
import {
  commentOn,
  conflictOf,
  frozen,
  halfLink,
  lineOf,
  sampleCommentLink,
  skipOf,
  updateOf,
  wholeLink,
} from '../contract/store/samples.ts';

const key = 'k3yOfTheTracker';
const scrub = scrubOf([key]);

/** What a server may say about a request of ours, in every form that a secret has in it. */
const said = `GET /rest/bug?api_key=${key} was refused: Authorization: token ghp_AbC123def456 and Bearer ${key}`;
const kept = 'GET /rest/bug?api_key=[secret] was refused: Authorization: token [secret] and Bearer [secret]';

function fresh(): Store {
  const store = openStore(':memory:', { mode: 'write', now: () => 1_000, scrub });
  onTestFinished(() => store.close());
  return store;
}

type Keep = (store: Store) => unknown;

/** Everywhere in the state where the bridge puts down words about its own work. */
const places: readonly (readonly [where: string, keep: Keep])[] = [
  [
    'why a link rests',
    (store) => store.links.byId(store.links.add(halfLink(1, { ...frozen, reason: said })).id)?.reason,
  ],
  [
    'why a link rests from now on',
    (store) => {
      const link = store.links.add(halfLink(1));
      store.links.save({ ...link, ...frozen, reason: said });
      return store.links.byId(link.id)?.reason;
    },
  ],
  [
    'why a comment does not cross',
    (store) => {
      const link = store.links.add(halfLink(1));
      return store.commentLinks.byId(
        store.commentLinks.add(sampleCommentLink(link.id, 1, { state: 'skipped', reason: said, copy: null })).id,
      )?.reason;
    },
  ],
  [
    'why a file does not cross',
    (store) => {
      const link = store.links.add(halfLink(1));
      return store.attachmentLinks.byId(
        store.attachmentLinks.add(sampleAttachmentLink(link.id, '1', { state: 'linked', reason: said, copy: null })).id,
      )?.reason;
    },
  ],
  [
    'why an operation waits',
    (store) => {
      const link = store.links.add(wholeLink(1, 1));
      const operation = updateOf(link.id, 'one', 'Lid');
      store.outbox.replace('kettle', [link.id], [operation]);
      store.outbox.mark(operation.key, { state: 'parked', why: said });
      return store.outbox.get(operation.key)?.why;
    },
  ],
  [
    'why a side is left alone',
    (store) => {
      store.budgets.backOff('tracker', 2_000, said);
      return store.budgets.backoffOf('tracker', 1_000)?.why;
    },
  ],
  [
    'a line of the ledger',
    (store) => {
      const link = store.links.add(halfLink(1));
      store.ledger.add(lineOf(link.id, 1, { detail: { why: said } }));
      return store.ledger.ofLink(link.id)[0]?.detail['why'];
    },
  ],
  [
    'what is left undone',
    (store) => {
      const link = store.links.add(halfLink(1));
      store.findings.replace(link.id, [], [skipOf(link.id, said)], 1);
      return store.findings.ofLink(link.id).skips[0]?.reason;
    },
  ],
];

test.each(places)('no secret is kept in %s', (_, keep) => {
  expect(keep(fresh())).toBe(kept);
});

describe('what people wrote', () => {
  const words = 'password=example is shown, says ghp_AbC123def456';

  test('crosses unchanged, whatever it looks like', () => {
    const store = fresh();
    const link = store.links.add(wholeLink(1, 1));
    const commentLink = store.commentLinks.add(sampleCommentLink(link.id, 1, { text: `${words} ${key}` }));
    const operation = { ...commentOn(link.id, commentLink), text: `${words} ${key}` };
    store.outbox.replace('kettle', [link.id], [operation]);
    expect(store.outbox.get(operation.key)?.operation).toEqual(operation);
    expect(store.commentLinks.byId(commentLink.id)?.text).toBe(`${words} ${key}`);
  });

  test('is kept in the ledger and in conflicts as it was, but for our own secrets', () => {
    const store = fresh();
    const link = store.links.add(wholeLink(1, 1));
    store.ledger.add(
      lineOf(link.id, 1, {
        detail: { before: { title: words }, overwritten: [{ field: 'title', value: `${key} "` }] },
      }),
    );
    store.findings.replace(link.id, [conflictOf(link.id, null, `${words} ${key}`)], [], 1);
    expect(store.ledger.ofLink(link.id)[0]?.detail).toEqual({
      before: { title: words },
      overwritten: [{ field: 'title', value: '[secret] "' }],
    });
    expect(store.findings.ofLink(link.id).conflicts[0]?.github).toBe(`${words} [secret]`);
  });
});
