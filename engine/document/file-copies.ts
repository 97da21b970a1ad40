import { copyUrl } from './copy-url.ts';
import type { FileReference } from './fields.ts';
import { panoramaOf } from './panorama.ts';
import { COPY_WIDTHS, imageSizes, LAYER_WIDTHS, LEVEL_SIDES, levelUrl, mayHaveLevels } from './small-copy.ts';

const WIDTHS = [...Object.values(LAYER_WIDTHS), ...COPY_WIDTHS];

/**
 * URLs of all copies of a stored file that a viewer may request: widths and tiles of an image, levels of detail of a model.
 * @param file a file, or the image of a feed's item
 */
export function copiesOf(file: FileReference): string[] {
  const { url, width } = file;
  if (mayHaveLevels(url)) return LEVEL_SIDES.map((_, index) => levelUrl(url, index + 1));
  // Small and external images have no copies, and animations are shown as they are.
  if (!/^\/media\/.*\.(?:jpe?g|png|webp)$/i.test(url) || !width || width <= COPY_WIDTHS[0]) return [];
  const copies = WIDTHS.filter((copy) => copy < width).map((copy) => copyUrl(url, 'width', copy));
  const { url: whole, tiles } = panoramaOf(file);
  const { columns = 0, rows = 0 } = tiles ?? {};
  const cut = Array.from({ length: columns * rows }, (_, index) =>
    tiles!.urlOf(index % columns, Math.floor(index / columns)),
  );
  return [...new Set([...copies, ...imageSizes(url, file).map((size) => size.url), whole, ...cut])].filter(
    (each) => each !== url,
  );
}
