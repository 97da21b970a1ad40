import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder and its parents. Node's recursive mkdir loops forever where folders can't be created, such as below
 * /proc.
 * @throws the system's error
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
