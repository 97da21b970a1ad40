import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders = new Set<string>();

/** A folder for files that are needed only while the command runs; it goes away with it, also after Ctrl-C. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'enfilade-cli-'));
  folders.add(folder);
  return folder;
}

/** Removes every temporary folder. */
export function forgetTemporary(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  folders.clear();
}
