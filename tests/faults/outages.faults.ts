import { setTimeout as passed } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Cluster, measuresOf, problemsOf, readyOf } from './cluster.ts';
import { SteadyLoad } from './steady-load.ts';
import { picture } from './writing-load.ts';

/** Seconds for which the database is away. */
const AWAY = Number(process.env.FAULT_AWAY ?? 60);
const SECOND = 1000;
/** Milliseconds in which what came back must be well again. */
const HEALED = { timeout: 30_000 };

describe('two servers under steady load', () => {
  let cluster: Cluster;
  let load: SteadyLoad;
  beforeAll(async () => {
    cluster = await Cluster.start();
    load = new SteadyLoad(cluster);
    await load.begin();
  });
  afterAll(async () => {
    await load?.end();
    await cluster?.close();
  });

  const codes = () => Promise.all(cluster.origins.map(async (origin) => (await readyOf(origin)).answered));
  const problems = async () => (await Promise.all(cluster.origins.map(problemsOf))).flat();
  const allWell = () => expect.poll(problems, HEALED).toEqual([]);

  /** Prints what there was, and makes sure that no acknowledged write is lost and nothing failed without a reason. */
  async function sum(name: string, facts: Record<string, unknown>): Promise<ReturnType<SteadyLoad['take']>> {
    const counts = load.take();
    const missing = await load.missing();
    const written = load.acknowledged.length;
    const told = { ...counts, writes: written, lostWrites: missing.length, comebacks: load.comebacks, ...facts };
    console.log(`${name}: ${JSON.stringify(told, null, 1)}`);
    expect(missing).toEqual([]);
    return counts;
  }

  /** What the log of a server says of the parts, since some line. */
  const told = (index: number) =>
    cluster.servers[index]!.lines()
      .filter(({ part }) => part)
      .map(({ msg }) => msg);

  it('a rolling restart loses no request, and sockets come back', async () => {
    await passed(2 * SECOND);
    load.take();
    for (let index = 0; index < cluster.servers.length; index++) {
      expect(await cluster.restart(index)).toBe(0);
      await allWell();
    }
    await expect.poll(() => load.connected, HEALED).toBe(6);
    const { refused, lost, answered } = await sum('Rolling restart', {});
    expect([refused, lost, load.faults]).toEqual([0, 0, []]);
    expect(answered).toBeGreaterThan(100);
  });

  it('NATS away is said, and no request notices', async () => {
    load.take();
    await cluster.stopNats();
    await expect.poll(problems, HEALED).toHaveLength(2);
    const { answered, status, parts } = await readyOf(cluster.origins[0]!);
    expect([answered, status, parts.nats!.state]).toEqual([200, 'degraded', 'degraded']);
    const during = await measuresOf(cluster.origins[0]!, 'enfilade_realtime_relay');
    expect(during).toContain('enfilade_realtime_relay_connected 0');
    cluster.startNats();
    await allWell();
    const after = await measuresOf(cluster.origins[0]!, 'enfilade_realtime_relay');
    const { refused, lost } = await sum('NATS', { readyz: parts.nats, during, after, log: told(0).slice(-2) });
    expect([refused, lost, load.faults]).toEqual([0, 0, []]);
  });

  it('the bucket away is said; uploads are refused with when to come back, and nothing else is', async () => {
    load.take();
    const client = cluster.client();
    const upload = async () => client.media.upload({ body: {}, files: { file: await picture() } });
    await upload();
    cluster.bucket.cut();
    await expect(upload()).rejects.toMatchObject({ status: 503, code: 'unavailable', wait: 5 });
    const bucketState = async () => (await readyOf(cluster.origins[0]!)).parts.s3!.state;
    await expect.poll(bucketState, HEALED).toBe('degraded');
    const { answered, parts } = await readyOf(cluster.origins[0]!);
    expect(answered).toBe(200);
    const during = await measuresOf(cluster.origins[0]!, 'enfilade_s3_request_duration_seconds_count');
    expect(during.some((line) => line.includes('outcome="failed"'))).toBe(true);
    cluster.bucket.mend();
    await allWell();
    await upload();
    const { refused, lost } = await sum('Bucket', { readyz: parts.s3, during, log: told(0).slice(-2) });
    expect([refused, lost, load.faults]).toEqual([0, 0, []]);
  });

  it.each(['cut', 'silence'] as const)(
    'the database away (%s) is said, calls are refused with when to come back, and open rooms are shown',
    async (how) => {
      load.take();
      cluster.database[how]();
      await expect.poll(codes, HEALED).toEqual([503, 503]);
      const { parts, status } = await readyOf(cluster.origins[0]!);
      expect([status, parts.database!.state]).toEqual(['unavailable', 'failed']);
      await passed(AWAY * SECOND);
      const during = await measuresOf(
        cluster.origins[0]!,
        'enfilade_database_pool',
        'enfilade_database_errors_total{kind="away"}',
      );
      expect(during).toContain('enfilade_database_pool_waiting 0');
      cluster.database.mend();
      await expect.poll(codes, HEALED).toEqual([200, 200]);
      await allWell();
      await expect.poll(() => load.connected, HEALED).toBe(6);
      const facts = { seconds: AWAY, readyz: parts.database, during, log: told(0).slice(-2) };
      const { refused, lost, old } = await sum(`Database (${how})`, facts);
      expect([lost, load.faults]).toEqual([0, []]);
      expect(Math.min(refused, old)).toBeGreaterThan(0);
    },
  );
});
