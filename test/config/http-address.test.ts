import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readHttpAddress } from '../../src/config/http-address.ts';
import { parseConfig } from '../../src/config/load.ts';

const folder = mkdtempSync(join(tmpdir(), 'bugferry-address-'));
afterAll(() => rmSync(folder, { recursive: true }));
const secret = 'sixteen-or-more-characters';
const env = { TOKEN: secret, KEY: 'key-of-a-test' };
writeFileSync(join(folder, 'token'), `${secret}\n`);

const head = `instance: acme
tracker: { url: "https://bugs.example.org", apiKey: "\${KEY}" }
github: { token: token-of-a-test }
routes: [{ name: widget, tracker: { product: Widget }, github: { repo: acme/widget }, create: { component: Core } }]
`;

function quick(text: string) {
  const file = join(folder, 'bridge.yaml');
  writeFileSync(file, text);
  return readHttpAddress(file, env);
}

describe('the address of the HTTP server', () => {
  test.each([
    '{}',
    '{ port: 9000 }',
    '{ host: "::1" }',
    `{ host: 0.0.0.0, token: "\${TOKEN}" }`,
    `{ host: 0.0.0.0, tokenFile: ${join(folder, 'token')}, readyLagMinutes: 3 }`,
  ])('is what the full check finds: %s', (http) => {
    const { host, port, token } = parseConfig(`${head}http: ${http}\n`, 'bridge.yaml', env).http ?? {};
    expect(quick(`${head}http: ${http}\n`)).toEqual({ host, port, token });
  });

  test.each([
    ['there is none', head],
    ['it is no mapping', `${head}http: [8080]\n`],
    ['it has no value', `${head}http:\n`],
    ['the port is none', `${head}http: { port: 70000 }\n`],
    ['the host is a number', `${head}http: { host: 12 }\n`],
    ['the file of the token is missing', `${head}http: { tokenFile: ${join(folder, 'none')} }\n`],
    ['the token is too short', `${head}http: { token: short }\n`],
    ['a variable is missing anywhere', `${head.replace('KEY', 'OTHER')}http: {}\n`],
    ['it is not YAML', `${head}http: {\n`],
  ])('is left to the full check when %s', (_why, text) => {
    expect(quick(text)).toBeNull();
  });

  test('is left to the full check if there is no file', () => {
    expect(readHttpAddress(join(folder, 'nowhere.yaml'), env)).toBeNull();
  });
});
