import { observer } from 'mobx-react-lite';
import { type DragEvent, type ReactNode, useEffect, useState } from 'react';
import type { Spot } from '../../../engine/tools/camera/picker.ts';
import { ApiError } from '../../contract/errors.ts';
import { locale } from '../../ui/language/language.ts';
import { isSheet } from '../../ui/media/sheet-reading.ts';
import { UploadList } from '../../ui/media/UploadList.tsx';
import { showNotification, showProblem } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { useEditor } from '../session/editor-context.ts';
import classes from './canvas.module.css';
import { canvasOf } from './canvas-store.ts';
import { importsOf, NO_UPLOADS } from './import-store.ts';

/** Maximum number of files read from dropped folders. */
const MAX_FOLDER_FILES = 200;

/** Files that operating systems create in folders. */
const SYSTEM_FILE = /^(?:\..*|thumbs\.db|desktop\.ini)$/i;

/** Natural sort order: `2` before `10`. */
const { compare } = new Intl.Collator(locale, { numeric: true, sensitivity: 'base' });

/** Lists a folder; browsers return entries in batches, and an empty batch at the end. */
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
 * the event is being handled: browsers clear the data afterwards.
 * @returns `isCut` if there were more than `MAX_FOLDER_FILES`
 */
async function droppedFiles({ items, files }: DataTransfer): Promise<{ files: File[]; isCut: boolean }> {
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

/** URLs of a list, without its comments (RFC 2483). */
const linksIn = (list: string): string[] =>
  list.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'));

const holdsFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files');
/** Whether a URL or text from another page is dropped. */
const holdsText = ({ dataTransfer }: DragEvent) =>
  ['text/plain', 'text/uri-list'].some((type) => dataTransfer.types.includes(type));

async function addDropped(
  imports: ReturnType<typeof importsOf>,
  { data, spot, onSheet }: { data: DataTransfer; spot: Spot; onSheet: TakeSheet },
): Promise<void> {
  const { files, isCut } = await droppedFiles(data);
  if (files.length === 0) showNotification('There are no files in this folder.');
  if (isCut) showNotification(`Only the first ${MAX_FOLDER_FILES} files are added. Drop the others separately.`);
  if (files.some(isSheet)) onSheet(files);
  else imports.add(files, spot);
}

/** Handles text dropped at a position. */
export type TakeText = (text: string, spot: Spot) => void;

/** Handles a dropped spreadsheet, with the files dropped along with it. */
export type TakeSheet = (files: readonly File[]) => void;

/** Accepts files dropped on the canvas, and shows the upload progress. */
export const DropLayer = observer(
  ({ children, onText, onSheet }: { children: ReactNode; onText: TakeText; onSheet: TakeSheet }) => {
    const editor = useEditor();
    const session = useSession();
    const store = canvasOf(editor.document);
    const { isReadOnly } = editor.document;
    const imports = importsOf(editor);
    const [isOver, setIsOver] = useState(false);
    useEffect(() => () => imports.cancelAll(), [imports]);
    return (
      <section
        className={classes.canvas}
        aria-label="Canvas"
        onDragOver={(event) => {
          if (!holdsFiles(event) && !holdsText(event)) return;
          event.preventDefault();
          event.dataTransfer.dropEffect = isReadOnly ? 'none' : 'copy';
          setIsOver(!isReadOnly);
        }}
        onDragLeave={(event) => {
          if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setIsOver(false);
        }}
        onDrop={(event) => {
          if (!holdsFiles(event) && !holdsText(event)) return;
          event.preventDefault();
          setIsOver(false);
          if (isReadOnly) return;
          const spot = store.tools?.spotAt(event.clientX, event.clientY);
          if (!spot) return;
          if (!holdsFiles(event)) {
            const { dataTransfer } = event;
            const links = linksIn(dataTransfer.getData('text/uri-list'));
            for (const text of links.length > 0 ? links : [dataTransfer.getData('text/plain')]) onText(text, spot);
            return;
          }
          if (!session.may('media', 'create')) return showProblem(new ApiError('forbidden', NO_UPLOADS));
          void addDropped(imports, { data: event.dataTransfer, spot, onSheet }).catch(() =>
            showNotification('The folder could not be read. Drop the files in it instead.'),
          );
        }}
      >
        {children}
        {isOver && <div className={classes.target}>Drop files to add them here</div>}
        <div className={classes.uploads}>
          <UploadList store={imports.uploads} />
        </div>
      </section>
    );
  },
);
