import { FileInput, type FileInputProps, Paper, ScrollArea, Select, Stack, Switch, Table, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import type { ImportTable } from '../../contract/entities.ts';
import { showProblem } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import classes from './tokens-input.module.css';

/** Token file and its parse options. */
export interface GivenTokens {
  file: File;
  /** Index of the token column; missing for JSON, or until chosen. */
  column?: string;
  heading?: boolean;
}

/** Bytes read for the preview. */
const HEAD_BYTES = 256 * 1024;
const LINE_FEED = 10;
/** Maximum columns shown. */
const SHOWN_COLUMNS = 8;

/** Start of a file, cut at a line end. */
async function headOf(file: File): Promise<File> {
  if (file.size <= HEAD_BYTES) return file;
  const bytes = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  const end = bytes.lastIndexOf(LINE_FEED) + 1;
  return new File([bytes.subarray(0, end || bytes.length)], file.name);
}

interface Props extends Pick<FileInputProps, 'label' | 'description' | 'placeholder' | 'accept' | 'leftSection'> {
  withAsterisk?: boolean;
  error?: FileInputProps['error'];
  value: GivenTokens | null;
  onChange(given: GivenTokens | null): void;
}

/** Preview of the first rows, with parse options. */
function FirstRows({
  table,
  given,
  onChange,
}: {
  table: ImportTable;
  given: GivenTokens;
  onChange(given: GivenTokens): void;
}) {
  const { columns, rows } = table;
  const column = given.column === undefined ? null : Number(given.column);
  const holders = columns.filter(({ role, number }) => role !== null && role !== 'token' && number !== column);
  const names = holders.map(({ name }) => name).join(', ');
  return (
    <Paper withBorder p="sm">
      <Stack gap="sm">
        <Text size="sm" fw={600}>
          First rows
        </Text>
        <ScrollArea type="auto">
          <Table withTableBorder withColumnBorders fz="xs" className={classes.rows}>
            <Table.Tbody>
              {rows.map(({ line, cells }, index) => (
                <Table.Tr key={line} data-heading={(index === 0 && given.heading) || undefined}>
                  {columns.slice(0, SHOWN_COLUMNS).map(({ number }) => (
                    <Table.Td key={number} data-chosen={number === column || undefined}>
                      {cells[number - 1]}
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </ScrollArea>
        <Select
          label="Token column"
          placeholder="Choose a column"
          allowDeselect={false}
          error={column === null && 'Choose the column that holds the tokens.'}
          data={columns.map(({ number, name }) => ({
            value: String(number),
            label: given.heading && name ? `${number}: ${name}` : `Column ${number}`,
          }))}
          value={given.column ?? null}
          onChange={(value) => onChange({ ...given, ...(value && { column: value }) })}
        />
        <Switch
          label="First line is a heading"
          description={table.heading === null ? 'The first line looks unlike the others. Check it.' : undefined}
          checked={given.heading ?? false}
          onChange={(event) => onChange({ ...given, heading: event.currentTarget.checked })}
        />
        {given.heading && names !== '' && (
          <Text size="xs" c="dimmed">
            Holders, groups and notes are read from: {names}.
          </Text>
        )}
      </Stack>
    </Paper>
  );
}

/** File field for access tokens with a preview and parse options. */
export function TokensInput({ value, onChange, ...field }: Props) {
  const { client } = useSession();
  const [table, setTable] = useState<ImportTable | null>(null);
  const chosen = useRef<File | null>(null);
  const choose = async (file: File | null) => {
    chosen.current = file;
    setTable(null);
    // If submitted before the preview is ready, the server parses the file and rejects ambiguous tables.
    onChange(file && { file });
    if (!file) return;
    let read: ImportTable | null = null;
    try {
      read = await client.accessTokens.readTable({ files: { access_tokens_file: await headOf(file) } });
    } catch (error) {
      // Preview errors are shown; the upload reports the same error.
      showProblem(error);
    }
    if (chosen.current !== file) return;
    setTable(read);
    // If unsure, assume a heading and show it: a heading imported as a token would grant access.
    onChange({
      file,
      ...(read && { heading: read.heading ?? true }),
      ...(read?.column && { column: String(read.column) }),
    });
  };
  return (
    <Stack gap="xs">
      <FileInput {...field} clearable value={value?.file ?? null} onChange={(file) => void choose(file)} />
      {table && value && <FirstRows table={table} given={value} onChange={onChange} />}
    </Stack>
  );
}
