import sharp from 'sharp';
import { expect, test } from 'vitest';
import { openAdmin } from '../../harness/admin-page.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite();
const XMP = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" photoshop:Credit="Rijksmuseum" photoshop:DateCreated="1642"><dc:title><rdf:Alt><rdf:li xml:lang="x-default">Night Watch</rdf:li></rdf:Alt></dc:title><dc:creator><rdf:Seq><rdf:li>R. van Rijn</rdf:li></rdf:Seq></dc:creator></rdf:Description></rdf:RDF></x:xmpmeta>`;
const shots = process.env.SHOTS;

test.each([
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
])('the details of an image are its metadata, and edited in the library: $width pixels wide', async (viewport) => {
  const { width } = viewport;
  const color = { r: width % 256, g: 120, b: 120 };
  const content = await sharp({ create: { width: 300, height: 200, channels: 3, background: color } })
    .jpeg()
    .withXmp(XMP)
    .toBuffer();
  const file = new File([new Uint8Array(content)], 'IMG_001.jpg');
  const { id } = await web.app.client.media.upload({ body: {}, files: { file } });
  const path = '/admin/settings/branding';
  const { page, close } = await openAdmin(web.app, web.browser, path, { deviceScaleFactor: 1, viewport });
  await page.getByRole('button', { name: 'Choose: Logo' }).click();
  await page
    .getByRole('option', { name: /^Night Watch/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Details', exact: true }).click();
  const details = page.getByRole('dialog', { name: 'Details' });
  expect(await details.getByLabel('Creator').inputValue()).toBe('R. van Rijn');
  expect(await details.getByLabel('Credit line').inputValue()).toBe('Rijksmuseum');
  // Changes of a colleague stay.
  await web.app.client.media.update({ params: { id }, body: { credit: 'Museum' } });
  await details.getByLabel('Title').fill('The Night Watch');
  await details.getByLabel('Alternative text').fill('Men with pikes');
  if (shots) await page.screenshot({ path: `${shots}/media-details-${width}.png` });
  await details.getByRole('button', { name: 'Save', exact: true }).click();
  await page
    .getByRole('option', { name: /^The Night Watch/ })
    .first()
    .waitFor();
  if (shots) await page.screenshot({ path: `${shots}/media-library-${width}.png` });
  // The dialog has the filters of the screen.
  const shown = page.getByRole('option', { name: /^The Night Watch/ });
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByRole('combobox', { name: 'Only' }).click();
  await page.getByRole('option', { name: 'Without alternative text' }).click();
  await page.getByRole('button', { name: 'Filters (1)' }).waitFor();
  await expect.poll(() => shown.count()).toBe(0);
  if (shots) await page.screenshot({ path: `${shots}/media-filters-${width}.png` });
  const saved = { title: 'The Night Watch', alt: 'Men with pikes', credit: 'Museum', creator: 'R. van Rijn' };
  expect(await web.app.client.media.read({ params: { id } })).toMatchObject(saved);
  await close();
});
