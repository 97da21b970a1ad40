/** Most files that are taken out of folders dropped together. */
export const MAX_FOLDER_FILES = 200;

/** Files that systems leave in folders by themselves. */
const SYSTEM_FILE = /^(?:\..*|thumbs\.db|desktop\.ini)$/i;

/** Orders names as people number them: `2` before `10`. */
const { compare } = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** Lists a folder; a browser answers with some entries at a time, and with none at the end. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return all;
    all.push(...some);
  }
}

async function* filesIn(entry: FileSystemEntry): AsyncGenerator<File> {
  if (entry.isFile) {
    yield await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    return;
  }
  const entries = await entriesOf(entry as FileSystemDirectoryEntry);
  const named = entries.filter(({ name }) => !SYSTEM_FILE.test(name));
  for (const each of named.sort((one, other) => compare(one.name, other.name))) yield* filesIn(each);
}

/**
 * Reads the dropped files, replacing folders with their files, sorted by name. Call it while
 * the event is being handled: afterwards a browser gives nothing away.
 * @returns `isCut` where there were more than `MAX_FOLDER_FILES`
 */
export async function droppedFiles({ items, files }: DataTransfer): Promise<{ files: File[]; isCut: boolean }> {
  const entries = [...items].flatMap((item) => (item.kind === 'file' ? (item.webkitGetAsEntry() ?? []) : []));
  if (!entries.some(({ isDirectory }) => isDirectory)) return { files: [...files], isCut: false };
  const found: File[] = [];
  for (const entry of entries)
    for await (const file of filesIn(entry)) {
      if (found.length === MAX_FOLDER_FILES) return { files: found, isCut: true };
      found.push(file);
    }
  return { files: found, isCut: false };
}
