import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** An address that a host name stands for. */
export interface ResolvedAddress {
  address: string;
  family: number;
}

/** Asks for all addresses of a host name. */
export type Resolve = (host: string) => Promise<ResolvedAddress[]>;

/** Who may be connected to besides the public internet: addresses with their port, such as `127.0.0.1:4000`. */
export type Allowed = ReadonlySet<string>;

/** A connection that is not made because it would not lead to the public internet. */
export class RefusedAddress extends Error {}

/** The part of IPv6 that is given out for the public internet: 2000::/3. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether an IP address, in any spelling, belongs to the public internet. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const plain = ipaddr.process(address);
  if (plain.range() !== 'unicast') return false;
  return plain instanceof ipaddr.IPv4 || plain.match(GLOBAL_IPV6);
}

/**
 * Holds an address against what may be connected to.
 * @throws RefusedAddress
 */
function refusePrivate(address: string, port: number, allowed: Allowed): void {
  if (!isPublicAddress(address) && !allowed.has(`${address}:${port}`)) throw new RefusedAddress(address);
}

/**
 * Refuses a host that is an IP address of no public network. Names pass: what they stand for is known when connecting.
 * @param host as `URL.hostname` gives it, IPv6 in brackets
 */
export function refusePrivateHost(host: string, port: number, allowed: Allowed): void {
  const plain = host.replace(/^\[(.*)\]$/, '$1');
  if (isIP(plain)) refusePrivate(plain, port, allowed);
}

/**
 * A lookup for a connection: whatever it answers has been checked and is what is connected to, so a name cannot stand
 * for one address while it is checked and for another one afterwards. One private address among several is enough to
 * refuse the name.
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
