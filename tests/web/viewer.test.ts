import { describe, expect, test } from 'vitest';
import { enterRoom, newVisitor } from '../harness/browser.ts';
import { webSuite } from '../harness/web-suite.ts';

const suite = webSuite();

const config = { camera: { fov: 60, rotate: true, rotate_left_button: true } };
const button = (title: string, navigation: unknown) => ({
  element: 'button' as const,
  width: 300,
  height: 100,
  position_z: -600,
  config: { title, font_size: 40, navigation },
});

describe('entering', () => {
  test('the room waits for a click, then its controls appear', async () => {
    const path = await suite.app.publish({ title: 'First room', config });
    const { page, close, faults } = await newVisitor(suite.browser);
    await page.goto(suite.app.origin + path);
    const entrance = page.getByRole('button', { name: 'Click to enter the world...' });
    await entrance.waitFor();
    const controls = page.getByRole('navigation', { name: 'Move' });
    await controls.waitFor({ state: 'hidden' });
    await entrance.click();
    await controls.waitFor();
    await entrance.waitFor({ state: 'hidden' });
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('First room');
    expect(await page.getByRole('link', { name: /home/ }).getAttribute('href')).toBe('/');
    expect(faults).toEqual([]);
    await close();
  });

  test('a room without elements and a structure without a room are said plainly', async () => {
    const path = await suite.app.publish({ title: 'Empty', config });
    const room = (await suite.app.client.rooms.list()).data.find(({ title }) => title === 'Empty')!;
    await suite.app.client.rooms.remove({ params: { id: room.id } });
    const { page, close } = await newVisitor(suite.browser);
    await page.goto(suite.app.origin + path);
    await page.getByText('There is no room here yet.').waitFor();
    await close();
  });

  test('an address that does not exist gets a 404 page with a sentence and a way to the front page', async () => {
    await suite.app.publish({ config });
    const { page, close } = await newVisitor(suite.browser, { locale: 'nl-NL' });
    const response = await page.goto(`${suite.app.origin}/no-such-room`);
    expect(response!.status()).toBe(404);
    await page.getByText('Deze pagina bestaat niet.').waitFor();
    await page.getByRole('link', { name: 'Naar de voorpagina' }).click();
    await page.locator('#entrance.is-ready').waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
    await page.goto(`${suite.app.origin}/embed/no-such-room`);
    await page.getByText('Deze pagina bestaat niet.').waitFor();
    expect(await page.getByRole('link').count(), 'a frame stays what it is').toBe(0);
    await close();
  });

  test('a browser without WebGL gets a sentence instead of a blank page', async () => {
    const path = await suite.app.publish({ config });
    const { page, context } = await newVisitor(suite.browser);
    await page.addInitScript(() => {
      HTMLCanvasElement.prototype.getContext = () => null;
    });
    await page.goto(suite.app.origin + path);
    await page.getByText('This room needs WebGL').waitFor();
    await context.close();
  });
});

