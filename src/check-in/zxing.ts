import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import wasmUrl from 'zxing-wasm/reader/zxing_reader.wasm?url';
import type { ReadQr } from './read-qr.ts';

/** Resolves once the module is loaded, so that the page can be stored with it. */
export const zxingReady = prepareZXingModule({ overrides: { locateFile: () => wasmUrl }, fireImmediately: true });

/** Longer side of the searched image in pixels: enough for a code at arm's length. */
const SIDE = 800;

const canvas = document.createElement('canvas');
const context = canvas.getContext('2d', { willReadFrequently: true })!;

export const readWithZxing: ReadQr = async (image) => {
  const scale = Math.min(1, SIDE / Math.max(image.videoWidth, image.videoHeight));
  canvas.width = Math.round(image.videoWidth * scale);
  canvas.height = Math.round(image.videoHeight * scale);
  if (canvas.width === 0 || canvas.height === 0) return null;
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  const pixels = context.getImageData(0, 0, canvas.width, canvas.height);
  const [found] = await readBarcodes(pixels, { formats: ['QRCode'], maxNumberOfSymbols: 1 });
  return found?.text || null;
};
