import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders = new Set<string>();

/**
 * A temporary folder that is removed when the command ends, including by Ctrl-C.
 * @param place folder that it is in, for files that move from it without being copied
 */
export function temporaryFolder(place = tmpdir()): string {
  const folder = mkdtempSync(join(place, 'enfilade-cli-'));
  folders.add(folder);
  return folder;
}

export function forgetTemporary(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  folders.clear();
}
