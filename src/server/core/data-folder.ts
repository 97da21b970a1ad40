import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it. Node's own way of doing so tries for ever where the system takes no folders, such as
 * below /proc.
 * @throws what the system says against it
 */
export function makeFolderSync(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    const above = dirname(folder);
    if (code !== 'ENOENT' || above === folder) throw error;
    makeFolderSync(above);
    mkdirSync(folder);
  }
}
