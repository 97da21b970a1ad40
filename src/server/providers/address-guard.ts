import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** An address that a host name resolves to. */
export interface ResolvedAddress {
  address: string;
  family: number;
}

/** Resolves all addresses of a host name. */
export type Resolve = (host: string) => Promise<ResolvedAddress[]>;

/** Allowed private addresses with their port, such as `127.0.0.1:4000`. */
export type Allowed = ReadonlySet<string>;

/** A refused connection to an address outside the public internet. */
export class RefusedAddress extends Error {}

/** The globally routed part of IPv6: 2000::/3. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether an IP address, in any notation, belongs to the public internet. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const plain = ipaddr.process(address);
  if (plain.range() !== 'unicast') return false;
  return plain instanceof ipaddr.IPv4 || plain.match(GLOBAL_IPV6);
}

/**
 * Checks an address against the allowed ones.
 * @throws RefusedAddress
 */
function refusePrivate(address: string, port: number, allowed: Allowed): void {
  if (!isPublicAddress(address) && !allowed.has(`${address}:${port}`)) throw new RefusedAddress(address);
}

/**
 * Refuses a host that is a private IP address. Names pass: their addresses are checked when connecting.
 * @param host as in `URL.hostname`, IPv6 in brackets
 */
export function refusePrivateHost(host: string, port: number, allowed: Allowed): void {
  const plain = host.replace(/^\[(.*)\]$/, '$1');
  if (isIP(plain)) refusePrivate(plain, port, allowed);
}

/**
 * A DNS lookup that checks the very addresses used for the connection, which prevents DNS rebinding. A single private
 * address among several refuses the name.
 */
export function guardedLookup(resolve: Resolve, port: number, allowed: Allowed): LookupFunction {
  return (host, options, callback) => {
    resolve(host)
      .then((addresses) => {
        for (const { address } of addresses) refusePrivate(address, port, allowed);
        const [first] = addresses;
        if (!first) throw new RefusedAddress(host);
        if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      })
      .catch((error: Error) => callback(error, ''));
  };
}
