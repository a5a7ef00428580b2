/**
 * Reads a whole tracker with the client that the package exports, as `npm run build` made it, and prints what it found:
 * `node read-own.js URL`. It is JavaScript, as a program of somebody who uses the client, and keeps the compiled code of
 * the client for the next start, as Python does without being asked.
 */

import { enableCompileCache } from 'node:module';

enableCompileCache();
const { openTracker } = await import('../../../dist/bugzilla/api/tracker.js');
const [url = ''] = process.argv.slice(2);
const tracker = openTracker({ url, apiKey: process.env.TRACKER_API_KEY ?? '' });
const [bugs, privateBugs] = [[], []];
for await (const { id, groups = [] } of tracker.readBugs({ last_change_time: 0 })) {
  bugs.push(id);
  if (groups.length > 0) privateBugs.push(id);
}
const idsOf = ({ found }) => [...found.values()].flatMap((parts) => parts.map(({ id }) => id));
const comments = idsOf(await tracker.readComments(bugs));
const attachments = idsOf(await tracker.readAttachments(bugs));
const { found: records } = await tracker.readHistory(bugs);
const history = [...records].flatMap(([bug, sets]) =>
  sets.flatMap(({ when, changes }) =>
    changes.map(({ field_name: field }) => `${bug} ${Math.floor((when ?? 0) / 1000)} ${field}`),
  ),
);
process.stdout.write(JSON.stringify({ bugs, privateBugs, comments, attachments, history }));
