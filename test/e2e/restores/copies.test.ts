import { afterEach, beforeAll, expect, test } from 'vitest';
import { type Bridge, repo, type Way, ways } from './bridge.ts';
import { type Deeds, outcome, played, type World } from './play.ts';

/**
 * I3 and I4 at the built program: copies that the bridge rewrote since the backup are its own, and later edits cross, as
 * in a twin whose state never went anywhere.
 */
let bridge: Bridge | undefined;
afterEach(() => bridge?.close());

const alice = ({ tracker }: World) => tracker.as('alice');
const mona = ({ github }: World) => github.as('mona');
const say = (text: string) => (world: World, number: number) => void alice(world).comment(number, text);

/** The tracker shows an edit only once its bug changes. */
const edit = (index: number, text: string) => (world: World, number: number) => {
  world.tracker.editComment(world.tracker.commentsOf(number)[index]?.id ?? 0, text);
  alice(world).comment(number, `Edited: ${text.slice(0, 20)}`);
};
const tag = (how: 'add' | 'remove') => (world: World, number: number) => {
  alice(world).tag(world.tracker.commentsOf(number)[1]?.id ?? 0, { [how]: ['obsolete'] });
  alice(world).comment(number, `Tags: ${how}`);
};
const answer = (text: string) => (world: World, number: number) => void mona(world).comment(repo, number, text);
/** An answer of hers, or what the bridge copied. */
const rewrite = (of: string, text: string) => (world: World, number: number) => {
  const found = world.github.commentsOf(repo, number).find(({ body }) => body.includes(of));
  mona(world).editComment(repo, found?.id ?? 0, text);
};
const attach = (world: World, number: number): number =>
  alice(world).attach(number, { bytes: new Uint8Array([1, number]), file_name: 'first.log', summary: 'The log' });
const rename = (name: string) => (world: World, number: number) => {
  const file = [...world.tracker.state.attachments.values()].find(({ bug }) => bug === number);
  world.tracker.as('admin').changeAttachment(file?.id ?? 0, { file_name: name, summary: `Now ${name}` });
};
const long = ' Many words.'.repeat(7_000);

const deeds: Deeds = {
  'a comment': { before: say('one'), since: edit(1, 'second version'), later: edit(1, 'third version') },
  'a comment that was edited meanwhile, too': {
    before: say('one'),
    since: edit(1, 'second version'),
    meanwhile: edit(1, 'third version'),
  },
  'a comment that is as it was': { before: say('one'), since: edit(1, 'second version'), meanwhile: edit(1, 'one') },
  'a description': { since: edit(0, 'second version'), later: edit(0, 'third version') },
  'a description that became long, and short again': { since: edit(0, `Long.${long}`), later: edit(0, 'Short.') },
  'a comment that became long': { before: say('one'), since: edit(1, `Long.${long}`) },
  'a tagged comment': { before: say('one'), since: tag('add'), later: tag('remove') },
  'a comment that speaks of a later one': {
    before: say('See comment 2.'),
    since: say('two'),
    later: edit(1, 'No more.'),
  },
  'a file that was renamed': { before: attach, since: rename('second.log'), later: rename('third.log') },
  'a file that was renamed meanwhile, too': {
    before: attach,
    since: rename('second.log'),
    meanwhile: rename('third.log'),
  },
  'an answer on GitHub': {
    before: answer('First answer.'),
    since: rewrite('First answer.', 'Second answer.'),
    later: rewrite('Second answer.', 'Third answer.'),
  },
  'an answer that was edited meanwhile, too': {
    before: answer('First answer.'),
    since: rewrite('First answer.', 'Second answer.'),
    meanwhile: rewrite('Second answer.', 'Third answer.'),
  },
  'a copy that people changed': {
    before: say('one'),
    since: rewrite('one', 'By mona.'),
    later: edit(1, 'second version'),
  },
  'an issue of people': {
    isFromGithub: true,
    since: (world, number) => mona(world).edit(repo, number, { body: 'Second body.' }),
    later: (world, number) => mona(world).edit(repo, number, { body: 'Third body.' }),
  },
  'a comment on an issue of people': {
    isFromGithub: true,
    before: say('one'),
    since: edit(1, 'second version'),
    later: edit(1, 'third version'),
  },
};

async function after(way: Way): Promise<object> {
  bridge = await played(deeds, {
    way,
    configure(config) {
      config.routes[0].attachments = { store: 'branch' };
    },
  });
  // A lost state stores a file that was renamed once more, under its new name.
  const isLost = ['lost', 'adopted'].includes(way);
  const { files, ...shown } = outcome(
    bridge,
    deeds,
    isLost ? Object.keys(deeds).filter((name) => name.startsWith('a file')) : [],
  );
  return isLost ? shown : { ...shown, files };
}

let twin: object;
beforeAll(async () => {
  twin = await after('twin');
  await bridge?.close();
});

test.each(ways)('the state is %s', async (way) => {
  const found = await after(way);
  expect(twin).toMatchObject(found);
  // What people removed from an answer is said nowhere but in the copy from before.
  const said = bridge?.tracker.bugs().flatMap(({ id }) => bridge?.tracker.commentsOf(id) ?? []) ?? [];
  for (const words of ['First answer.', 'Second answer.'])
    expect(said.filter(({ text }) => text.includes(words)).length).toBeLessThanOrEqual(2);
});
