import { type StoredText, storedText } from '../../ui/storage.ts';

/** Stored visitor token of a protected structure, by public path. */
export const visitToken = (path: string): StoredText => storedText(`enfilade.front-token:${path}`);
