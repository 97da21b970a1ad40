declare module 'wawoff2/decompress.js' {
  /** Unpacks a WOFF2 font to TrueType or OpenType; rejects when it is none. */
  export default function decompress(font: Uint8Array): Promise<Uint8Array>;
}
