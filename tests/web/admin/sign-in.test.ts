import { describe, expect, test } from 'vitest';
import { newVisitor } from '../../harness/browser.ts';
import { ADMIN } from '../../harness/web-app.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite();

async function openAdmin(path: string) {
  const visitor = await newVisitor(web.browser, { viewport: { width: 1280, height: 800 } });
  await visitor.page.goto(web.app.origin + path);
  return visitor;
}

const signIn = async (page: Awaited<ReturnType<typeof openAdmin>>['page'], password: string) => {
  await page.getByLabel('E-mail').fill(ADMIN.email);
  await page.getByLabel('Password', { exact: false }).first().fill(password);
  await page.getByRole('button', { name: 'Login' }).click();
};

describe('the back-office', () => {
  test('without a session it asks to sign in, and then shows what is published', async () => {
    const path = await web.app.publish({ title: 'Published room' });
    const { page, close } = await openAdmin('/admin');
    await page.waitForURL(`${web.app.origin}/admin/login?redirect=%2Fadmin`);
    expect(await page.title()).toMatch(/^(?:Enfilade|[^·]+ · Enfilade)$/);
    expect(await page.title()).not.toBe('Enfilade · Enfilade');
    await signIn(page, ADMIN.password);
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
    await page.getByRole('cell', { name: path }).waitFor();
    expect(page.url()).toBe(`${web.app.origin}/admin`);
    await page.reload();
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
    await page.getByRole('button', { name: 'Logout' }).click();
    await page.waitForURL('**/admin/login**');
    await page.goto(`${web.app.origin}/admin`);
    await page.waitForURL('**/admin/login**');
    await close();
  });

  test('a wrong password is said, and what was typed stays', async () => {
    const { page, close } = await openAdmin('/admin/login');
    await signIn(page, 'not the password');
    const sentence = 'The e-mail address or the password is wrong.';
    await page.locator('form').getByRole('alert').getByText(sentence).waitFor();
    await page.locator('.mantine-Notification-root').getByText(sentence).waitFor();
    expect(await page.getByLabel('E-mail').inputValue()).toBe(ADMIN.email);
    await close();
  });

  test.each(['//evil.example', 'javascript:alert(1)', 'https://evil.example/admin', '/administrator'])(
    'security 9: redirect=%s is never followed',
    async (target) => {
      const { page, close } = await openAdmin(`/admin/login?redirect=${encodeURIComponent(target)}`);
      await signIn(page, ADMIN.password);
      await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
      expect(page.url()).toBe(`${web.app.origin}/admin`);
      await close();
    },
  );
});
