import { type Clock, timestampOf } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import type { Message } from '../../core/mail/mailer.ts';
import { createToken, hashToken } from '../../core/secrets/token.ts';
import { type Site, siteOf } from '../organizations/site-of.ts';
import type { StoredUser } from './queries.ts';

const HOUR = 60 * 60 * 1000;
/** Milliseconds that links live: to set a password anew, and to set the first one. */
const LINK_LIFETIME = { reset: HOUR, invitation: 7 * 24 * HOUR } as const;
export type LinkKind = keyof typeof LINK_LIFETIME;

/** Makes the token of a link with which a user sets a password. It is not stored as it is. */
export async function createPasswordToken(db: Database, clock: Clock, userId: number, kind: LinkKind): Promise<string> {
  const token = createToken();
  const now = clock.now();
  await sweepPasswordTokens(db, clock);
  await db
    .insertInto('password_resets')
    .values({
      user_id: userId,
      token_hash: hashToken(token),
      created_at: timestampOf(now),
      expires_at: timestampOf(now + LINK_LIFETIME[kind]),
    })
    .execute();
  return token;
}

/** Forgets tokens whose time is over. */
export async function sweepPasswordTokens(db: Database, clock: Clock): Promise<void> {
  await db.deleteFrom('password_resets').where('expires_at', '<=', timestampOf(clock.now())).execute();
}

/** Takes every link back that a user has. */
export async function forgetPasswordTokens(db: Database, userId: number): Promise<void> {
  await db.deleteFrom('password_resets').where('user_id', '=', userId).execute();
}

/** The user whom a token lets set a password, if it is theirs and good. */
export async function findPasswordToken(
  db: Database,
  clock: Clock,
  token: string,
  email: string,
): Promise<{ userId: number; organizationId: number } | null> {
  const row = await db
    .selectFrom('password_resets')
    .innerJoin('users', 'users.id', 'password_resets.user_id')
    .select(['users.id', 'users.organization_id'])
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', timestampOf(clock.now()))
    .where('users.email', '=', email)
    .where('users.is_active', '=', 1)
    .executeTakeFirst();
  return row ? { userId: row.id, organizationId: row.organization_id } : null;
}

/** Takes a token: of several at once, one gets it. */
export async function takePasswordToken(db: Database, clock: Clock, token: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('password_resets')
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', timestampOf(clock.now()))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Address of the page on which a password is set. @param origin of the organization's site */
function passwordLink(origin: string, token: string, email: string): string {
  const encoded = Buffer.from(JSON.stringify({ token, email })).toString('base64url');
  return `${origin}/admin/password/${encoded}/reset`;
}

const texts: Record<LinkKind, (name: string, organization: string, link: string) => Omit<Message, 'to'>> = {
  reset: (name, organization, link) => ({
    subject: `Set a new password for ${organization}`,
    text: [
      greeting(name),
      `somebody asked for a new password for ${organization}. With this link you set it, once, within an hour:`,
      link,
      'If it was not you, you can ignore this message: your password stays as it is.',
    ].join('\n\n'),
  }),
  invitation: (name, organization, link) => ({
    subject: `You are invited to ${organization}`,
    text: [
      greeting(name),
      `you have been added to ${organization}. Set your password with this link within seven days, then sign in:`,
      link,
      'If the link has expired, request a new one on the sign-in page with "I forgot my password".',
    ].join('\n\n'),
  }),
};

/** How a message begins. A name that is an address, of mail or of a page, is left out: it would become a link. */
export const greeting = (name: string) => (/@|:\/\/|\bwww\./i.test(name) ? 'Hello,' : `Hello ${name},`);

/** What stands in a message's head or greeting: one line. */
export const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

/** What is sent in place of an invitation where an organization takes no passwords. */
const welcome = (name: string, organization: string, address: string): Omit<Message, 'to'> => ({
  subject: `You are invited to ${organization}`,
  text: [greeting(name), `you have been added to ${organization}. Sign in with its own sign-in:`, address].join('\n\n'),
});

/**
 * Sends a user a link to set a password. It is made when it is sent, so that nobody waits for it. Where their organization
 * takes no passwords, an invitation links to the sign-in page, and nothing else is sent.
 * @param site of the organization, where it is not the one that emails name
 * @returns the link; null where nothing was sent
 */
export async function sendPasswordLink(
  { db, clock, mail, publicUrl }: Pick<CallContext, 'db' | 'clock' | 'mail' | 'publicUrl'>,
  user: Pick<StoredUser, 'id' | 'email' | 'name' | 'organization_id'>,
  kind: LinkKind,
  site?: Site,
): Promise<string | null> {
  const organization = await db
    .selectFrom('organizations')
    .select(['name', 'has_password_sign_in'])
    .where('id', '=', user.organization_id)
    .executeTakeFirstOrThrow();
  const { origin } = site ?? (await siteOf({ db, publicUrl }, user.organization_id));
  const names = [oneLine(user.name), oneLine(organization.name)] as const;
  if (organization.has_password_sign_in === 0) {
    if (kind !== 'invitation') return null;
    const page = `${origin}/admin/login`;
    await mail.send({ to: user.email, ...welcome(...names, page) });
    return page;
  }
  const token = await createPasswordToken(db, clock, user.id, kind);
  const link = passwordLink(origin, token, user.email);
  await mail.send({ to: user.email, ...texts[kind](...names, link) });
  return link;
}

/** Sends each user a link to set a first password, one after another, once the answer has been sent. */
export function inviteUsers(context: CallContext, users: readonly StoredUser[]): void {
  if (users.length === 0) return;
  context.later(async () => {
    const failures: unknown[] = [];
    // One address to which nothing can be sent keeps no message from the others.
    for (const user of users)
      await sendPasswordLink(context, user, 'invitation').catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} invitations could not be sent.`);
  });
}
