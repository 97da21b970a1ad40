import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { enterRoom, LOOKED_AT, newVisitor } from '../harness/browser.ts';
import { keptBytes } from '../harness/heap.ts';
import { pixelAt, pixelsOf } from '../harness/picture.ts';
import { webSuite } from '../harness/web-suite.ts';

const suite = webSuite();

/** A camera in the middle of the room that may look around, and light that leaves colors as they are. */
const config = { camera: { fov: 60, rotate: true, rotate_left_button: true }, ambient_light: 1 };
const framesOf = (page: Page) => page.evaluate(() => window.enfilade!.stage!.frames);
/** Waits for a number of the browser's own frames. */
const nextFrames = (page: Page, count: number) =>
  page.evaluate(async (left) => {
    for (let i = 0; i < left; i++) await new Promise(requestAnimationFrame);
  }, count);

describe('the two layers', () => {
  test('a nearer solid covers a page, a farther one does not, and the pointer goes to the nearer', async () => {
    const page = { element: 'html', width: 600, height: 600, position_z: -800 } as const;
    const body = '<div style="background:#00FF00;height:600px"></div>';
    const path = await suite.app.publish({ config }, [
      { ...page, config: { body } },
      // Letters of solid color: one I before the page, one behind it.
      {
        element: 'text',
        position_x: -60,
        position_z: -500,
        scale_x: 3,
        scale_y: 3,
        ignore_light: true,
        config: { text: 'I', color: '#FF0000' },
      },
      {
        element: 'text',
        position_x: 100,
        position_z: -1100,
        scale_x: 3,
        scale_y: 3,
        ignore_light: true,
        config: { text: 'I', color: '#0000FF' },
      },
    ]);
    const visitor = await newVisitor(suite.browser, LOOKED_AT);
    await enterRoom(visitor.page, suite.app.origin + path);
    await nextFrames(visitor.page, 3);
    const shown = await pixelsOf(visitor.page);
    // At 500 units and 60°, 400 pixels of height show 577 units.
    const before = pixelAt(shown, 320 - 60 * (400 / 577), 200);
    expect(before[0], `the nearer letter is red, got ${before}`).toBeGreaterThan(150);
    expect(before[1]).toBeLessThan(90);
    expect(pixelAt(shown, 320 + 100 * (400 / 1270), 200)).toEqual([0, 255, 0]);
    expect(pixelAt(shown, 320, 100)).toEqual([0, 255, 0]);
    expect(visitor.faults).toEqual([]);
    await visitor.close();
  });

  test('a button in the room is pressed by pointer, by finger and by keyboard', async () => {
    const navigation = { type: 'modal_content', type_config: { content: '<p>Pressed</p>', title: 'Here' } };
    const path = await suite.app.publish({ config }, [
      {
        element: 'button',
        name: 'Press',
        width: 300,
        height: 100,
        position_z: -600,
        config: { title: 'Press', font_size: 40, navigation },
      },
    ]);
    const visitor = await newVisitor(suite.browser, { hasTouch: true });
    const { page } = visitor;
    await enterRoom(page, suite.app.origin + path);
    const dialog = page.getByRole('dialog', { name: 'Here' });
    const close = async () => {
      await dialog.waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    };
    await page.mouse.move(320, 200);
    await page.waitForFunction(() => document.querySelector('canvas')!.style.pointerEvents === 'none');
    await page.mouse.click(320, 200);
    await close();
    await page.mouse.move(10, 200);
    await page.waitForFunction(() => document.querySelector('canvas')!.style.pointerEvents !== 'none');
    await page.touchscreen.tap(320, 200);
    await close();
    await page.getByRole('button', { name: 'Press' }).press('Enter');
    await close();
    expect(visitor.faults).toEqual([]);
    await visitor.close();
  });
});

