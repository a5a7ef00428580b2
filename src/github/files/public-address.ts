/** Whether an address is of the internet, and not of a machine or a network that only we can reach. Source: RFC 6890. */
export function isPublicAddress(address: string): boolean {
  const mapped = /^::(?:ffff:)?(\d+\.\d+\.\d+\.\d+)$/iu.exec(address)?.[1];
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/u.exec(mapped ?? address);
  if (parts !== null) return isPublicIPv4(parts.slice(1).map(Number));
  // Only global unicast, without the parts of it that carry an IPv4 address or are for documentation.
  return /^[23][0-9a-f]{3}:/iu.test(address) && !/^(?:2002:|2001:(?:0{0,3}[0-9a-f]?:|0?db8:|:))/iu.test(address);
}

function isPublicIPv4([first = 0, second = 0, third = 0]: readonly number[]): boolean {
  if (first === 0 || first === 10 || first === 127 || first >= 224) return false;
  if (first === 100 && second >= 64 && second < 128) return false;
  if (first === 169 && second === 254) return false;
  if (first === 172 && second >= 16 && second < 32) return false;
  if (first === 192 && (second === 168 || (second === 0 && (third === 0 || third === 2)))) return false;
  if (first === 198 && (second === 18 || second === 19 || (second === 51 && third === 100))) return false;
  return !(first === 203 && second === 0 && third === 113);
}
