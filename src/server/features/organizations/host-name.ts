import { domainToASCII } from 'node:url';

/** Longest host name, as DNS has it. */
const MAX_HOST_LENGTH = 253;

/**
 * A host name in the one form in which it is kept and looked up: as browsers send it, that is in lower case and ASCII
 * (IDNA, https://url.spec.whatwg.org/#idna), without port and without the dot at its end.
 * @param text a name, or an address in brackets where it is one of IPv6, with or without port
 * @returns null for what is no host name
 */
export function normalizeHost(text: string): string | null {
  const [, host = '', port] = /^(\[[\da-f:.]+\]|[^[\]:/\\?#@\s]+?)\.?(?::(\d{0,5}))?$/i.exec(text.trim()) ?? [];
  const ascii = domainToASCII(host);
  if (ascii === '' || ascii.length > MAX_HOST_LENGTH || Number(port ?? 0) > 65_535) return null;
  return ascii.startsWith('[') || /^(?!-)[a-z\d_-]{1,63}(?:\.[a-z\d_-]{1,63})*$/.test(ascii) ? ascii : null;
}
