import { createHash } from 'node:crypto';
import type { Installed } from './lock-file.ts';

interface Project {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

/**
 * A bill of materials, CycloneDX 1.6. It depends on the lock file alone, so the same lock file gives the same bytes.
 * Source: cyclonedx.org/docs/1.6/json; package URLs as in github.com/package-url/purl-spec.
 */
export function billOf({ name, version, license }: Project, installed: readonly Installed[]): object {
  // One package may stand in several places.
  const parts = [...new Map(installed.map((each) => [purlOf(each), each])).entries()].sort(([one], [other]) => (one < other ? -1 : 1));
  const own = `pkg:npm/${name}@${version}`;
  const digest = createHash('sha256')
    .update(JSON.stringify([own, parts.map(([purl, { integrity }]) => [purl, integrity])]))
    .digest('hex');
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(digest)}`,
    version: 1,
    metadata: { component: { type: 'application', 'bom-ref': own, name, version, purl: own, licenses: [{ expression: license }] } },
    components: parts.map(([purl, each]) => ({
      type: 'library',
      'bom-ref': purl,
      name: each.name,
      version: each.version,
      purl,
      scope: each.isDevelopment ? 'excluded' : each.isOptional ? 'optional' : 'required',
      ...(each.licence === null ? {} : { licenses: [{ expression: each.licence }] }),
      ...(each.integrity === null ? {} : { hashes: [{ alg: 'SHA-512', content: hexOf(each.integrity) }] }),
    })),
  };
}

/** `package, version, licence`, a line each. */
export const licenceLines = (installed: readonly Installed[]): readonly string[] =>
  [...new Set(installed.map(({ name, version, licence }) => `${name} ${version}  ${licence ?? 'not told'}`))].sort();

const purlOf = ({ name, version }: Installed): string => `pkg:npm/${name.replace('@', '%40')}@${version}`;

const hexOf = (integrity: string): string => Buffer.from(integrity.replace(/^sha512-/u, ''), 'base64').toString('hex');

/** A digest in the form of a UUID of version 8, which is free for such use (RFC 9562, 5.8). */
const uuidOf = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
