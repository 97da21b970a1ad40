import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { accessibilityFaults } from '../harness/admin-page.ts';
import { enterRoom, newVisitor } from '../harness/browser.ts';
import { webSuite } from '../harness/web-suite.ts';

const suite = webSuite({ demo: true });

/** Prefix of each translated text, by language. */
const LEADS = { nl: 'Vertaald: ', de: 'Übersetzt: ', ar: 'مترجم: ' } as const;
type Tag = keyof typeof LEADS;

/** A file with each target filled from its source: the inline codes stay, as a translation tool keeps them. */
const translate = (xliff: string, lead: string) =>
  xliff.replace(
    /<segment state="\w+"><source>(.*?)<\/source>(?:<target>.*?<\/target>)?<\/segment>/gs,
    (_, source: string) =>
      `<segment state="final"><source>${source}</source><target>${source.replace(/^((?:<ph [^>]*\/>|\s)*)/, `$1${lead}`)}</target></segment>`,
  );

const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

test('a demo room in four languages: exported, translated by a script, imported byte for byte, and visited', async () => {
  const { client, origin } = suite.app;
  const [row] = (await client.rooms.list({ query: { search: 'Gallery' } })).data;
  const params = { id: row!.id };
  await client.rooms.update({ params, body: { config: { language: 'en', languages: ['nl', 'de', 'ar'] } } });
  const exported = (language: Tag) => client.translations.export({ params, query: { language, format: 'xliff' } });
  const send = (language: Tag, text: string) =>
    client.translations.import({
      params,
      body: { language, apply: '1' },
      files: { file: new File([text], `${language}.xlf`) },
    });
  for (const language of ['nl', 'de', 'ar'] as const) {
    const { counts } = await send(language, translate(await exported(language), LEADS[language]));
    expect(counts.refused).toBe(0);
    expect(counts.changed).toBeGreaterThan(10);
    const again = await exported(language);
    expect(again).not.toContain('state="initial"');
    expect((await send(language, again)).counts.changed).toBe(0);
    expect(await exported(language)).toBe(again);
  }
  const { title, elements } = await client.rooms.read({ params });
  for (const [language, lead] of [['en', ''], ...Object.entries(LEADS)] as const) {
    const { page, close } = await newVisitor(suite.browser);
    await enterRoom(page, `${origin}/gallery?lang=${language}`);
    await page.getByRole('heading', { level: 1, name: `${lead}${title}`, exact: true }).waitFor();
    expect(await page.locator('html').getAttribute('dir')).toBe(language === 'ar' ? 'rtl' : 'ltr');
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    expect(await accessibilityFaults(page)).toEqual([]);
    await close();
  }
  // Only the changed text is outdated, and only until it is confirmed.
  const image = elements.find(({ element }) => element === 'image')!;
  await client.elements.update({ params: { id: image.id }, body: { config: { title: 'A new title' } } });
  const outdated = (await exported('ar')).split('<unit ').filter((unit) => unit.includes('state="initial"'));
  expect(outdated).toHaveLength(1);
  expect(outdated[0]).toContain(`id="element-${image.id}.config.title"`);
});
