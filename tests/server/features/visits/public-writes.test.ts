import { expect, it } from 'vitest';
import { PUBLIC_WRITES, PublicWrites } from '../../../../src/server/features/visits/limits.ts';

const KB = 1024;

it.each(['statistics', 'presence'] as const)(
  'security 73: %s of a network and of an organization are limited in calls, rows, names and bytes a minute',
  (kind) => {
    let now = 0;
    const writes = new PublicWrites({ now: () => now }, kind);
    const { network, organization } = PUBLIC_WRITES[kind];
    const from = (number: number, organizationId = 1) => ({ address: `address:${number}`, organizationId });
    const send = (count: number, writer: Parameters<typeof writes.takes>[0], bytes: number) =>
      Array.from({ length: count }, () => writes.takes(writer, bytes)).filter(Boolean).length;

    expect(send(network.calls + 10, from(1), 10)).toBe(network.calls);
    expect(send(1000, from(2), Math.floor(network.bytes / 100))).toBe(100);
    writes.added(from(3), network.rows);
    expect([writes.rowsLeft(from(3)), writes.rowsLeft(from(4))]).toEqual([0, network.rows]);
    const names = Array.from({ length: network.names + 10 }, (_, number) => `name-${number}`);
    expect(names.filter((name) => writes.names(from(5), name))).toHaveLength(network.names);
    // A name that counts already goes on to do so.
    expect(writes.names(from(5), 'name-0')).toBe(true);

    // All networks together, until the organization has had its part.
    let taken = 0;
    for (let network_ = 10; network_ < 200; network_++) {
      taken += send(network.calls, from(network_, 2), 0);
      writes.added(from(network_, 2), Math.min(network.rows, writes.rowsLeft(from(network_, 2))));
      for (let name = 0; name < network.names; name++) writes.names(from(network_, 2), `${network_}-${name}`);
    }
    expect(taken).toBe(organization.calls);
    expect(writes.rowsLeft(from(500, 2))).toBe(0);
    expect(writes.names(from(500, 2), 'one more')).toBe(false);
    expect(writes.takes(from(500, 2), KB)).toBe(false);

    // Another organization has all of its own, from the same network, too.
    expect(writes.takes(from(500, 3), KB)).toBe(true);
    expect(writes.names(from(500, 3), 'mine')).toBe(true);
    expect(writes.rowsLeft(from(500, 3))).toBe(network.rows);

    now += 60_000;
    expect(writes.takes(from(500, 2), KB)).toBe(true);
    expect(writes.rowsLeft(from(3))).toBe(network.rows);
  },
);
