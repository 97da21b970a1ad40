import type { FastifyInstance } from 'fastify';
import { timestampOf } from '../../core/clock.ts';
import { repeat } from '../../core/jobs/repeat.ts';
import type { Mailer, Message } from '../../core/mail/mailer.ts';
import type { Services } from '../../core/services.ts';
import { siteOf } from '../organizations/site-of.ts';
import { oneLine } from '../users/passwords.ts';
import { claimNotification, listUntold, moderationOf, releaseNotification, type UntoldFeed } from './queries.ts';

/** Milliseconds for which a feed tells nobody again. */
const QUIET_TIME = 15 * 60 * 1000;
/** Milliseconds between looking for what came in such a time. */
const LOOK_EVERY = 60_000;

/** What telling takes. */
export interface Telling extends Pick<Services, 'db' | 'clock'> {
  mail: Mailer;
  publicUrl(): string;
}

/** What is said of a feed. */
function messageOf({ id, name, waiting }: UntoldFeed, origin: string): Omit<Message, 'to'> {
  const feed = oneLine(name);
  const [messages, wait] = waiting === 1 ? ['1 message', 'waits'] : [`${waiting} messages`, 'wait'];
  return {
    subject: `${messages} ${wait} for approval: ${feed}`,
    text: [
      'Hello,',
      `${messages} that visitors shared to “${feed}” ${wait} for approval. Show, hide or remove ${waiting === 1 ? 'it' : 'them'} here:`,
      `${origin}/admin/settings/shares?feed=${id}&state=waiting`,
      'You get this message because your address stands in the settings of the feed. It comes at most once in 15 minutes.',
    ].join('\n\n'),
  };
}

/**
 * Tells those whom a feed names that something waits there, unless they were told shortly before. Of several processes that
 * find the same, one tells.
 * @param feedId only this feed; all when left out
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

/** Notifies of items that arrived within the quiet time of their feed. */
export const notifyModeratorsRegularly = (app: FastifyInstance, telling: Telling): void =>
  repeat(app, [{ every: LOOK_EVERY, first: 'later', run: () => notifyModerators(telling) }]);
