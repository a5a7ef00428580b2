/**
 * Copies files from a tracker to an attachment store within one process, and prints by how many bytes its memory grew
 * at most; with the word `hold` it keeps all contents, which has to be seen. The two servers are the least that
 * answers: they keep nothing, so that the memory is the bridge's own and the parsing of the tracker's answers.
 */

import { bugzillaAttachments } from '../../src/bugzilla/attachments.ts';
import { createTrackerClient } from '../../src/bugzilla/connection/client.ts';
import { branchStore } from '../../src/github/attachments/branch-store.ts';
import { gitBlobSha, hexDigest } from '../../src/github/attachments/git-data.ts';
import { releaseStore } from '../../src/github/attachments/release-store.ts';
import { createGithubClient } from '../../src/github/connection/client.ts';
import type { Fetch, Lane } from '../../src/model/runtime.ts';

const [store = 'branch', count = '1', size = '20000000', way = 'pass on'] = process.argv.slice(2);
const lane: Lane = { run: (_cost, request) => request() };
const content = new Uint8Array(Number(size)).fill(65);
const [sha, sha256] = [await gitBlobSha(content), await hexDigest('SHA-256', content)];
const data = Buffer.from(content).toString('base64');

/** Half of an answer or a request is looked at when it is largest. */
let peak = 0;
const measure = (): void => {
  const { heapUsed, external } = process.memoryUsage();
  peak = Math.max(peak, heapUsed + external);
};

const trackerFetch: typeof fetch = async () => {
  measure();
  const body = `{"bugs":{},"attachments":{"1":{"id":1,"bug_id":1,"is_private":0,"data":"${data}"}}}`;
  return new Response(body, { headers: { 'content-type': 'application/json', date: new Date(0).toUTCString() } });
};

const release = {
  id: 1,
  tag_name: 'attachments',
  upload_url: 'https://uploads.github.com/repos/acme/widget/releases/1/assets{?name,label}',
};
const asset = {
  id: 1,
  name: 'a',
  size: content.length,
  state: 'uploaded',
  digest: `sha256:${sha256}`,
  browser_download_url: 'https://github.com/a',
};
const answers: readonly (readonly [RegExp, unknown])[] = [
  [/\/releases\?per_page=100$/u, [release]],
  [/\/releases\/1\/assets\?per_page=100$/u, []],
  [/^https:\/\/uploads\.github\.com\/repos\//u, asset],
  [/\/git\/blobs$/u, { sha }],
  [/\/git\/(?:trees|commits)$/u, { sha: 'aa' }],
  [/\/git\/refs$/u, { object: { sha: 'aa' } }],
  [/\/repos\/acme\/widget$/u, { html_url: 'https://github.com/acme/widget' }],
];
const githubFetch: Fetch = async (input) => {
  measure();
  const found = answers.find(([pattern]) => pattern.test(String(input)));
  const headers = { 'content-type': 'application/json' };
  return found === undefined
    ? new Response('{"message":"Not Found"}', { status: 404, headers })
    : new Response(JSON.stringify(found[1]), { headers });
};

const tracker = createTrackerClient({
  url: 'https://bugs.example.test',
  apiKey: 'k',
  auth: 'query',
  lane,
  timeoutMs: 60_000,
  fetch: trackerFetch,
});
const attachmentClient = bugzillaAttachments({
  client: tracker,
  url: 'https://bugs.example.test',
  warn: () => undefined,
});
const client = createGithubClient({
  ...{ url: 'https://api.github.com', token: 't', lane, timeoutMs: 60_000, now: () => 0 },
  fetch: githubFetch,
});
const place = { client, owner: 'acme', repo: 'widget' };
const attachmentStore =
  store === 'release'
    ? releaseStore({ ...place, tag: 'attachments' })
    : branchStore({ ...place, branch: 'attachments' });

globalThis.gc?.();
const { heapUsed, external } = process.memoryUsage();
const held: unknown[] = [];
const uploads = Array.from({ length: Number(count) }, (_, index) => ({
  path: `0-999/1/${index}-a.bin`,
  type: 'application/octet-stream',
  async open() {
    globalThis.gc?.();
    const outcome = await attachmentClient.content(1);
    measure();
    if (way === 'hold') held.push(outcome);
    return outcome;
  },
}));
const outcomes = await attachmentStore.put(uploads);
if (!outcomes.every(({ kind }) => kind === 'applied')) throw new Error(JSON.stringify(outcomes));
process.stdout.write(String(peak - heapUsed - external));
