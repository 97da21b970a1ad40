import { Button, Group, Modal } from '@mantine/core';
import { useState } from 'react';
import { calls } from '../../contract/calls.ts';
import type { Media } from '../../contract/entities.ts';
import { confirm } from '../../ui/confirmation/confirmation-store.ts';
import { sayMessage } from '../../ui/language/say-message.ts';
import { thumbnailOf } from '../../ui/media/media-kinds.ts';
import { showProblem } from '../../ui/notifications.ts';
import { type CellPlace, CellTable } from '../../ui/sheet/CellTable.tsx';
import { cellText } from '../../ui/sheet/pasted-rows.ts';
import { countText } from '../stores/list-store.ts';
import type { MediaChange } from './media-files.tsx';

const COLUMNS = ['name', 'title', 'alt', 'long_description', 'transcript', 'creator', 'credit', 'rights'] as const;
type Column = (typeof COLUMNS)[number];

const LABELS: Record<Column, string> = {
  name: 'File name',
  title: 'Title',
  alt: 'Alternative text',
  long_description: 'Detailed description',
  transcript: 'Transcript',
  creator: 'Creator',
  credit: 'Credit line',
  rights: 'Copyright',
};

/** Columns with several lines. */
const LONG: readonly (Column | undefined)[] = ['long_description', 'transcript'];

/** Whether a type of file has a text. */
function hasText({ type }: Media, column: Column): boolean {
  if (column === 'alt' || column === 'long_description') return type === 'image';
  return column !== 'transcript' || type === 'audio' || type === 'video';
}

const { shape } = calls.media.update.body;

/** Edited texts by file id. */
type Edits = ReadonlyMap<number, Partial<Record<Column, string>>>;

/** Edits with some cells set, and the problems of the others. */
function withCells(
  files: readonly Media[],
  edits: Edits,
  from: CellPlace,
  rows: readonly (readonly string[])[],
): { edits: Edits; problems: string[] } {
  const after = new Map(edits);
  const problems: string[] = [];
  for (const [down, cells] of rows.entries()) {
    const file = files[from.row + down];
    if (!file) {
      problems.push(`${countText(rows.length - down, 'rows')} left over: there are no more files.`);
      break;
    }
    for (const [right, text] of cells.entries()) {
      const column = COLUMNS[from.column + right];
      const value = LONG.includes(column) ? text.trim() : cellText(text);
      const isMissing = column === undefined || !hasText(file, column);
      if (isMissing) {
        if (value !== '')
          problems.push(
            `${file.name}: ${column ? `${LABELS[column]} is for other types of files` : 'there are no more columns'}.`,
          );
        continue;
      }
      const read = shape[column].safeParse(value);
      if (read.success) after.set(file.id, { ...after.get(file.id), [column]: read.data });
      else problems.push(`${file.name}, ${LABELS[column]}: ${sayMessage(read.error.issues[0]!.message)}`);
    }
  }
  return { edits: after, problems };
}

/** The edits that differ from the files. */
const changesOf = (files: readonly Media[], edits: Edits): MediaChange[] =>
  files.flatMap((file) => {
    const changed = Object.entries(edits.get(file.id) ?? {}).filter(
      ([name, text]) => (file[name as Column] ?? '') !== text,
    );
    return changed.length > 0 ? [{ id: file.id, ...Object.fromEntries(changed) }] : [];
  });

/** Texts of many files in a table, saved together. Cells can be pasted from a spreadsheet. */
export function MediaTextsDialog({
  files,
  onSave,
  onClose,
}: {
  files: readonly Media[];
  /** @throws ApiError */
  onSave(changes: readonly MediaChange[]): Promise<void>;
  onClose(): void;
}) {
  const [edits, setEdits] = useState<Edits>(new Map());
  const [isSaving, setSaving] = useState(false);
  const changes = changesOf(files, edits);
  const close = async () => {
    const question = {
      title: 'Discard your changes?',
      text: 'The texts you changed are not saved.',
      action: 'Discard',
    };
    if (changes.length === 0 || (await confirm({ ...question, destroys: true }))) onClose();
  };
  const save = async () => {
    setSaving(true);
    try {
      await onSave(changes);
      onClose();
    } catch (error) {
      showProblem(error);
    }
    setSaving(false);
  };
  return (
    <Modal opened onClose={() => void close()} title="Texts" size={1200} centered>
      <CellTable
        label="Texts of files"
        columns={COLUMNS.map((column) => LABELS[column])}
        isMultiline={COLUMNS.map((column) => LONG.includes(column))}
        tracks="1.4fr 1.4fr 2fr 2fr 2fr 1fr 1fr 1fr"
        least={1320}
        rows={files.map((file) => ({
          id: file.id,
          lead: file.type === 'image' && <img {...thumbnailOf(file.url, 40)} alt="" loading="lazy" />,
          cells: COLUMNS.map((column) =>
            hasText(file, column) ? (edits.get(file.id)?.[column] ?? file[column] ?? '') : undefined,
          ),
        }))}
        isReadOnly={false}
        empty="No file is selected."
        onSet={(from, rows) => {
          const set = withCells(files, edits, from, rows);
          setEdits(set.edits);
          return set.problems;
        }}
      />
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={() => void close()}>
          Cancel
        </Button>
        <Button loading={isSaving} disabled={changes.length === 0} onClick={() => void save()}>
          Save
        </Button>
      </Group>
    </Modal>
  );
}
