declare module 'wawoff2/decompress.js' {
  /** Unpacks a WOFF2 font to TrueType or OpenType; rejects if it is invalid. */
  export default function decompress(font: Uint8Array): Promise<Uint8Array>;
}
