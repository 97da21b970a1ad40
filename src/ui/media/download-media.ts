import type { Client } from '../../contract/client.ts';
import { MAX_ARCHIVE_FILES, type Media } from '../../contract/entities.ts';
import { saveFile } from '../save-file.ts';

/** Downloads a file: its original, where it is stored, or as it is served. @throws ApiError */
export async function downloadMedia({ media }: Client, { id, name, original }: Media): Promise<void> {
  const params = { id };
  const content = original ? await media.original({ params }) : await media.content({ params });
  saveFile(original?.name ?? name, content, 'application/octet-stream');
}

/** Downloads files as archives, each with a limited number of files. @throws ApiError */
export async function downloadArchives({ media }: Client, ids: readonly number[]): Promise<void> {
  const count = Math.ceil(ids.length / MAX_ARCHIVE_FILES);
  for (let part = 0; part < count; part++) {
    const some = ids.slice(part * MAX_ARCHIVE_FILES, (part + 1) * MAX_ARCHIVE_FILES);
    const name = count === 1 ? 'media.zip' : `media-${part + 1}.zip`;
    saveFile(name, await media.archive({ query: { ids: some.join(',') } }), 'application/zip');
  }
}
