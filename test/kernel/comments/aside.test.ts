import { describe, expect, test } from 'vitest';
import { readStory } from '../../../src/explain/find.ts';
import { setAsideOf } from '../../../src/explain/set-aside.ts';
import { bugId } from '../../../src/model/ids.ts';
import type { Route } from '../../../src/model/route.ts';
import { cycle } from '../../../src/sync/cycle.ts';
import { contextOn, repo, type Stage, stage } from '../../simulation/stage.ts';
import { type Fault, plant } from '../../support/plant.ts';
import { testLimits, widgetRoute } from '../../support/routes.ts';

/** I11, for one comment: a throw while its text is at work costs this comment, and nothing else of its pair. */
const route: Route = { ...widgetRoute, visibilityCheck: 'anonymous' };
const poison = 'POISON';

/** The piece of code, preceded by a throw where what it works on says POISON. */
const throwing = (name: string, file: string, from: string, about: string): Fault & { readonly name: string } => ({
  name,
  file,
  from,
  to: `if (JSON.stringify(${about} ?? null).includes('${poison}')) throw new RangeError('it says ${poison}');\n${from}`,
});

const stages = [
  {
    name: 'read',
    file: 'text/canonical.ts',
    from: "text.replace(/\\r\\n?/gu, '\\n').trimEnd();",
    to: `new RegExp('${poison}').test(text) ? (JSON.parse('nothing') as string) : text.trimEnd();`,
  },
  throwing('judged', 'rules/comments/verdict.ts', 'const known = rows.ofComment(comment.id);', 'comment.text'),
  throwing('planned', 'rules/comments/plan.ts', "if (commentLink.state === 'pending') return", 'commentLink.text'),
  throwing('searched for names', 'sync/observe/select.ts', 'const links = new Map<number, Link>(', 'waiting'),
  throwing(
    'written',
    'sync/perform/operations/comment.ts',
    'const rendering = render(context.route, textInputOf(context, link, commentLink), operation);',
    'commentLink.text',
  ),
];

async function run(world: Stage, turn: typeof cycle, cycles = 3, version = '0.0.0'): Promise<void> {
  const context = { ...contextOn(world, route, { limits: { ...testLimits, brakeShare: 1 } }), version };
  for (let index = 0; index < cycles; index += 1) {
    world.clock.advance(61_000);
    await turn(context, { isForced: false });
  }
}

const faulty = async (fault: Fault): Promise<typeof cycle> => (await import(`${plant(fault)}/sync/cycle.ts`)).cycle;
const aside = ({ store }: Stage): readonly string[] => setAsideOf(store, route).map(({ about }) => about);
const saidOn = ({ github }: Stage): string => JSON.stringify(github.commentsOf(repo, 1).map(({ body }) => body));
const saidAbout = ({ tracker }: Stage): string => JSON.stringify(tracker.commentsOf(1).map(({ text }) => text));

async function mirrored(): Promise<Stage> {
  const world = stage();
  world.tracker.as('alice').file({ summary: 'A kettle', description: 'It leaks.' });
  world.tracker.as('alice').file({ summary: 'A pan', description: 'It is hot.' });
  await run(world, cycle);
  return world;
}

describe.each(stages)('a throw while a comment is $name', (fault) => {
  test('costs this comment alone, until it can be read', async () => {
    const [world, turn] = [await mirrored(), await faulty(fault)];
    const { tracker, github, store } = world;
    tracker.as('alice').comment(1, 'First');
    tracker.as('alice').comment(1, `${poison} in the middle`);
    tracker.as('alice').comment(1, 'Last');
    tracker.as('alice').change(1, { summary: 'A better kettle' });
    github.as('mona').comment(repo, 1, `${poison} from GitHub`);
    github.as('mona').comment(repo, 1, 'From GitHub');
    await run(world, turn);
    expect(saidOn(world)).toMatch(/First.*Last/u);
    expect(saidOn(world)).not.toContain(`${poison} in`);
    expect(saidAbout(world)).toContain('From GitHub');
    expect(saidAbout(world)).not.toContain(`${poison} from`);
    expect(github.issues(repo).find(({ number }) => number === 1)?.title).toBe('A better kettle');
    expect(aside(world)).toEqual([
      expect.stringMatching(
        /^bug 1 = acme\/widget#1, comment \d+ on GitHub$|^bug 1 = .*, (?:comment 2 of|the comment)/u,
      ),
      expect.stringMatching(/^bug 1 = acme\/widget#1, /u),
    ]);
    const link = store.links.byBug(bugId(1));
    const story = link && readStory(store, [route], link, world.clock.now());
    expect(story?.present.filter((line) => line.includes('set aside since')).length).toBe(2);
    expect(JSON.stringify([setAsideOf(store, route), story?.present])).not.toContain(poison);
    // The same words fail no second time, and everything else goes on.
    const before = store.setAside.ofRoute(route.name);
    tracker.as('alice').comment(1, 'One more');
    await run(world, turn);
    expect(saidOn(world)).toMatch(/Last.*One more/u);
    expect(store.setAside.ofRoute(route.name)).toEqual(before);
    // An update tries them once more.
    await run(world, cycle, 3, '0.0.1');
    expect(aside(world)).toEqual([]);
    expect(saidOn(world)).toContain(`${poison} in`);
    expect(saidAbout(world)).toContain(`${poison} from`);
    expect(saidOn(world).split(`${poison} in`).length).toBe(2);
  });

  test('ends when its words change, and withdraws what becomes private meanwhile', async () => {
    const [world, turn] = [await mirrored(), await faulty(fault)];
    const { tracker, github } = world;
    tracker.as('alice').comment(1, 'A secret');
    const id = github.as('mona').comment(repo, 1, 'Fine so far');

    await run(world, cycle);
    github.as('mona').editComment(repo, id, `${poison} now`);
    await run(world, turn);
    expect(aside(world)).toHaveLength(1);
    const secret = tracker.commentsOf(1).find(({ text }) => text === 'A secret');
    tracker.as('admin').change(1, { comment_is_private: { [secret?.id ?? 0]: true } });
    await run(world, turn, 2);
    expect(saidOn(world)).not.toContain('A secret');
    github.as('mona').editComment(repo, id, 'Words again');
    await run(world, turn);
    expect(aside(world)).toEqual([]);
    expect(saidAbout(world)).toContain('Words again');
  });
});
