/** An archive as a folder: it resumes, changes nothing for nothing, and is compared byte by byte. */

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadTrackerWorld } from '../../src/sandbox/tracker/world/load.ts';
import { whyNoArchive } from '../../src/store/archive-folder.ts';
import { fillGenerated } from '../support/generated-tracker.ts';
import { archiveWorld, bytesOf, filesIn, run, trackerUrl } from './world.ts';

const contentsAsked = (asked: readonly string[]): readonly string[] =>
  asked.filter((path) => /\/bug\/attachment\/\d+/u.test(path));

describe('an archive', () => {
  test('has everything public of the measured tracker; a second run changes no byte and asks for no content', async () => {
    const world = archiveWorld();
    loadTrackerWorld(world.tracker);
    const first = await run(world);
    expect(first).toMatchObject({ bugs: 55, comments: 170, attachments: 11, leftOut: [], removed: 0 });
    const files = filesIn(world.folder);
    const before = contentsAsked(world.asked).length;
    const second = await run(world);
    expect(second).toMatchObject({ written: 0, removed: 0, bytes: first.bytes, files: first.files });
    expect(filesIn(world.folder)).toEqual(files);
    expect(contentsAsked(world.asked)).toHaveLength(before);
  });

  test('goes on after a stop, without asking again for contents that it has', async () => {
    const whole = archiveWorld();
    loadTrackerWorld(whole.tracker);
    await run(whole);
    const world = archiveWorld();
    loadTrackerWorld(world.tracker);
    const stop = new AbortController();
    world.between = () => {
      if (contentsAsked(world.asked).length === 4) stop.abort(new Error('stopped'));
    };
    await expect(run(world, { signal: stop.signal })).rejects.toThrow('stopped');
    world.between = () => undefined;
    await run(world);
    expect(filesIn(world.folder)).toEqual(filesIn(whole.folder));
    // Those of the bug that it was at are asked for again.
    expect(contentsAsked(world.asked).length).toBeLessThan(contentsAsked(whole.asked).length + 4);
  });

  test('keeps equal contents once', async () => {
    const world = archiveWorld();
    const { tracker, folder } = world;
    for (const name of ['one.txt', 'two.txt']) {
      const bug = tracker.as('alice').file({ summary: name, description: 'd' });
      tracker.as('alice').attach(bug, { bytes: bytesOf('the same words'), file_name: name, summary: name });
    }
    await run(world);
    expect([...filesIn(folder).keys()].filter((path) => path.startsWith('files/'))).toHaveLength(1);
  });

  test('asks less than twice for a hundred bugs', async () => {
    const world = archiveWorld();
    fillGenerated(world.tracker, { count: 2_000, seed: 3 });
    const { requests, bugs } = await run(world);
    expect(bugs).toBeGreaterThan(1_800);
    expect((requests.lists / bugs) * 100).toBeLessThan(2);
  });

  test('leaves alone what is not its own, and refuses folders of others', async () => {
    const world = archiveWorld();
    await run(world);
    writeFileSync(join(world.folder, 'CNAME'), 'bugs.example.org');
    await run(world);
    expect(readFileSync(join(world.folder, 'CNAME'), 'utf8')).toBe('bugs.example.org');
    expect(whyNoArchive(world.folder, trackerUrl)).toBeNull();
    expect(whyNoArchive(world.folder, 'https://other.example.test')).toBe(`it is the archive of ${trackerUrl}`);
    rmSync(join(world.folder, 'archive.json'));
    expect(whyNoArchive(world.folder, trackerUrl)).toContain('is not an archive');
  });
});

describe('a comparison', () => {
  test('finds nothing to complain about, and writes nothing', async () => {
    const world = archiveWorld();
    loadTrackerWorld(world.tracker);
    await run(world);
    const files = filesIn(world.folder);
    const report = await run(world, { isVerifying: true });
    expect(report).toMatchObject({ differences: [], written: 0, removed: 0 });
    expect(report.requests.contents).toBeGreaterThan(0);
    expect(filesIn(world.folder)).toEqual(files);
  });

  test('names a changed byte, a missing file, and one too many; and what changed on the tracker', async () => {
    const world = archiveWorld();
    const { tracker, folder } = world;
    loadTrackerWorld(tracker);
    await run(world);
    const content = [...filesIn(folder).keys()].find((path) => path.startsWith('files/')) ?? '';
    const bytes = readFileSync(join(folder, content));
    bytes[0] = (bytes[0] ?? 0) ^ 1;
    writeFileSync(join(folder, content), bytes);
    rmSync(join(folder, 'bugs/12.html'));
    writeFileSync(join(folder, 'bugs/999.html'), 'more');
    tracker.as('alice').comment(11, 'A new comment.');
    const { differences } = await run(world, { isVerifying: true });
    expect(differences).toEqual(
      expect.arrayContaining([
        { path: content, why: 'it differs' },
        { path: 'bugs/12.html', why: 'it is missing' },
        { path: 'bugs/999.html', why: 'it should not be there' },
        { path: 'bugs/11.html', why: 'it differs' },
      ]),
    );
  });

  test('the next run mends what the comparison found', async () => {
    const world = archiveWorld();
    loadTrackerWorld(world.tracker);
    await run(world);
    const files = filesIn(world.folder);
    const content = [...files.keys()].find((path) => path.startsWith('files/')) ?? '';
    const bytes = readFileSync(join(world.folder, content));
    bytes[0] = (bytes[0] ?? 0) ^ 1;
    writeFileSync(join(world.folder, content), bytes);
    writeFileSync(join(world.folder, 'bugs/12.html'), 'other words');
    await run(world);
    expect(filesIn(world.folder)).toEqual(files);
  });
});
