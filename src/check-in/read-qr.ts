/** Reads a QR code in an image; null if there is none. */
export type ReadQr = (image: HTMLVideoElement) => Promise<string | null>;

/** The Shape Detection API, which TypeScript's DOM library lacks. */
interface Detector {
  detect(image: HTMLVideoElement): Promise<{ rawValue: string }[]>;
}
interface DetectorClass {
  new (options: { formats: string[] }): Detector;
  getSupportedFormats(): Promise<string[]>;
}

/** The browser's reader if it has one, which is faster; otherwise a WebAssembly module from this server. */
export async function createReader(): Promise<ReadQr> {
  const { BarcodeDetector } = window as Window & { BarcodeDetector?: DetectorClass };
  if (BarcodeDetector && (await BarcodeDetector.getSupportedFormats()).includes('qr_code')) {
    const detector = new BarcodeDetector({ formats: ['qr_code'] });
    return async (image) => (await detector.detect(image))[0]?.rawValue ?? null;
  }
  const { readWithZxing, zxingReady } = await import('./zxing.ts');
  await zxingReady;
  return readWithZxing;
}
