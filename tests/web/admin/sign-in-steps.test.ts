import type { Page } from 'playwright';
import { afterAll, describe, expect, test } from 'vitest';
import { allPolicies } from '../../../src/server/features/organizations/service.ts';
import { accessibilityFaults, openAdmin, settled } from '../../harness/admin-page.ts';
import { AuthenticatorApp } from '../../harness/authenticator-app.ts';
import { newVisitor } from '../../harness/browser.ts';
import { noRights } from '../../harness/call-requests.ts';
import { CLIENT, IdentityProvider } from '../../harness/stand-ins/identity-provider.ts';
import { webSuite } from '../../harness/web-suite.ts';

const PASSWORD = 'correct horse battery';
const HALF_MINUTE = 30_000;
const DESK = { width: 1280, height: 800 };

const provider = new IdentityProvider();
const web = webSuite({ guard: async () => ({ allowed: [(await provider.start()).address] }) });
afterAll(() => provider.stop());

/** Where the server says that it is: passkeys and the provider know no other name. */
const origin = () => `http://localhost:${new URL(web.app.origin).port}`;

async function toLogin() {
  const visitor = await newVisitor(web.browser, { viewport: DESK, reducedMotion: 'reduce' });
  await visitor.page.goto(`${origin()}/admin/login`);
  return visitor;
}

async function enterPassword(page: Page, email: string) {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: false }).first().fill(PASSWORD);
  await page.keyboard.press('Enter');
}

