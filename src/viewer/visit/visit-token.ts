import { type StoredText, storedText } from '../../ui/storage.ts';

/** The visitor's token of a protected structure, by its public path. */
export const visitToken = (path: string): StoredText => storedText(`enfilade.front-token:${path}`);
