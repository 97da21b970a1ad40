import { type Clock, timestampOf } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import type { Message } from '../../core/mail/mailer.ts';
import { createToken, hashToken } from '../../core/secrets/token.ts';
import { type Site, siteOf } from '../organizations/site-of.ts';
import type { StoredUser } from './queries.ts';

const HOUR = 60 * 60 * 1000;
/** Lifetimes of links in milliseconds: to reset a password, and to set the first one. */
const LINK_LIFETIME = { reset: HOUR, invitation: 7 * 24 * HOUR } as const;
export type LinkKind = keyof typeof LINK_LIFETIME;

/** Creates the token of a password link. Only its hash is stored. */
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

/** Deletes expired tokens. */
export async function sweepPasswordTokens(db: Database, clock: Clock): Promise<void> {
  await db.deleteFrom('password_resets').where('expires_at', '<=', timestampOf(clock.now())).execute();
}

/** Revokes all password links of a user. */
export async function forgetPasswordTokens(db: Database, userId: number): Promise<void> {
  await db.deleteFrom('password_resets').where('user_id', '=', userId).execute();
}

/** The user of a valid password token. */
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

/** Redeems a token; only one of several concurrent uses succeeds. */
export async function takePasswordToken(db: Database, clock: Clock, token: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('password_resets')
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', timestampOf(clock.now()))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** URL of the page that sets a password. @param origin origin of the organization's site */
function passwordLink(origin: string, token: string, email: string): string {
  const encoded = Buffer.from(JSON.stringify({ token, email })).toString('base64url');
  return `${origin}/admin/password/${encoded}/reset`;
}

const texts: Record<LinkKind, (name: string, organization: string, link: string) => Omit<Message, 'to'>> = {
  reset: (name, organization, link) => ({
    subject: `Set a new password for ${organization}`,
    text: [
      greeting(name),
      `a new password was requested for your account at ${organization}. Set it with this link, once, within an hour:`,
      link,
      "If you didn't request this, ignore this e-mail. Your password won't change.",
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

/**
 * The salutation of an email. Names that contain an email address or URL are omitted, because mail clients would link
 * them.
 */
export const greeting = (name: string) => (/@|:\/\/|\bwww\./i.test(name) ? 'Hello,' : `Hello ${name},`);

/** One line for an email's headers or salutation. */
export const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

/** The email in place of an invitation if an organization doesn't use passwords. */
const welcome = (name: string, organization: string, address: string): Omit<Message, 'to'> => ({
  subject: `You are invited to ${organization}`,
  text: [greeting(name), `you have been added to ${organization}. Sign in with your identity provider:`, address].join(
    '\n\n',
  ),
});

/**
 * Emails a user a link to set a password. The link is created when it is sent, so that no one waits for it. If the
 * organization doesn't use passwords, an invitation links to the sign-in page, and no other emails are sent.
 * @param site the organization's site, if it differs from the one in emails
 * @returns the link; null if nothing was sent
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

/** Emails each user a link to set a first password, one after another, after the response. */
export function inviteUsers(context: CallContext, users: readonly StoredUser[]): void {
  if (users.length === 0) return;
  context.later(async () => {
    const failures: unknown[] = [];
    // A failed delivery doesn't affect the others.
    for (const user of users)
      await sendPasswordLink(context, user, 'invitation').catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} invitations couldn't be sent.`);
  });
}
