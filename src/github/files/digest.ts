/** The name that git gives to a content: SHA-1 over its kind, its length and itself, in hexadecimal. */
export async function gitBlobSha(bytes: Uint8Array): Promise<string> {
  const header = new TextEncoder().encode(`blob ${bytes.length}\0`);
  const whole = new Uint8Array(header.length + bytes.length);
  whole.set(header);
  whole.set(bytes, header.length);
  return hexDigest('SHA-1', whole);
}

export async function hexDigest(algorithm: 'SHA-1' | 'SHA-256', bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return Buffer.from(await crypto.subtle.digest(algorithm, bytes)).toString('hex');
}
