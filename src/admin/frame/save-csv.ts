import { showProblem } from '../../ui/notifications.ts';
import { saveFile } from '../../ui/save-file.ts';

/** Saves an export as a file, or shows why there is none. @param name file name without extension */
export const saveCsv = (name: string, read: Promise<string>): Promise<void> =>
  read.then((content) => saveFile(`${name}.csv`, content, 'text/csv')).catch(showProblem);
