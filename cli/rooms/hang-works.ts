import { randomUUID } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import {
  HANG_DEFAULTS,
  hangingCommands,
  idsNeeded,
  UNITS_PER_CENTIMETER,
} from '../../engine/document/arrangements/hang.ts';
import type { Layout, LayoutOptions } from '../../engine/document/arrangements/layouts.ts';
import { type Wall, wallsOf } from '../../engine/document/arrangements/walls.ts';
import type { FileReference } from '../../engine/document/fields.ts';
import type { Client } from '../../src/contract/client.ts';
import type { WorkSheet } from '../../src/contract/entities.ts';
import { MAX_SHEET_BYTES } from '../../src/contract/file-limits.ts';
import { namedFile, planSheet, type SheetPlan, sendCommands, withFiles } from '../../src/contract/hanging.ts';
import { EXIT, usageError } from '../failure.ts';
import { fileOnDisk } from '../io/read-file.ts';
import { jsonText } from '../io/write-output.ts';
import { uploadFile } from '../media/upload-file.ts';
import { readDocument } from './read-document.ts';
import { asRoom } from './room-argument.ts';

export interface HangOptions {
  images?: string;
  wall?: string;
  layout: Layout;
  center?: number;
  bottom?: number;
  gap: number;
  height?: number;
  json: boolean;
}

/** An image of the folder. */
interface LocalImage {
  name: string;
  path: string;
}

async function imagesIn(folder: string | undefined): Promise<LocalImage[]> {
  if (folder === undefined) return [];
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw usageError(`${folder} can't be read: ${error.message}.`, 'Specify the folder of the images.');
  });
  return names.filter((name) => !name.startsWith('.')).map((name) => ({ name, path: join(folder, name) }));
}

/** The images of the folder that the sheet names, each once. */
function wantedImages({ works }: WorkSheet, images: readonly LocalImage[]): LocalImage[] {
  return [...new Set(works.flatMap(({ image }) => namedFile(image, images) ?? []))];
}

/** Walls by name or id, in the given order; by default the room's own, or those that were made for hanging. */
function chosenWalls(walls: readonly Wall[], wanted: string | undefined): Wall[] {
  const shown = `Use ${walls.map(({ id, name }) => (/^\d/.test(id) ? `"${name}"` : id)).join(', ')}.`;
  if (walls.length === 0) throw usageError('This room has no walls.', 'Add a group with a width and a height.');
  if (wanted === undefined) {
    const made = walls.filter(({ group }) => group !== null);
    return made.length > 0 ? made : walls.filter(({ id }) => !/^\d/.test(id));
  }
  return wanted.split(',').map((each) => {
    const name = each.trim().toLowerCase();
    const wall = walls.find(({ id, ...own }) => id === name || own.name.toLowerCase() === name);
    if (!wall) throw usageError(`Wall not found: "${each.trim()}".`, shown);
    return wall;
  });
}

function layoutOptions({ layout, center, bottom, gap }: HangOptions): LayoutOptions {
  if (center !== undefined && bottom !== undefined)
    throw usageError('--center and --bottom exclude each other.', 'Use one of them.');
  return {
    layout,
    align: bottom === undefined ? 'center' : 'bottom',
    line: (bottom ?? center ?? HANG_DEFAULTS.line) * UNITS_PER_CENTIMETER,
    gap: gap * UNITS_PER_CENTIMETER,
  };
}

const KINDS = { refused: 'left out', missing: 'left out', unplaced: 'left out', note: 'note' } as const;

function planText({ works, problems }: SheetPlan, uploads: readonly LocalImage[], isTried: boolean): string {
  const hung = works.filter((each) => each.hung !== null);
  const walls = Map.groupBy(hung, (each) => each.hung!.wall.name);
  const counted = `${hung.length} ${hung.length === 1 ? 'work' : 'works'}`;
  return [
    `${isTried ? 'Would hang' : 'Hung'} ${counted}`,
    ...[...walls].map(([name, on]) => `  ${name}: ${on.map(({ work }) => work.title || work.image).join(', ')}`),
    ...(isTried ? uploads.map(({ path }) => `  upload    ${path}`) : []),
    ...(isTried && uploads.length > 0
      ? ['  The proportions of these images are unknown until they are uploaded; their places may change.']
      : []),
    ...problems.map(({ row, kind, text }) => `  ${KINDS[kind].padEnd(8)}  row ${row}: ${text}`),
    '',
  ].join('\n');
}

const planJson = ({ works, problems }: SheetPlan, uploads: readonly LocalImage[]) => ({
  works: works.map(({ work: { row, image, title, file }, hung }) => ({
    row,
    image,
    title,
    file_id: file?.url ? file.id : null,
    wall: hung?.wall.name ?? null,
    x: hung?.x ?? null,
    y: hung?.y ?? null,
  })),
  uploads: uploads.map(({ path }) => path),
  problems,
});

/** Stands for an image that is not uploaded yet; its proportions are unknown. */
const notUploaded = (name: string): FileReference => ({ id: 1, name, type: 'image', url: '' });

/** Hangs the works of a sheet, or prints how they would hang. @returns whether there is anything to hang */
export async function hangSheet(
  client: Client,
  { id, sheet: file, options, isTried }: { id: number; sheet: string; options: HangOptions; isTried: boolean },
): Promise<boolean> {
  const settings = layoutOptions(options);
  const room = asRoom(await readDocument(client, id), String(id));
  const walls = chosenWalls(wallsOf(room), options.wall);
  const { path } = await fileOnDisk(file, MAX_SHEET_BYTES);
  const content = new File([await openAsBlob(path)], basename(file));
  const read = () => client.media.readWorks({ body: {}, files: { file: content } });
  const first = await read();
  const uploads = wantedImages(first, await imagesIn(options.images));
  const files: { name: string; file: FileReference }[] = [];
  for (const { name, path: image } of uploads) {
    const { size: bytes } = await stat(image);
    const sent = isTried
      ? notUploaded(name)
      : await uploadFile(client, { path: image, bytes, name }, { quiet: options.json });
    files.push({ name, file: sent });
  }
  // With the images in the library, their proportions decide which side of a size is the width.
  const sheet = uploads.length > 0 && !isTried ? await read() : first;
  const sizing = options.height === undefined ? 'real' : { height: options.height };
  const plan = planSheet(room, walls, withFiles(sheet, files), { ...settings, sizing });
  const count = plan.works.filter(({ hung }) => hung !== null).length;
  const { hanging } = plan;
  const sending = { roomId: id, name: `hang ${randomUUID()}`, count: idsNeeded(hanging) };
  if (!isTried && count > 0) await sendCommands(client, sending, (ids) => hangingCommands(hanging, ids));
  process.stdout.write(options.json ? jsonText(planJson(plan, uploads)) : planText(plan, uploads, isTried));
  if (plan.problems.some(({ kind }) => kind !== 'note')) process.exitCode = EXIT.wrong;
  return count > 0;
}