async function confirmWithPassword(page: Page) {
  const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await dialog.getByLabel('Your password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
}

/** Sets up a second factor in the screen that shows it; gives the app and the recovery codes. */
async function setUp(page: Page) {
  await page.getByRole('button', { name: 'Set up' }).click();
  await confirmWithPassword(page);
  await page.getByRole('img', { name: 'QR code of the secret' }).waitFor();
  const secret = await page.getByText('Or type the secret:').locator('code').textContent();
  const app = new AuthenticatorApp(secret!.replaceAll(' ', ''));
  const section = page.getByRole('region', { name: 'Second factor' });
  await section.getByRole('textbox', { name: 'Code' }).fill('000 000');
  await page.keyboard.press('Enter');
  await section.getByText("This code isn't valid.").waitFor();
  await section.getByRole('textbox', { name: 'Code' }).fill(app.code(web.app.clock.now()));
  await page.keyboard.press('Enter');
  await page.getByText('Save these recovery codes').waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  const codes = await section.getByRole('listitem').allTextContents();
  await page.getByRole('button', { name: 'I have saved them' }).click();
  web.app.clock.advance(HALF_MINUTE);
  return { app, codes };
}

/** Somebody who has set up a second factor in their account. */
async function guarded() {
  const { page, context, close } = await openAdmin(web.app, web.browser, '/admin/account', {});
  const email = await page.getByLabel('E-mail').inputValue();
  const factor = await setUp(page);
  await page.getByText('10 recovery codes are left.').waitFor();
  return { page, context, close, email, ...factor };
}

describe('a second factor', () => {
  test('is set up in the account and asked for at the sign-in, all by keys', async () => {
    const { close, email, app } = await guarded();
    await close();
    const visitor = await toLogin();
    const { page } = visitor;
    await enterPassword(page, email);
    await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.type('123456');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText("This code isn't valid, or was already used.").waitFor();
    await page.getByRole('textbox', { name: 'Code' }).fill(app.code(web.app.clock.now()));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
    await visitor.close();
  });

  test('a recovery code stands in for it', async () => {
    const { close, email, codes } = await guarded();
    expect(codes).toHaveLength(10);
    await close();
    const visitor = await toLogin();
    const { page } = visitor;
    await enterPassword(page, email);
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await page.getByLabel('Recovery code').fill(codes[3]!);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
    await visitor.close();
  });

  test('is reset by an administrator, which signs its user out', async () => {
    const user = await guarded();
    const name = (await user.page.getByLabel('Name').first().inputValue())!;
    const admin = await openAdmin(web.app, web.browser, '/admin/settings/users', {});
    await admin.page.getByRole('link', { name, exact: true }).click();
    await admin.page.getByText('Has a second factor').waitFor();
    await admin.page.getByRole('button', { name: 'Reset second factor' }).click();
    await admin.page.getByRole('dialog').getByRole('button', { name: 'Reset second factor' }).click();
    await admin.page.getByText('The second factor has been reset.').waitFor();
    await user.page.reload();
    await user.page.waitForURL('**/admin/login**');
    await enterPassword(user.page, user.email);
    await user.page.getByRole('heading', { name: 'Your account' }).waitFor();
    await Promise.all([user.close(), admin.close()]);
  });

  test('that the organization asks for is set up before anything else', async () => {
    const { page, close } = await openAdmin(web.app, web.browser, '/admin/settings/sign-in', {});
    await page.getByLabel('Require second factor').click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor();
    await page.goto(`${web.app.origin}/admin/spaces`);
    await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor();
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    await setUp(page);
    await page.getByRole('heading', { name: 'Spaces', level: 1 }).waitFor();
    await web.app.services.db.updateTable('organizations').set({ requires_second_factor: 0 }).execute();
    await close();
  });
});

describe('a passkey', () => {
  test('is added in the account, signs in, confirms a change, and is removed', async () => {
    const admin = await openAdmin(web.app, web.browser, '/admin/account', {});
    const email = await admin.page.getByLabel('E-mail').inputValue();
    await admin.context.close();
    const { page, context } = await toLogin();
    const devtools = await context.newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await enterPassword(page, email);
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
    await page.getByRole('link', { name: 'Your account' }).click();
    await page.getByRole('button', { name: 'Add passkey' }).click();
    await confirmWithPassword(page);
    await page.getByRole('button', { name: 'Rename: Passkey' }).click();
    await page.getByRole('list', { name: 'Passkeys' }).getByLabel('Name').fill('Laptop');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove: Laptop' }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Logout' }).click();
    await page.waitForURL('**/admin/login**');
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
    await page.getByRole('button', { name: 'Remove: Laptop' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByText('The passkey has been removed.').waitFor();
    await page.getByRole('button', { name: 'Logout' }).click();
    await page.waitForURL('**/admin/login**');
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('alert').getByText("This passkey doesn't belong to this account").waitFor();
    await context.close();
  });
});

describe('an identity provider', () => {
  test('is entered in the settings; its button leads there and back, to what one wanted', async () => {
    provider.allow(`${origin()}/admin/login/provider`);
    const admin = await openAdmin(web.app, web.browser, '/admin/settings/sign-in', { policies: allPolicies() });
    const { page: form } = admin;
    await form.getByLabel('Sign-in with an identity provider').click();
    await form.getByText(`${origin()}/admin/login/provider`).waitFor();
    await form.getByLabel('Issuer').fill(provider.issuer);
    await form.getByLabel('Client ID').fill(CLIENT.client_id);
    await form.getByLabel('Client secret').fill(CLIENT.client_secret);
    await form.getByLabel('E-mail domains').fill('example.com');
    await form.getByLabel('Button text').fill('Sign in with Museum');
    expect(await accessibilityFaults(form)).toEqual([]);
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('The settings have been saved.').waitFor();
    await admin.close();

    const { email } = await web.app.client.users.invite({
      body: { email: 'kim@example.com', name: 'Kim', policies: { ...noRights(), rooms: allPolicies().rooms } },
    });
    provider.people.set('kim', { email, email_verified: true });
    provider.account = 'kim';
    const { page, close } = await newVisitor(web.browser, { viewport: DESK });
    await page.goto(`${origin()}/admin/spaces`);
    await page.getByRole('button', { name: 'Sign in with Museum' }).click();
    await page.getByRole('heading', { name: 'Spaces', level: 1 }).waitFor();
    expect(page.url()).toBe(`${origin()}/admin/spaces`);
    await close();
  });

  test('that refuses, or returns an unknown user, leads back to the login with an error', async () => {
    const { page, close } = await toLogin();
    for (const [account, sentence] of [
      [null, 'rejected the sign-in'],
      ['stranger', 'is not a user of this organization'],
    ] as const) {
      provider.people.set('stranger', { email: 'stranger@example.com', email_verified: true });
      provider.account = account;
      await page.getByRole('button', { name: 'Sign in with Museum' }).click();
      await page.getByRole('alert').getByText(sentence).waitFor();
      expect(new URL(page.url()).search).toBe('');
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.getByRole('link', { name: 'Back to login' }).click();
    }
    await close();
  });
});