describe('links', () => {
  test('a link leads to another room without a new page, and back again', async () => {
    const there = await suite.app.publish({ title: 'There', description: '<p>Over <b>there</b>.</p>', config });
    const here = await suite.app.publish({ title: 'Here', config }, [
      button('Go', { type: 'slug', type_config: { slug_one: there.slice(1) } }),
    ]);
    const { page, close, faults } = await newVisitor(suite.browser);
    await enterRoom(page, suite.app.origin + here);
    await page.evaluate(() => Object.assign(window, { samePage: true }));
    await page.getByRole('button', { name: 'Go' }).press('Enter');
    await page.waitForURL(suite.app.origin + there);
    await page.getByRole('heading', { name: 'There' }).waitFor();
    // Social cards and the canonical URL follow.
    const described = (name: string) => page.locator(`head meta[property="og:${name}"]`);
    await expect.poll(() => described('url').getAttribute('content')).toBe(suite.app.origin + there);
    expect(await page.locator('head link[rel="canonical"]').getAttribute('href')).toBe(suite.app.origin + there);
    expect(await described('title').getAttribute('content')).toBe(await page.title());
    expect(await described('image').count()).toBe(0);
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    await page.waitForURL(suite.app.origin + here);
    await page.getByRole('heading', { name: 'Here' }).waitFor();
    expect(await page.evaluate(() => 'samePage' in window)).toBe(true);
    expect(faults).toEqual([]);
    await close();
  });

  test('a link to a room that is gone leaves the visitor where they are, with a sentence', async () => {
    const here = await suite.app.publish({ title: 'Here', config }, [
      button('Go', { type: 'slug', type_config: { slug_one: 'gone' } }),
    ]);
    const { page, close } = await newVisitor(suite.browser);
    await enterRoom(page, suite.app.origin + here);
    await page.getByRole('button', { name: 'Go' }).press('Enter');
    await page.getByRole('status').getByText('This page is no longer here.').waitFor();
    expect(page.url()).toBe(suite.app.origin + here);
    await page.getByRole('navigation', { name: 'Move' }).waitFor();
    await close();
  });

  test('help, a page and content open in a dialog that closes with OK, Esc and a press beside it', async () => {
    const path = await suite.app.publish({ config }, [
      button('Help', { type: 'modal_static', type_config: { name: 'help' } }),
    ]);
    const { page, close } = await newVisitor(suite.browser);
    await enterRoom(page, suite.app.origin + path);
    const dialog = page.getByRole('dialog', { name: 'Help' });
    for (const close of [
      () => dialog.getByRole('button', { name: 'OK' }).click(),
      () => page.keyboard.press('Escape'),
      () => page.mouse.click(5, 5),
    ]) {
      await page.getByRole('button', { name: 'Help' }).press('Enter');
      await dialog.waitFor();
      await close();
      await dialog.waitFor({ state: 'detached' });
    }
    await close();
  });

  test('an event link tells the analytics data layer', async () => {
    const path = await suite.app.publish({ config }, [
      button('Ring', { type: 'event', type_config: { name: 'bell' } }),
    ]);
    const { page, close } = await newVisitor(suite.browser);
    await enterRoom(page, suite.app.origin + path);
    await page.getByRole('button', { name: 'Ring' }).press('Enter');
    const events = () => page.evaluate(() => window.dataLayer!.map(({ event }) => event));
    await expect.poll(async () => (await events()).at(-1)).toBe('bell');
    expect(await events()).toContain('room_loaded');
    await close();
  });
});

describe('content of administrators', () => {
  test('security 35: scripts in HTML, titles and names do not run', async () => {
    const evil = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script><svg onload="window.hacked=1">';
    const path = await suite.app.publish({ title: `T ${evil}`, description: evil, config }, [
      { element: 'html', position_z: -600, config: { body: evil } },
      { element: 'rich_text', position_z: -700, config: { body: evil } },
      button(evil, { type: 'modal_content', type_config: { content: evil, title: evil } }),
      { element: 'view_point', position_z: -100, config: { name: evil } },
    ]);
    const { page, close } = await newVisitor(suite.browser);
    await enterRoom(page, suite.app.origin + path);
    await page.locator('.stage-button').press('Enter');
    await page.getByRole('dialog').waitFor();
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
    await close();
  });
});

describe('controls', () => {
  test('they hide after five idle seconds and come back on any input', async () => {
    const path = await suite.app.publish({ config });
    const { page, context } = await newVisitor(suite.browser);
    await page.clock.install();
    await page.goto(suite.app.origin + path);
    await page.locator('#entrance.is-ready').press('Enter');
    const controls = page.locator('[data-entered="true"]');
    await controls.waitFor();
    // From here on time passes only when it is told to.
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.mouse.move(300, 100);
    await expect.poll(() => controls.getAttribute('data-idle')).toBe('false');
    await page.clock.runFor(4900);
    expect(await controls.getAttribute('data-idle')).toBe('false');
    await page.clock.runFor(200);
    await expect.poll(() => controls.getAttribute('data-idle')).toBe('true');
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => controls.getAttribute('data-idle')).toBe('false');
    await context.close();
  });

  test('an arrow is held: it steps again every tenth of a second', async () => {
    const path = await suite.app.publish({ config: { camera: { fov: 60 } } });
    const { page, close } = await newVisitor(suite.browser);
    await enterRoom(page, suite.app.origin + path);
    const steps = page.evaluate(() => {
      const stage = window.enfilade!.stage!;
      const { move } = stage.rig;
      const times: number[] = [];
      stage.rig.move = (...step) => {
        times.push(performance.now());
        move.apply(stage.rig, step);
      };
      return new Promise<number[]>((resolve) => addEventListener('pointerup', () => resolve(times), { once: true }));
    });
    const arrow = await page.getByRole('button', { name: 'Forward' }).boundingBox();
    await page.mouse.move(arrow!.x + 20, arrow!.y + 20);
    await page.mouse.down();
    await page.waitForFunction(() => window.enfilade!.stage!.pose.position.z < -250);
    await page.mouse.up();
    expect((await steps).length).toBeGreaterThanOrEqual(3);
    await close();
  });
});
