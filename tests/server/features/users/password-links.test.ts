import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calls } from '../../../../src/contract/calls.ts';
import { ApiApp, databases, refused } from '../../../harness/api-app.ts';
import { noRights } from '../../../harness/call-requests.ts';
import { MailServer, readLink } from '../../../harness/mail-server.ts';

const PASSWORD = 'a new password for me';
const ALL = { view_any: true, create: true, update: true, delete: true };

describe.each(databases)('links to set a password on %s', (kind) => {
  describe('without a mail server', () => {
    let api: ApiApp;
    beforeAll(async () => {
      api = await ApiApp.start(kind, { PUBLIC_URL: 'https://rooms.example.com' });
    });
    afterAll(() => api.close());

    const setPassword = async (link: string) => {
      const { token, email } = readLink(`\n\n${link}`);
      const body = { token, email, password: PASSWORD, password_confirmation: PASSWORD };
      const { status } = await api.call(calls.users.reset, {}, { body });
      return [status, (await api.call(calls.users.login, {}, { body: { email, password: PASSWORD } })).status];
    };
    const invite = (email: string) =>
      api.client().users.invite({ body: { email, name: 'Newcomer', policies: noRights() } });

    it('an invitation answers its link, on the site of its organization, and it works', async () => {
      const { password_link } = await invite('anna@example.com');
      expect(password_link).toMatch(/^https:\/\/rooms\.example\.com\/admin\/password\/[\w-]+\/reset$/);
      expect(await setPassword(password_link!)).toEqual([200, 200]);
    });

    it('a second invitation answers a new link, and ends the first one', async () => {
      const { id, password_link: first } = await invite('bert@example.com');
      const { password_link } = await api.client().users.inviteAgain({ params: { id } });
      expect((await setPassword(first!))[0]).toBe(422);
      expect(await setPassword(password_link!)).toEqual([200, 200]);
    });

    it('an administrator gets a link for a user who has forgotten their password', async () => {
      const user = await api.addUser(api.one, {});
      const { password_link } = await api.client().users.sendResetLink({ params: { id: user.id } });
      const { data } = await api.client().audit.list({ query: { event: 'password_link_sent' } });
      expect(data[0]).toMatchObject({ subject: user.email, details: { link: 'shown' } });
      expect(JSON.stringify(data)).not.toContain(readLink(`\n\n${password_link}`).token);
      expect(await setPassword(password_link!)).toEqual([200, 200]);
    });

    it('nobody gets one for themselves, a deactivated user or another organization, nor without the right', async () => {
      const user = await api.addUser(api.one, {});
      const reset = (id: number, client = api.client()) => refused(client.users.sendResetLink({ params: { id } }));
      expect((await reset(api.one.admin.id)).code).toBe('forbidden');
      expect((await reset(api.two.admin.id)).code).toBe('not_found');
      const reader = await api.addUser(api.one, { ...noRights(), settings: { ...ALL, update: false } });
      expect((await reset(user.id, api.client(reader))).code).toBe('forbidden');
      await api.client().users.update({ params: { id: user.id }, body: { is_active: false } });
      expect((await reset(user.id)).code).toBe('invalid');
    });

    it('whoever asks for it without signing in gets no link', async () => {
      const user = await api.addUser(api.one, {});
      const { body } = await api.call(calls.users.forgot, {}, { body: { email: user.email } });
      expect(body.data).toBeNull();
    });
  });

  it('with a mail server, links go by email, and no answer holds one', async () => {
    const mail = await MailServer.start();
    const api = await ApiApp.start(kind, { SMTP_URL: mail.url });
    const { users } = api.client();
    const member = await users.invite({ body: { email: 'cara@example.com', name: 'Cara', policies: noRights() } });
    const user = await api.addUser(api.one, {});
    const again = await users.inviteAgain({ params: { id: member.id } });
    const reset = await users.sendResetLink({ params: { id: user.id } });
    for (const { password_link } of [member, again, reset]) expect(password_link).toBeNull();
    readLink((await mail.wait(member.email, 2)).source);
    readLink((await mail.wait(user.email)).source);
    await api.close();
    await mail.close();
  });
});
