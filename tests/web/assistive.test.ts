import { expect, test } from 'vitest';
import { accessibilityFaults } from '../harness/admin-page.ts';
import { cutOff, listen, nameless, readAloud, treeOf } from '../harness/assistive.ts';
import { enterRoom, newVisitor } from '../harness/browser.ts';
import { webSuite } from '../harness/web-suite.ts';
import { plainRoom, publishTree, type Written } from './elements/play.ts';

const suite = webSuite();

test('a screen reader hears where the visitor is, what the visitor plays, and the time left, each once', async () => {
  const { id: file_id } = await suite.app.upload('fixtures/media/morning-film.webm');
  const { id: picture } = await suite.app.upload('fixtures/media/pictures/reeds-at-dusk.jpg');
  const point = (name: string, x: number): Written => ({
    element: 'view_point',
    position_x: x,
    config: { name, target_position: { x, y: 0, z: -300 } },
  });
  const elements: Written[] = [
    point('By the window', -100),
    point('By the door', 100),
    { element: 'native_video', name: 'Morning', file_id, width: 200, position_z: -200, config: { alt: 'The morning' } },
    { element: 'image', name: 'Reeds', file_id: picture, width: 200, position_z: -220, config: { alt: 'Dark reeds' } },
  ];
  const path = await publishTree(
    suite.app,
    { ...plainRoom, config: { ...plainRoom.config, duration: 75, show_timed_timer: 'top_right' } },
    elements,
  );
  const { page, close, faults } = await newVisitor(suite.browser, { reducedMotion: 'reduce' });
  await enterRoom(page, suite.app.origin + path);
  await expect.poll(async () => readAloud(await treeOf(page))).toContain('Dark reeds');
  expect(nameless(await treeOf(page))).toEqual([]);
  const heard = await listen(page);
  const news: string[] = [];
  const hears = (text: string) => {
    const count = async () => {
      news.push(...(await heard()));
      return news.filter((each) => each === text).length;
    };
    return expect.poll(count, { message: text, timeout: 40_000 });
  };
  await page.getByRole('button', { name: 'Next view point' }).press('Enter');
  await hears('You are at: By the window').toBe(1);
  await page.getByRole('button', { name: 'Next view point' }).press('Enter');
  await hears('You are at: By the door').toBe(1);
  const film = page.locator('#room button.stage-press', { hasText: 'The morning' });
  await film.press('Enter');
  await hears('Playing: The morning').toBe(1);
  await film.press('Enter');
  await hears('Paused: The morning').toBe(1);
  await hears('Time left: 1 minute').toBe(1);
  expect(new Set(news).size).toBe(news.length);
  expect(faults).toEqual([]);
  await close();
});

test('the form to share on a text page has no faults in any colors, and fits at 400 %', async () => {
  const feed = await suite.app.client.feeds.create({ body: { name: 'Wall', type: 'local' } });
  const navigation = {
    type: 'modal_share' as const,
    type_config: { feed_id: feed.id, success_message: 'On the wall.' },
  };
  const path = await suite.app.publish({ title: 'Lobby' }, [
    { element: 'button', config: { title: 'Write', navigation } },
  ]);
  const { page, context } = await newVisitor(suite.browser, { javaScriptEnabled: true, isNew: true });
  const look = async (state: string) => {
    for (const media of [{ colorScheme: 'light' }, { colorScheme: 'dark' }] as const) {
      await page.emulateMedia(media);
      expect(await accessibilityFaults(page), `${state} ${media.colorScheme}`).toEqual([]);
    }
    await page.emulateMedia({ forcedColors: 'active' });
    expect(await accessibilityFaults(page, undefined, ['color-contrast']), state).toEqual([]);
    await page.emulateMedia({ forcedColors: 'none' });
    await page.setViewportSize({ width: 320, height: 256 });
    expect(await cutOff(page), state).toEqual([]);
  };
  await page.goto(`${suite.app.origin}${path}?text`);
  await page.getByRole('link', { name: 'Write' }).click();
  await look('form');
  await page.getByLabel('Your name').fill('Ada');
  await page.getByRole('button', { name: 'Add now' }).click();
  await page.getByRole('alert').getByText('Write a message').waitFor();
  await look('error');
  expect(await page.getByLabel('Your name').inputValue()).toBe('Ada');
  await page.getByLabel('Your message').fill('By hand.');
  await page.getByLabel('Image').setInputFiles('fixtures/media/pictures/reeds-at-dusk.jpg');
  await page.getByRole('button', { name: 'Add now' }).click();
  await page.getByRole('status').getByText('On the wall.').waitFor();
  await look('thanks');
  await page.getByRole('link', { name: 'Lobby' }).click();
  expect((await suite.app.client.feeds.listItems({ query: { feed_id: feed.id } })).data).toMatchObject([
    { name: 'Ada', message: 'By hand.' },
  ]);
  await context.close();
});
