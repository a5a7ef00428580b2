import { createSign } from 'node:crypto';

/**
 * GitHub refuses assertions from the future, and those that are valid for more than ten minutes; clocks differ by
 * seconds everywhere.
 */
const backdatedSeconds = 30;
const validSeconds = 570;

interface Assertion {
  readonly jwt: string;
  readonly expiresAt: string;
}

/**
 * What an App shows to identify itself. `at` is the present by GitHub's clock, epoch milliseconds.
 * Source: "Generating a JSON Web Token (JWT) for a GitHub App".
 */
export function assertionOf(id: number | string, privateKey: string, at: number): Assertion {
  const issuedSeconds = Math.floor(at / 1000) - backdatedSeconds;
  const endsSeconds = issuedSeconds + validSeconds;
  const words = [
    { alg: 'RS256', typ: 'JWT' },
    { iat: issuedSeconds, exp: endsSeconds, iss: id },
  ];
  const text = words.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  // A key in an environment variable often has its line breaks escaped.
  const signature = createSign('RSA-SHA256').update(text).sign(privateKey.replaceAll('\\n', '\n'), 'base64url');
  return { jwt: `${text}.${signature}`, expiresAt: new Date(endsSeconds * 1000).toISOString() };
}
