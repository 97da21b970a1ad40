import type { CallContext } from '../../core/http/call-context.ts';
import type { Message } from '../../core/mail/mailer.ts';
import { type Site, siteOf } from '../organizations/site-of.ts';
import { createPasswordToken, type LinkKind, passwordLink } from './password-links.ts';
import type { StoredUser } from './users-repository.ts';

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
