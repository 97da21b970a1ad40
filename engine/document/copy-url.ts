/** Kinds of copies that the server makes of a stored file, with the extension of their format. */
const ENDINGS = { width: 'webp', tile: 'jpg', level: 'glb' } as const;
export type CopyKind = keyof typeof ENDINGS;
export const COPY_KINDS = Object.keys(ENDINGS) as CopyKind[];

let areFiles = false;

/** Makes the page request copies as files with paths of their own, for hosts that ignore queries. */
export function requestCopiesAsFiles(): void {
  areFiles = true;
}

/** Path of a copy as a file of a static site. @param name width in pixels, name of the tile, or level of detail */
export const copyPath = (url: string, kind: CopyKind, name: string | number): string =>
  `${url}.${kind}-${name}.${ENDINGS[kind]}`;

/** URL of a copy of a stored file. @param name width in pixels, name of the tile, or level of detail */
export const copyUrl = (url: string, kind: CopyKind, name: string | number): string =>
  areFiles ? copyPath(url, kind, name) : `${url}?${kind}=${name}`;
