import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServerSettings } from '../settings.ts';

type DataFolder = Pick<ServerSettings, 'DATA_DIR'>;

/** Folder of emails if no mail server is configured. */
export const outboxOf = ({ DATA_DIR }: DataFolder): string => join(DATA_DIR, 'outbox');

/** Paths of the emails in the outbox; empty if there is no outbox yet. */
async function messagesIn(settings: DataFolder): Promise<string[]> {
  const folder = outboxOf(settings);
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.filter((name) => name.endsWith('.eml')).map((name) => join(folder, name));
}

/** Deletes emails older than a time. @param before milliseconds since 1970 */
export async function removeOldMessages(settings: DataFolder, before: number): Promise<void> {
  for (const path of await messagesIn(settings))
    if ((await stat(path)).mtimeMs < before) await rm(path, { force: true });
}

/** The recipient in an email's headers. */
const receiverOf = (message: string): string | undefined =>
  message
    .split(/\r?\n\r?\n/, 1)[0]!
    .split(/\r?\n/)
    .find((line) => line.startsWith('To: '))
    ?.slice('To: '.length)
    .trim()
    .toLowerCase();

/** Deletes all emails to an address. Returns their number. */
export async function removeMessagesTo(settings: DataFolder, email: string): Promise<number> {
  let removed = 0;
  for (const path of await messagesIn(settings)) {
    if (receiverOf(await readFile(path, 'utf8')) !== email) continue;
    await rm(path, { force: true });
    removed++;
  }
  return removed;
}
