import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Media } from '../../src/contract/entities.ts';
import { openAdmin } from '../harness/admin-page.ts';
import { enterRoom, LOOKED_AT, newVisitor } from '../harness/browser.ts';
import { pixelsOf } from '../harness/picture.ts';
import type { ElementInput } from '../harness/web-app.ts';
import { webSuite } from '../harness/web-suite.ts';

const suite = webSuite();
/** In front of the middle of the room. */
const camera = { position: { x: 0, y: 0, z: 390 } };
const small = { width: 800, height: 600, depth: 800 };
let folder: string;
let made = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'enfilade-appearance-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** A font in which every letter is a bar of one width, from the base line up. */
async function uploadFont(width: number): Promise<Media> {
  const bar = { ha: 1000, x_min: 0, x_max: width, o: `m 0 0 l ${width} 0 l ${width} 1000 l 0 1000 l 0 0 ` };
  const path = join(folder, `bars-${width}.json`);
  const font = {
    glyphs: { A: bar, '?': bar },
    familyName: 'Bars',
    ascender: 1000,
    descender: 0,
    underlinePosition: -100,
    underlineThickness: 50,
    boundingBox: { yMin: 0, xMin: 0, yMax: 1000, xMax: 1000 },
    resolution: 1000,
    original_font_information: {},
  };
  await writeFile(path, JSON.stringify(font));
  return suite.app.upload(path);
}

/** An image of one color. */
async function uploadImage(color: string): Promise<Media> {
  const path = join(folder, `${color.slice(1)}.png`);
  const create = { width: 320, height: 200, channels: 3, background: color } as const;
  await sharp({ create }).png().toFile(path);
  return suite.app.upload(path);
}

const addTemplate = (fields: object = {}) =>
  suite.app.client.templates.create({ body: { name: `Look ${++made}`, ...small, ...fields } });
const publish = async (template: object, elements?: ElementInput[], room: object = {}) =>
  suite.app.publish(
    { ...small, title: 'Study', config: { camera }, template_id: (await addTemplate(template)).id, ...room },
    elements,
  );

/** Part of what the page shows that is of a color, from 0 to 1. */
async function shareOf(page: Page, color: readonly number[]): Promise<number> {
  const { data, width, height } = await pixelsOf(page);
  let count = 0;
  for (let at = 0; at < data.length; at += 3)
    if (color.every((part, channel) => Math.abs(data[at + channel]! - part) < 8)) count++;
  return count / (width * height);
}

/** Pixels of a screenshot in which red stands out, also at the edges of thin letters. */
async function redPixels(page: Page): Promise<number> {
  const { data } = await pixelsOf(page);
  let red = 0;
  for (let at = 0; at < data.length; at += 3) if (data[at]! - data[at + 1]! > 80) red++;
  return red;
}

describe('what a template and the organization give a room', () => {
  test('3D texts are set in their own font, then the template’s, then the organization’s', async () => {
    const [own, templates, organizations] = [await uploadFont(200), await uploadFont(500), await uploadFont(900)];
    const { organizations: settings } = suite.app.client;
    await settings.update({ body: { font_file_id: organizations.id } });
    const { page, close, faults } = await newVisitor(suite.browser, LOOKED_AT);
    const redOf = async (template: object, element: object = {}) => {
      const text = {
        element: 'text',
        ignore_light: true,
        config: { text: 'AA', color: '#FF0000' },
        ...element,
      } as const;
      await enterRoom(page, suite.app.origin + (await publish(template, [text])));
      return redPixels(page);
    };
    const thin = await redOf({ font_file_id: templates.id }, { file_id: own.id });
    const middle = await redOf({ font_file_id: templates.id });
    const wide = await redOf({});
    await settings.update({ body: { font_file_id: null } });
    const builtIn = await redOf({});
    expect(thin).toBeGreaterThan(100);
    expect(middle / thin).toBeCloseTo(2.5, 0);
    expect(wide / thin).toBeCloseTo(4.5, 0);
    expect(builtIn).toBeLessThan(wide * 0.8);
    expect(faults).toEqual([]);
    await close();
  });

  test('texts over the room take the template’s color, then the organization’s, on glass where they can be read', async () => {
    const { organizations } = suite.app.client;
    const { page, close } = await newVisitor(suite.browser);
    const lookOf = async (template: object) => {
      await enterRoom(page, suite.app.origin + (await publish(template)));
      const title = page.getByRole('heading', { name: 'Study' });
      const [color, glass] = await title.evaluate((node) => {
        const style = getComputedStyle(node);
        return [style.color, style.backgroundColor];
      });
      return [color, glass];
    };
    const [dark, light] = ['rgba(20, 23, 28, 0.72)', 'rgba(247, 246, 242, 0.82)'];
    expect(await lookOf({})).toEqual(['rgb(247, 246, 242)', dark]);
    await organizations.update({ body: { font_color: '#FC0' } });
    expect(await lookOf({})).toEqual(['rgb(255, 204, 0)', dark]);
    expect(await lookOf({ font_color: '#102040' })).toEqual(['rgb(16, 32, 64)', light]);
    await organizations.update({ body: { font_color: null } });
    await close();
  });

  test.each(['grid', 'model'] as const)(
    'the background image of a %s shows behind it, unless the page does',
    async (model_type) => {
      const background = await uploadImage('#208040');
      const path = await publish({
        model_type,
        background_file_id: background.id,
        ...(model_type === 'model' && { file_id: (await suite.app.upload('fixtures/media/orrery.glb')).id }),
      });
      const { page, close, faults } = await newVisitor(suite.browser, LOOKED_AT);
      await enterRoom(page, suite.app.origin + path);
      expect(await shareOf(page, [0x20, 0x80, 0x40])).toBeGreaterThan(0.25);
      await page.goto(`${suite.app.origin}/embed${path}?autoload=1&transparent=1`);
      await page.locator('#room[data-state="ready"]').waitFor();
      expect(await shareOf(page, [0x20, 0x80, 0x40])).toBeLessThan(0.01);
      expect(faults).toEqual([]);
      await close();
    },
  );

  test('a background that can’t be loaded is said, and the room stands', async () => {
    const background = await uploadImage('#802020');
    const path = await publish({ background_file_id: background.id });
    const { page, close } = await newVisitor(suite.browser);
    await page.route(`**${background.url}*`, (route) => route.abort());
    await enterRoom(page, suite.app.origin + path);
    await page.getByText('Part of this room could not be loaded.').waitFor();
    await close();
  });
});