describe('what it costs', () => {
  test('an idle room draws no frame', async () => {
    const path = await suite.app.publish({ config }, [
      { element: 'text', position_z: -600, config: { text: 'Still' } },
    ]);
    const visitor = await newVisitor(suite.browser);
    await enterRoom(visitor.page, suite.app.origin + path);
    await nextFrames(visitor.page, 90);
    const before = await framesOf(visitor.page);
    await nextFrames(visitor.page, 120);
    expect(await framesOf(visitor.page)).toBe(before);
    await visitor.page.keyboard.press('ArrowUp');
    await visitor.page.waitForFunction((count) => window.enfilade!.stage!.frames > count, before);
    await visitor.close();
  });

  test('a panorama is there in small at first, and sharp when the room is ready', async () => {
    const file = await suite.app.upload('fixtures/media/panorama.jpg');
    const template = await suite.app.client.templates.create({
      body: { name: 'Pano', model_type: 'pano', file_id: file.id },
    });
    const path = await suite.app.publish({ template_id: template.id, config });
    const visitor = await newVisitor(suite.browser, LOOKED_AT);
    const { page } = visitor;
    let send = () => {};
    const held = new Promise<void>((resolve) => {
      send = resolve;
    });
    await page.route(`**${file.url}`, async (route) => {
      await held;
      await route.continue();
    });
    const widest = () =>
      page.evaluate(() => {
        let width = 0;
        window.enfilade!.stage!.three.traverse((object) => {
          type Drawn = { material?: { uniforms?: { picture?: { value: { image: { width: number } } } } } };
          const { material } = object as unknown as Drawn;
          width = Math.max(width, material?.uniforms?.picture?.value.image.width ?? 0);
        });
        return width;
      });
    await page.goto(suite.app.origin + path);
    await page.locator('#entrance.is-ready').waitFor();
    expect(await widest()).toBe(490);
    expect(await page.locator('#room').getAttribute('data-state')).toBe('loading');
    send();
    await page.locator('#room[data-state="ready"]').waitFor();
    expect(await widest()).toBe(file.width);
    expect(visitor.faults).toEqual([]);
    await visitor.close();
  });

  test('fifty visits to a room leave the memory of one', async () => {
    const picture = await suite.app.upload('fixtures/media/panorama-poster.jpg');
    const path = await suite.app.publish({ config }, [
      { element: 'image', file_id: picture.id, width: 300, position_z: -600 },
      { element: 'text', position_z: -700, config: { text: 'Again' } },
      { element: 'html', position_z: -800, config: { body: '<p>Page</p>' } },
    ]);
    const visitor = await newVisitor(suite.browser);
    const { page } = visitor;
    await enterRoom(page, suite.app.origin + path);
    const held = () =>
      page.evaluate(() => ({ ...window.enfilade!.stage!.memory, nodes: document.querySelectorAll('*').length }));
    const revisit = () =>
      page.evaluate(async () => {
        const visit = window.enfilade!;
        const { endpoint } = JSON.parse(document.getElementById('visit')!.textContent!);
        await visit.open({ endpoint, at: performance.now() });
        while (document.querySelector('.stage-leaving')) await new Promise(requestAnimationFrame);
      });
    const protocol = await visitor.context.newCDPSession(page);
    // The first visits fill what is kept on purpose.
    for (let i = 0; i < 5; i++) await revisit();
    const [once, before] = [await held(), await keptBytes(protocol)];
    for (let i = 0; i < 45; i++) await revisit();
    expect(await held()).toEqual(once);
    const growth = (await keptBytes(protocol)) / before - 1;
    console.log(`JavaScript's memory after 45 more visits: ${(growth * 100).toFixed(1)} %.`);
    expect(growth).toBeLessThan(0.05);
    expect(visitor.faults).toEqual([]);
    await visitor.close();
  }, 240_000);
});

describe('what can go wrong', () => {
  test('a room that is left before its pages are loaded leaves nothing of them behind', async () => {
    const path = await suite.app.publish({ config }, [{ element: 'html', config: { body: '<p>Page</p>' } }]);
    const visitor = await newVisitor(suite.browser);
    const { page } = visitor;
    await enterRoom(page, suite.app.origin + path);
    await page.evaluate(() => {
      const { endpoint } = JSON.parse(document.getElementById('visit')!.textContent!);
      const visits = Array.from({ length: 5 }, () => window.enfilade!.open({ endpoint, at: performance.now() }));
      return Promise.all(visits);
    });
    await expect.poll(() => page.locator('.stage-leaving').count()).toBe(0);
    await page.locator('#room[data-state="ready"]').waitFor();
    await nextFrames(page, 10);
    expect(await page.locator('.stage-dom').count()).toBe(1);
    expect(await page.locator('#room canvas').count()).toBe(1);
    expect(visitor.faults).toEqual([]);
    await visitor.close();
  });

  test('a lost graphics context is said, and the room comes back', async () => {
    const path = await suite.app.publish({ config }, [
      {
        element: 'text',
        position_z: -400,
        ignore_light: true,
        scale_x: 4,
        scale_y: 4,
        config: { text: 'I', color: '#FF0000' },
      },
    ]);
    const visitor = await newVisitor(suite.browser, LOOKED_AT);
    const { page } = visitor;
    await enterRoom(page, suite.app.origin + path);
    const extension = await page.evaluateHandle(
      () => document.querySelector('canvas')!.getContext('webgl2')!.getExtension('WEBGL_lose_context')!,
    );
    await extension.evaluate((each) => each.loseContext());
    await page.getByText('Graphics were interrupted').waitFor();
    await extension.evaluate((each) => each.restoreContext());
    await page.getByText('Graphics were interrupted').waitFor({ state: 'detached' });
    await nextFrames(page, 3);
    expect(pixelAt(await pixelsOf(page), 320, 200)[0]).toBeGreaterThan(150);
    await visitor.close();
  });

  test("an element that can't be drawn is logged and skipped; the others are drawn", async () => {
    const path = await suite.app.publish({ config }, [
      { element: 'image', name: 'No file', position_z: -500 },
      {
        element: 'text',
        position_z: -400,
        ignore_light: true,
        scale_x: 4,
        scale_y: 4,
        config: { text: 'I', color: '#FF0000' },
      },
    ]);
    const visitor = await newVisitor(suite.browser, LOOKED_AT);
    const logged: string[] = [];
    visitor.page.on('console', (message) => logged.push(message.text()));
    await enterRoom(visitor.page, suite.app.origin + path);
    expect(pixelAt(await pixelsOf(visitor.page), 320, 200)[0]).toBeGreaterThan(150);
    expect(logged.join('\n')).toContain('The image has no file.');
    await visitor.close();
  });
});

