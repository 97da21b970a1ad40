import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { timestampOf } from '../../../src/server/core/clock.ts';
import { Queue, type QueueOptions, retryAt } from '../../../src/server/core/jobs/queue.ts';
import { ApiApp, databases } from '../../harness/api-app.ts';

const MINUTE = 60_000;
const LEASE = 5 * MINUTE;

describe.each(databases)('a queue in a table on %s', (kind) => {
  let api: ApiApp;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
  });
  beforeEach(() => api.services.db.deleteFrom('poster_drawings').execute());
  afterAll(() => api.close());

  const stampAfter = (milliseconds: number) => timestampOf(api.clock.now() + milliseconds);
  /** Adds due rows. @returns their ids */
  const add = async (organizationId: number, count: number): Promise<number[]> => {
    const at = stampAfter(-MINUTE);
    const row = { organization_id: organizationId, version: '1', created_at: at, updated_at: at, next_at: at };
    const rows = Array.from({ length: count }, () => ({ ...row, room_id: null, template_id: null }));
    const added = await api.services.db.insertInto('poster_drawings').values(rows).returning('id').execute();
    return added.map(({ id }) => id);
  };
  const finish = (id: number) =>
    api.services.db.updateTable('poster_drawings').set({ next_at: null }).where('id', '=', id).execute();
  const errors: unknown[] = [];
  const queueOf = (run: QueueOptions['run'], more: Partial<QueueOptions> = {}) => {
    const options = {
      table: 'poster_drawings',
      lease: LEASE,
      perOrganization: 2,
      organizations: 2,
      run,
      ...more,
    } as const;
    return new Queue(api.services, options, (error) => errors.push(error));
  };
  const workThrough = async (queue: Queue) => {
    await queue.poll();
    await queue.settled();
  };

  it('runs each due row once, although three servers share it', async () => {
    const ids = await add(api.one.id, 7);
    const seen: number[] = [];
    const run = async (id: number) => {
      seen.push(id);
      await finish(id);
    };
    await Promise.all([workThrough(queueOf(run)), workThrough(queueOf(run)), workThrough(queueOf(run))]);
    expect(seen.toSorted((a, b) => a - b)).toEqual(ids);
  });

  it('gives organizations turns: a long backlog delays nobody else', async () => {
    await add(api.one.id, 6);
    const [other] = await add(api.two.id, 1);
    const seen: number[] = [];
    const run = async (id: number) => {
      seen.push(id);
      await finish(id);
    };
    await workThrough(queueOf(run, { organizations: 1 }));
    expect(seen).toHaveLength(7);
    expect(seen.indexOf(other!)).toBeLessThanOrEqual(2);
  });

  it('a row that hangs holds up only its own organization', async () => {
    await add(api.one.id, 3);
    await add(api.two.id, 5);
    const { promise: hanging, resolve } = Promise.withResolvers<void>();
    const finished: number[] = [];
    const { promise: others, resolve: allOfTwo } = Promise.withResolvers<void>();
    const organizationOf = async (id: number) => {
      const row = api.services.db.selectFrom('poster_drawings').select('organization_id').where('id', '=', id);
      return (await row.executeTakeFirstOrThrow()).organization_id;
    };
    const queue = queueOf(async (id) => {
      if ((await organizationOf(id)) === api.one.id) return hanging;
      await finish(id);
      finished.push(id);
      if (finished.length === 5) allOfTwo();
    });
    await queue.poll();
    await others;
    const stopped = queue.stop();
    resolve();
    await stopped;
  });

  it('a row whose work fails, or whose server crashes, is due again when its lease ends', async () => {
    const [id] = await add(api.one.id, 1);
    errors.length = 0;
    const seen: number[] = [];
    const failing = queueOf(async (each) => {
      seen.push(each);
      throw new Error('It failed.');
    });
    await workThrough(failing);
    await workThrough(failing);
    expect(seen).toEqual([id]);
    expect(errors).toEqual([new Error('It failed.')]);
    api.clock.advance(LEASE);
    await workThrough(failing);
    expect(seen).toEqual([id, id]);
  });

  it('starts nothing after it was stopped, and tells running work', async () => {
    await add(api.one.id, 5);
    const seen: boolean[] = [];
    const { promise: started, resolve } = Promise.withResolvers<void>();
    const queue = queueOf((_, stopping) => {
      resolve();
      return new Promise((end) => stopping.addEventListener('abort', () => end(void seen.push(stopping.aborted))));
    });
    await queue.poll();
    await started;
    await queue.stop();
    expect(seen).toEqual([true, true]);
  });
});

it('the next attempt follows the backoff with 20 % jitter, and ends after the last', () => {
  const clock = { now: () => 1_000_000 };
  for (let time = 0; time < 50; time++) {
    const next = Date.parse(retryAt(clock, [1000, 60_000], 2)!) - 1_000_000;
    expect(next).toBeGreaterThanOrEqual(48_000);
    expect(next).toBeLessThanOrEqual(72_000);
  }
  expect(retryAt(clock, [1000, 60_000], 3)).toBeNull();
});
