import type { FastifyInstance } from 'fastify';
import { timestampOf } from '../../core/clock.ts';
import { repeat } from '../../core/jobs/repeat.ts';
import type { Mailer, Message } from '../../core/mail/mailer.ts';
import type { Services } from '../../core/services.ts';
import { siteOf } from '../organizations/site-of.ts';
import { oneLine } from '../users/passwords.ts';
import { claimNotification, listUntold, moderationOf, releaseNotification, type UntoldFeed } from './queries.ts';

/** Minimum milliseconds between two notifications of a feed. */
const QUIET_TIME = 15 * 60 * 1000;
/** Milliseconds between checks for items that arrived in that interval. */
const LOOK_EVERY = 60_000;

/** Dependencies of notifications. */
export interface Telling extends Pick<Services, 'db' | 'clock'> {
  mail: Mailer;
  publicUrl(): string;
}

/** The notification for a feed. */
function messageOf({ id, name, waiting }: UntoldFeed, origin: string): Omit<Message, 'to'> {
  const feed = oneLine(name);
  const [messages, wait] = waiting === 1 ? ['1 message', 'waits'] : [`${waiting} messages`, 'wait'];
  return {
    subject: `${messages} ${wait} for approval: ${feed}`,
    text: [
      'Hello,',
      `Visitors shared ${messages} to "${feed}". Approve, hide or remove ${waiting === 1 ? 'it' : 'them'} here:`,
      `${origin}/admin/settings/shares?feed=${id}&state=waiting`,
      "Sent at most once every 15 minutes to the addresses in the feed's settings.",
    ].join('\n\n'),
  };
}

/**
 * Notifies the moderators of feeds with waiting items, unless they were notified recently. Only one of several
 * processes sends the notification.
 * @param feedId only this feed; all by default
 */
export async function notifyModerators({ db, clock, mail, publicUrl }: Telling, feedId?: number): Promise<void> {
  const before = timestampOf(clock.now() - QUIET_TIME);
  for (const feed of await listUntold(db, before, feedId)) {
    const { notify } = moderationOf(feed);
    const at = timestampOf(clock.now());
    if (notify.length === 0 || !(await claimNotification(db, feed.id, before, at))) continue;
    try {
      const { origin } = await siteOf({ db, publicUrl }, feed.organization_id);
      for (const to of notify) await mail.send({ to, ...messageOf(feed, origin) });
    } catch (error) {
      await releaseNotification(db, feed, at);
      throw error;
    }
  }
}

/** Notifies of items that arrived within the minimum interval of their feed. */
export const notifyModeratorsRegularly = (app: FastifyInstance, telling: Telling): void =>
  repeat(app, [{ name: 'notify moderators', every: LOOK_EVERY, first: 'later', run: () => notifyModerators(telling) }]);