describe('the camera', () => {
  const positionOf = (page: Page) => page.evaluate(() => ({ ...window.enfilade!.stage!.pose.position }));

  test('an arrow key steps 100 units and stops at the wall', async () => {
    const path = await suite.app.publish({ config, width: 400, height: 400, depth: 400 });
    const visitor = await newVisitor(suite.browser);
    await enterRoom(visitor.page, suite.app.origin + path);
    await visitor.page.keyboard.press('ArrowUp');
    // A slow machine may hold the key for more than one step; every step is of 100 units.
    await visitor.page.waitForFunction(() => {
      const { z } = window.enfilade!.stage!.pose.position;
      return [-100, -180].some((place) => Math.abs(z - place) < 0.5);
    });
    for (let i = 0; i < 4; i++) await visitor.page.keyboard.press('ArrowUp');
    await visitor.page.waitForFunction(() => Math.abs(window.enfilade!.stage!.pose.position.z + 180) < 0.5);
    await visitor.page.keyboard.press('ArrowRight');
    await visitor.page.waitForFunction(() => {
      const { x } = window.enfilade!.stage!.pose.position;
      return [100, 180].some((place) => Math.abs(x - place) < 0.5);
    });
    await visitor.close();
  });

  test('a view point is gone to and looked from, and reset returns to the start', async () => {
    const path = await suite.app.publish(
      { config: { camera: { ...config.camera, position: { x: 0, y: 10, z: 500 } } } },
      [
        {
          element: 'view_point',
          position_x: 200,
          position_y: 30,
          position_z: -300,
          config: { name: 'There', target_position: { x: 1200, y: 30, z: -300 }, damping_factor: 0.5 },
        },
      ],
    );
    const visitor = await newVisitor(suite.browser);
    const { page } = visitor;
    await enterRoom(page, suite.app.origin + path);
    await page.getByRole('button', { name: 'Next view point' }).click();
    await page.waitForFunction(() => Math.abs(window.enfilade!.stage!.pose.position.x - 200) < 0.5);
    expect((await positionOf(page)).y).toBeCloseTo(30, 0);
    // Looking along +x: a quarter turn to the right.
    await page.waitForFunction(() => Math.abs(window.enfilade!.stage!.pose.quaternion.y + Math.SQRT1_2) < 0.01);
    await page.getByRole('button', { name: 'Back to the start' }).click();
    await page.waitForFunction(() => Math.abs(window.enfilade!.stage!.pose.position.z - 500) < 0.5);
    await visitor.close();
  });

  test('dragging looks around, never steeper than 30 degrees from the level', async () => {
    const path = await suite.app.publish({ config });
    const visitor = await newVisitor(suite.browser);
    const { page } = visitor;
    await enterRoom(page, suite.app.origin + path);
    for (let i = 0; i < 12; i++) {
      await page.mouse.move(320, 100);
      await page.mouse.down();
      await page.mouse.move(320, 390, { steps: 4 });
      await page.mouse.up();
    }
    await nextFrames(page, 60);
    const lookUp = await page.evaluate(() => {
      const { x, y, z, w } = window.enfilade!.stage!.pose.quaternion;
      return Math.asin(2 * (w * x - y * z)) * (180 / Math.PI);
    });
    expect(lookUp).toBeCloseTo(30, 0);
    await visitor.close();
  });

  test('portrait screens get a field of view of 75 degrees, landscape ones the room’s own', async () => {
    const path = await suite.app.publish({ config });
    const visitor = await newVisitor(suite.browser);
    await enterRoom(visitor.page, suite.app.origin + path);
    expect(await visitor.page.evaluate(() => window.enfilade!.stage!.camera.fov)).toBe(60);
    await visitor.page.setViewportSize({ width: 300, height: 500 });
    await visitor.page.waitForFunction(() => window.enfilade!.stage!.camera.fov === 75);
    await visitor.close();
  });
});
