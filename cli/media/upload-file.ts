import { openAsBlob } from 'node:fs';
import type { Client } from '../../src/contract/client.ts';
import type { Media } from '../../src/contract/entities.ts';
import { CountedFile } from '../io/counted-file.ts';
import { Progress } from '../report/progress.ts';

/** Uploads a file on disk with progress. @param file its path, its size in bytes, and its name in the library */
export async function uploadFile(
  client: Client,
  { path, bytes, name }: { path: string; bytes: number; name: string },
  { quiet }: { quiet: boolean },
): Promise<Media> {
  const progress = new Progress(bytes, { quiet });
  const file = new CountedFile(await openAsBlob(path), name, (count) => progress.add(count));
  try {
    return await client.media.upload({ body: {}, files: { file } });
  } finally {
    progress.end();
  }
}
