import { describe, expect, test } from 'vitest';
import type { Progress } from '../../src/model/rehearsal.ts';
import { openStage, repository, type Stage } from './stage.ts';

const only = ['title-moves', 'body-moves'];

/** What a rehearsal is refused or ended with. */
const ended = (stage: Stage, progress = stage.saved() ?? undefined): Promise<string> =>
  stage.run(progress === undefined ? { only } : { only, progress }).then(
    () => 'it ran',
    (error: unknown) => String(error),
  );

const written = ({ log }: Stage): readonly string[] => log.filter((line) => !line.startsWith('GET'));

function resumed(stage: Stage): Promise<Progress> {
  const progress = stage.saved();
  if (progress === null) throw new Error('nothing was saved');
  return stage.run({ only, progress });
}

/** Loses the answer to the first edit in a case. */
function loseEdit(stage: Stage, id: string, then: () => void = () => {}): void {
  let isDone = false;
  stage.plant = (passing, response) => {
    if (isDone || passing.id !== id || passing.method !== 'PATCH') return response;
    isDone = true;
    then();
    return null;
  };
}

describe('a rehearsal that is asked to stop', () => {
  test('in the middle of a write has no result for that case, and goes on there', async () => {
    const stage = openStage();
    loseEdit(stage, 'title-moves', () => stage.stop.abort());
    expect(await ended(stage)).toContain('AbortError');
    expect(stage.saved()).toMatchObject({ cases: [], endedAt: null });
    const requests = stage.log.length;
    expect(await ended(stage)).toContain('AbortError');
    expect(stage.log.length).toBe(requests);
    stage.stop = new AbortController();
    const { cases } = await resumed(stage);
    expect(cases.map(({ id, verdict }) => [id, verdict])).toEqual(only.map((id) => [id, 'as-assumed']));
  });

  test('in the middle of a download has no result for that case', async () => {
    const stage = openStage();
    stage.plant = ({ path }, response) => {
      if (!path.includes('/releases/assets/')) return response;
      stage.stop.abort();
      return null;
    };
    await expect(stage.try('asset-content')).rejects.toThrow('abort');
    expect(stage.saved()).toMatchObject({ cases: [], endedAt: null });
  });

  test('at the last write of cleaning up has not ended', async () => {
    const stage = openStage();
    stage.world.as('bridge').open('acme/scratch-2', { title: 'Rehearsal: the last to be deleted' });
    let deletions = 0;
    stage.plant = ({ path }, response) => {
      deletions += path === '/graphql' ? 1 : 0;
      if (deletions < 3) return response;
      stage.stop.abort();
      return null;
    };
    expect(await ended(stage)).toContain('AbortError');
    expect(stage.saved()).toMatchObject({ left: null, endedAt: null });
  });

  test('repeats the cases whose answer was lost when it goes on', async () => {
    const stage = openStage();
    loseEdit(stage, 'title-moves', () => loseEdit(stage, 'body-moves', () => stage.stop.abort()));
    await ended(stage);
    expect(stage.saved()?.cases).toEqual([expect.objectContaining({ id: 'title-moves', verdict: 'not-tried' })]);
    stage.stop = new AbortController();
    const { cases } = await resumed(stage);
    expect(cases.map(({ id, verdict }) => [id, verdict])).toEqual(only.map((id) => [id, 'as-assumed']));
  });
});

describe('a server out of reach', () => {
  const refuse = () => {
    throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  };

  test('ends the rehearsal at the first request, without a wait', async () => {
    const stage = openStage();
    stage.plant = refuse;
    expect(await ended(stage)).toContain('ECONNREFUSED');
    expect([stage.sleeps, stage.saved()]).toEqual([[], null]);
  });

  test('is tried again later on, and each wait is told', async () => {
    const stage = openStage();
    stage.plant = ({ id }, response) => (id === 'body-moves' ? refuse() : response);
    expect(await ended(stage)).toContain('ECONNREFUSED');
    const waits = stage.events.filter((event) => event.kind === 'waiting');
    expect(waits.map(({ why }) => why)).toEqual(Array(4).fill(expect.stringContaining('ECONNREFUSED')));
  });
});

describe('a repository is refused before anything is written', () => {
  const cases: readonly (readonly [string, (stage: Stage) => void, string])[] = [
    [
      'that is archived',
      ({ world }) => world.setRepo(repository, { isArchived: true }),
      'unarchive it in its settings',
    ],
    [
      'that has no issues',
      ({ world }) => world.setRepo(repository, { hasIssues: false }),
      'enable them in its settings',
    ],
    [
      'if the second is archived',
      ({ world }) => world.setRepo('acme/scratch-2', { isArchived: true }),
      'another with --second',
    ],
  ];
  test.each(cases)('%s', async (_what, change, words) => {
    const stage = openStage();
    change(stage);
    expect(await ended(stage)).toMatch(new RegExp(`^UnsuitableRepository: .*${words}`, 'u'));
    expect(written(stage)).toEqual([]);
  });

  test('where the account may only read', async () => {
    const stage = openStage({ permission: 'read' });
    expect(await ended(stage)).toContain('the account may not write to acme/scratch');
    expect(written(stage)).toEqual([]);
  });

  test('with issues of a rehearsal by another account, which is named', async () => {
    const stage = openStage();
    stage.world.addUser('mona');
    stage.world.as('mona').open(repository, { title: 'Rehearsal: of my band' });
    const words = await ended(stage);
    expect(words).toContain('was made by mona, and this account is bridge. Take a token of mona');
    expect(words).not.toContain('not made by a rehearsal');
  });

  test('while another rehearsal runs there', async () => {
    const stage = openStage();
    loseEdit(stage, 'title-moves', () => stage.stop.abort());
    await ended(stage);
    stage.stop = new AbortController();
    const before = written(stage).length;
    expect(await stage.run({ only }).catch(String)).toContain('another rehearsal seems to run in acme/scratch');
    expect(written(stage).length).toBe(before);
    stage.clock.at += 600_000;
    expect(await stage.run({ only })).toMatchObject({ endedAt: expect.any(String) });
  });
});
