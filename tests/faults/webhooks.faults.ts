import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/server/core/clock.ts';
import { openDatabase } from '../../src/server/core/db/database.ts';
import { migrate } from '../../src/server/core/db/migrate.ts';
import { readSettings } from '../../src/server/core/settings.ts';
import { webhookRows } from '../../src/server/features/webhooks/queries.ts';
import { createSecret, emitWebhookEvent } from '../../src/server/features/webhooks/service.ts';
import type { Reply } from '../harness/stand-ins/stand-in.ts';
import { WebhookReceiver } from '../harness/stand-ins/webhook-receiver.ts';
import { createDatabase, databases } from '../harness/test-database.ts';
import { insertOrganization } from '../harness/test-organizations.ts';

const MESSAGES = 400;
/** Requests that a server has on their way at once. */
const AT_ONCE = 10;
/** The request during which a server is killed, again and again. */
const KILL_AT = [40, 120, 200, 280];
/** How much faster the servers' clocks run: a lease of a minute expires after six seconds. */
const SPEED = 10;

/** Kills a server in the middle of a request: it is noted, and has no answer yet. */
class KillingReceiver extends WebhookReceiver {
  onRequest: (count: number) => void = () => {};

  protected override answer(): Reply {
    this.onRequest(this.seen.length);
    return super.answer();
  }
}

describe.each(databases)('webhooks of servers that are killed while they send, on %s', (kind) => {
  it(`of ${MESSAGES} messages and ${KILL_AT.length} kills none is lost, and what comes again has the same id`, async () => {
    // SQLite has one server.
    const servers: ChildProcess[] = [];
    const count = kind === 'sqlite' ? 1 : 2;
    const folder = await mkdtemp(join(tmpdir(), 'enfilade-webhooks-'));
    const dist = join(folder, 'dist');
    await mkdir(join(dist, 'assets'), { recursive: true });
    const { url, drop } = await createDatabase(kind);
    const receiver = await new KillingReceiver().start();
    const environment = {
      DATA_DIR: folder,
      SECRET_KEY: 'k'.repeat(32),
      LOG_LEVEL: 'silent',
      ...(url && { DATABASE_URL: url }),
    };
    const db = openDatabase({ folder, url });
    try {
      await migrate(db);
      const organizationId = await insertOrganization(db, systemClock, null);
      const { sealed } = await createSecret(readSettings(environment), organizationId);
      const author = { clock: systemClock, organizationId, user: null };
      await webhookRows.create(db, author, {
        name: 'Build',
        url: `${receiver.url}/hook`,
        events: '["space.published"]',
        sealed,
        is_paused: 0,
        failing_since: null,
        disabled_at: null,
      });
      for (let id = 1; id <= MESSAGES; id++) await emitWebhookEvent(db, author, 'space.published', { space: { id } });

      const began = String(Date.now());
      const script = join(import.meta.dirname, 'webhook-server.ts');
      const start = () =>
        spawn(process.execPath, [script, new URL(receiver.url).host, dist, began, String(SPEED)], {
          env: { PATH: process.env.PATH, ...environment },
          stdio: ['ignore', 'inherit', 'inherit'],
        });
      for (let index = 0; index < count; index++) servers.push(start());
      let kills = 0;
      receiver.onRequest = (seen) => {
        if (!KILL_AT.includes(seen)) return;
        const index = kills++ % count;
        servers[index]!.kill('SIGKILL');
        servers[index] = start();
      };
      const ids = () => new Set(receiver.seen.map(({ json }) => json.data.space.id as number));
      await expect.poll(() => ids().size, { timeout: 120_000, interval: 200 }).toBe(MESSAGES);
      const unfinished = () =>
        db.selectFrom('webhook_deliveries').select('id').where('state', '<>', 'delivered').execute();
      await expect.poll(unfinished, { timeout: 60_000, interval: 200 }).toEqual([]);
      expect(kills).toBe(KILL_AT.length);
      // A message that arrives twice has the same id.
      const messages = new Set(receiver.seen.map(({ headers }) => headers['webhook-id']));
      expect(messages.size).toBe(MESSAGES);
      const again = receiver.seen.length - MESSAGES;
      console.log(`${MESSAGES} messages by ${count} on ${kind}, ${kills} kills: ${again} came twice.`);
      // No more than what was on its way when a server was killed.
      expect(again).toBeGreaterThan(0);
      expect(again).toBeLessThanOrEqual(kills * AT_ONCE);
    } finally {
      receiver.onRequest = () => {};
      for (const server of servers) {
        if (server.exitCode !== null || server.signalCode !== null) continue;
        const ended = once(server, 'exit');
        server.kill('SIGKILL');
        await ended;
      }
      await receiver.stop();
      await db.destroy();
      await drop();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
