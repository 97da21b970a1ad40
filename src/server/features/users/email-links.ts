import type { CallContext } from '../../core/http/call-context.ts';
import { hashToken } from '../../core/secrets/token.ts';
import { siteOf } from '../organizations/site-of.ts';
import { greeting, oneLine } from './passwords.ts';
import type { StoredUser } from './queries.ts';
import { beginStep, type NewStep } from './sign-in-steps.ts';

/** Lifetime in milliseconds of a link that confirms a new email address. */
const LINK_LIFETIME = 60 * 60 * 1000;

/** The step of such a link: valid for one user and one address. */
export const newEmailStep = (userId: number, email: string): NewStep => ({
  purpose: 'new_email',
  userId,
  boundTo: hashToken(email),
  lifetime: LINK_LIFETIME,
});

const organizationName = async ({ db, organizationId }: CallContext): Promise<string> => {
  const { name } = await db
    .selectFrom('organizations')
    .select('name')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow();
  return oneLine(name);
};

/** Sends a confirmation link to a user's new email address. */
export async function sendEmailLink(
  context: CallContext,
  { userId, name }: { userId: number; name: string },
  email: string,
): Promise<void> {
  const token = await beginStep(context.db, context.clock, newEmailStep(userId, email));
  const carried = Buffer.from(JSON.stringify({ token, email })).toString('base64url');
  const organization = await organizationName(context);
  const { origin } = await siteOf(context, context.organizationId);
  await context.mail.send({
    to: email,
    subject: `Confirm your e-mail address for ${organization}`,
    text: [
      greeting(oneLine(name)),
      `to use this e-mail address for ${organization}, open this link within an hour, in the browser where you are signed in:`,
      `${origin}/admin/account?email=${carried}`,
      "If you didn't request this, ignore this e-mail. Nothing will change.",
    ].join('\n\n'),
  });
}

/** Notifies a user's old email address of the new one. */
export async function tellOldAddress(
  context: CallContext,
  { name, email: old }: Pick<StoredUser, 'name' | 'email'>,
  email: string,
): Promise<void> {
  const organization = await organizationName(context);
  await context.mail.send({
    to: old,
    subject: `Your e-mail address for ${organization} has changed`,
    text: [
      greeting(oneLine(name)),
      `you now sign in to ${organization} with ${email}. If you didn't change this, contact an administrator immediately.`,
    ].join('\n\n'),
  });
}
