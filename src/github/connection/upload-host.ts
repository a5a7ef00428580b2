/**
 * The address for uploads: `uploads.github.com` for `api.github.com`, and a path of the same host on an Enterprise
 * Server.
 * @param root the root of the REST interface
 * @returns an address without a trailing slash
 */
export function uploadRoot(root: URL): string {
  if (root.hostname.startsWith('api.')) return `https://${uploadHost(root)}`;
  return `${root.origin}/api/uploads`;
}

/** Whether an address that GitHub returned belongs to GitHub, so that our credentials may be sent there. */
export function isOwnAddress(root: URL, address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { origin, protocol, host } = new URL(address);
  return (
    origin === root.origin || (root.hostname.startsWith('api.') && protocol === 'https:' && host === uploadHost(root))
  );
}

export const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).host : 'no address');

const uploadHost = (root: URL): string => root.hostname.replace(/^api\./u, 'uploads.');

/** Whether GitHub runs the server itself, and so always its newest version. */
export const isOfGithubCom = ({ hostname }: URL): boolean =>
  hostname === 'api.github.com' || hostname.endsWith('.ghe.com');