describe('what stays over a room without controls', () => {
  test('logo, title, links and timer', async () => {
    const link = { name: 'Programme', navigation: { type: 'event', type_config: { name: 'bell' } } };
    const path = await publish({}, [{ element: 'view_point', name: 'Desk' }], {
      config: { duration: 600, show_timed_timer: 'top_right', bottom_left_link: link },
    });
    const { page, close } = await newVisitor(suite.browser);
    const open = async (flags: string) => {
      await page.goto(`${suite.app.origin}/embed${path}?autoload=1${flags}`);
      await page.getByRole('heading', { name: 'Study' }).waitFor();
      await page.getByRole('timer').waitFor();
      await page.getByRole('button', { name: 'Programme' }).waitFor();
    };
    await open('');
    await page.getByRole('button', { name: 'More' }).waitFor();
    await page.getByRole('navigation', { name: 'View points' }).waitFor();
    await open('&hideControls=1');
    expect(await page.getByRole('link', { name: /home/ }).count()).toBe(1);
    const controls = page.locator('#overlay').getByRole('button');
    expect(await controls.allTextContents()).toEqual(['Programme']);
    await open('&hideControls=1&hideLogo=1');
    expect(await page.getByRole('link', { name: /home/ }).count()).toBe(0);
    await close();
  });
});

test('search engines may list the front page alone, also where a visitor walks on from it', async () => {
  const next = await publish({});
  const { page, close } = await newVisitor(suite.browser);
  const robots = () => page.locator('meta[name="robots"]').getAttribute('content');
  await enterRoom(page, `${suite.app.origin}/`);
  await expect.poll(robots).toBe('index,follow');
  await page.evaluate(
    (slug_one) => window.enfilade!.follow({ type: 'slug', type_config: { slug_one, slug_two: '' } }),
    next.slice(1),
  );
  await expect.poll(() => new URL(page.url()).pathname).toBe(next);
  await expect.poll(robots).toBe('noindex,nofollow');
  await page.goBack();
  await expect.poll(robots).toBe('index,follow');
  await close();
});

test('a pop-up that asks for an action closes by its button alone, also where it has no link', async () => {
  const path = await publish({}, [], {
    config: {
      camera,
      duration: 600,
      show_timed_popup: true,
      timed_popup_offset: 0,
      timed_popup_text: '<p>It goes on next door.</p>',
      timed_popup_action_required: true,
    },
  });
  const { page, close } = await newVisitor(suite.browser);
  await enterRoom(page, suite.app.origin + path);
  await page.getByText('It goes on next door.').waitFor();
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  await page.mouse.click(5, 5);
  await page.getByText('It goes on next door.').waitFor();
  await page.getByRole('button', { name: 'OK' }).click();
  await page.getByText('It goes on next door.').waitFor({ state: 'detached' });
  await close();
});

test('the text of an image stands beside it', async () => {
  const image = await uploadImage('#2040A0');
  const config = { title: 'Boat', title_color: '#FF0000', title_size: 20 };
  const { page, close } = await newVisitor(suite.browser, LOOKED_AT);
  const redOf = async (text: string) => {
    const element = {
      element: 'image',
      file_id: image.id,
      width: 100,
      ignore_light: true,
      config: { ...config, text },
    } as const;
    await enterRoom(page, suite.app.origin + (await publish({}, [element])));
    return redPixels(page);
  };
  expect(await redOf('Painted in one afternoon, in the rain, from the window of the harbour master.')).toBeGreaterThan(
    (await redOf('')) * 2,
  );
  await close();
});

test('the editor and its preview draw 3D texts in the organization’s font, as visitors see them', async () => {
  const font = await uploadFont(900);
  const { organizations, rooms } = suite.app.client;
  const room = await rooms.create({ body: { ...small, title: 'Study', config: { camera } } });
  const text = { element: 'text', ignore_light: true, config: { text: 'AA', color: '#FF0000' } } as const;
  await rooms.addElement({ params: { id: room.id }, body: text });
  const redIn = async (path: string, shown: string) => {
    const { page, close } = await openAdmin(suite.app, suite.browser, path);
    await page.locator(shown).waitFor();
    let red = 0;
    await expect.poll(async () => (red = await redPixels(page))).toBeGreaterThan(100);
    await close();
    return red;
  };
  const look = async () => [
    await redIn(`/admin/editor/${room.id}`, '[data-state="ready"]'),
    await redIn(`/admin/editor/preview/${room.id}`, '[role="application"]'),
  ];
  const builtIn = await look();
  await organizations.update({ body: { font_file_id: font.id } });
  const wide = await look();
  await organizations.update({ body: { font_file_id: null } });
  for (const [place, red] of wide.entries()) expect(red).toBeGreaterThan(builtIn[place]! * 1.2);
});
