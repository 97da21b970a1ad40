import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders = new Set<string>();

/** A temporary folder that is removed when the command ends, including by Ctrl-C. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'enfilade-cli-'));
  folders.add(folder);
  return folder;
}

export function forgetTemporary(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  folders.clear();
}
