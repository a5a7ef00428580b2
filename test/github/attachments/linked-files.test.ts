import { describe, expect, test } from 'vitest';
import { githubFiles, isPublicAddress, sniff } from '../../../src/github/attachments/linked-files.ts';

const asset = 'https://github.com/user-attachments/assets/0a1b2c3d-0000-4000-8000-123456789abc';
const bucket = 'https://github-production-user-asset-6210df.s3.amazonaws.com/1/2?X-Amz-Signature=secret';

interface World {
  readonly pages: Readonly<Record<string, Response | (() => never)>>;
  readonly addresses?: Readonly<Record<string, readonly string[]>>;
}

/** An internet of a few pages; what is asked of it is kept. */
function internet({ pages, addresses = {} }: World) {
  const asked: { readonly url: string; readonly headers: Headers }[] = [];
  const files = githubFiles({
    resolve: async (host) => addresses[host] ?? ['140.82.121.4', '2606:50c0:8000::154'],
    timeoutMs: 1_000,
    async fetch(input, init) {
      asked.push({ url: String(input), headers: new Headers(init?.headers) });
      expect(init?.redirect).toBe('manual');
      const page = pages[String(input)];
      if (page === undefined) return new Response(null, { status: 404 });
      return typeof page === 'function' ? page() : page;
    },
  });
  return { asked, fetch: (url: string, bytesMax = 1_000) => files.fetch(url, bytesMax) };
}

const to = (location: string): Response => new Response(null, { status: 302, headers: { location } });
const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 7);

test('a file is fetched where GitHub keeps it, without credentials', async () => {
  const { asked, fetch } = internet({
    pages: { [asset]: to(bucket), [bucket]: new Response(png, { headers: { 'content-type': 'text/html' } }) },
  });
  expect(await fetch(asset)).toEqual({
    kind: 'applied',
    item: { name: '0a1b2c3d.png', type: 'image/png', bytes: png },
  });
  expect(asked.map(({ url }) => url)).toEqual([asset, bucket]);
  for (const { headers } of asked) expect([...headers.keys()]).toEqual(['user-agent']);
});

test('a file with a name keeps it', async () => {
  const url = 'https://github.com/user-attachments/files/123/crash%20report.pdf';
  expect(await internet({ pages: { [url]: new Response('%PDF-1.7') } }).fetch(url)).toMatchObject({
    item: { name: 'crash report.pdf', type: 'application/pdf' },
  });
});

describe('nothing is asked of', () => {
  test.each([
    ['another host', 'https://evil.test/user-attachments/assets/1'],
    ['a host that looks like one', 'https://github.com.evil.test/user-attachments/assets/1'],
    ['a bucket at first hand', bucket],
    ['another scheme', asset.replace('https', 'http')],
    ['another port', asset.replace('github.com', 'github.com:8443')],
    ['a place with a name and a password', asset.replace('https://', 'https://user:pass@')],
  ])('%s', async (_what, url) => {
    const { asked, fetch } = internet({ pages: {} });
    expect(await fetch(url)).toMatchObject({ kind: 'refused' });
    expect(asked).toEqual([]);
  });

  test.each([
    ['the own machine', 'http://127.0.0.1/'],
    ['the metadata of a cloud', 'http://169.254.169.254/latest/meta-data/'],
    ['another host', 'https://evil.test/'],
    ["somebody else's bucket", 'https://evil.s3.amazonaws.com/'],
    ['a file', 'file:///etc/passwd'],
  ])('%s that GitHub itself would lead to', async (_what, place) => {
    const { asked, fetch } = internet({ pages: { [asset]: to(place) } });
    expect(await fetch(asset)).toMatchObject({ kind: 'refused' });
    expect(asked).toHaveLength(1);
  });

  test('a name on the list that leads into our own network, be it one address of several', async () => {
    const { asked, fetch } = internet({ pages: {}, addresses: { 'github.com': ['140.82.121.4', '10.0.0.7'] } });
    expect(await fetch(asset)).toMatchObject({ kind: 'refused', why: 'github.com has no public address' });
    expect(asked).toEqual([]);
  });
});

describe('what does not come to an end', () => {
  test('a file is read no further than it may be long', async () => {
    let given = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        given += 1;
        controller.enqueue(new Uint8Array(400));
      },
    });
    expect(await internet({ pages: { [asset]: new Response(endless) } }).fetch(asset)).toMatchObject({
      kind: 'refused',
      why: expect.stringContaining('larger'),
    });
    expect(given).toBeLessThan(8);
  });

  test('a circle of addresses is left', async () => {
    const { asked, fetch } = internet({
      pages: {
        get [asset]() {
          return to(asset);
        },
      },
    });
    expect(await fetch(asset)).toMatchObject({ kind: 'refused', why: expect.stringContaining('redirects too often') });
    expect(asked.length).toBeLessThan(10);
  });

  test.each([
    [
      'is tried again when the connection breaks',
      {
        [asset]: () => {
          throw new TypeError('fetch failed', { cause: new Error('reset') });
        },
      },
      'later',
    ],
    ['is tried again when the server is ill', { [asset]: new Response(null, { status: 503 }) }, 'later'],
    ['is given up when it is not there', {}, 'refused'],
    ['is given up when it is empty', { [asset]: new Response('') }, 'refused'],
  ] as const)('a file %s', async (_what, pages, kind) => {
    const outcome = await internet({ pages }).fetch(`${asset}`);
    expect(outcome.kind).toBe(kind);
    expect(JSON.stringify(outcome)).not.toContain('Signature');
  });
});

test.each([
  ['127.0.0.1', false],
  ['10.1.2.3', false],
  ['172.16.0.1', false],
  ['172.32.0.1', true],
  ['192.168.1.1', false],
  ['169.254.169.254', false],
  ['100.64.0.1', false],
  ['0.0.0.0', false],
  ['224.0.0.1', false],
  ['255.255.255.255', false],
  ['192.0.2.1', false],
  ['198.18.0.1', false],
  ['140.82.121.4', true],
  ['8.8.8.8', true],
  ['::1', false],
  ['::', false],
  ['fe80::1', false],
  ['fd00::1', false],
  ['ff02::1', false],
  ['::ffff:10.0.0.1', false],
  ['::ffff:8.8.8.8', true],
  ['2002:0a00:0001::', false],
  ['2001:db8::1', false],
  ['2606:50c0:8000::154', true],
  ['2a00:1450::1', true],
  ['64:ff9b::a00:1', false],
  ['not an address', false],
] as const)('the address %s is on the internet: %s', (address, isPublic) => {
  expect(isPublicAddress(address)).toBe(isPublic);
});

test.each([
  ['a picture', [...png], 'image/png'],
  ['a text', [...new TextEncoder().encode('Zeile ä\n\x1b[31mred')], 'text/plain'],
  ['a text that looks like a page', [...new TextEncoder().encode('<html>')], 'text/plain'],
  ['bytes', [0, 1, 2, 3], 'application/octet-stream'],
  ['an archive', [0x50, 0x4b, 3, 4, 0], 'application/zip'],
  [
    'a text that is cut within a character',
    [...new TextEncoder().encode('ä'.repeat(40_000)).subarray(0, 65_537)],
    'text/plain',
  ],
])('%s is known by its content', (_what, bytes, type) => {
  expect(sniff(Uint8Array.from(bytes)).type).toBe(type);
});
