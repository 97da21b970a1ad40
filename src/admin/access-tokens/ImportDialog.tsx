import { Alert, Button, Group, List, Modal, ScrollArea, Stack, Text } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import type { ImportReport } from '../../contract/entities.ts';
import { ApiError } from '../../contract/errors.ts';
import { EntrySelect } from '../../ui/EntrySelect.tsx';
import { showProblem } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { type GivenTokens, TokensInput } from '../frame/TokensInput.tsx';
import { type AccessTokensStore, findEndpoints } from './access-tokens-store.ts';

/** Lines listed in a message. */
const NAMED = 10;
const linesText = (lines: readonly number[]) =>
  lines.slice(0, NAMED).join(', ') + (lines.length > NAMED ? ' and more' : '');

/** Import report, with details for affected rows. */
function Report({ report }: { report: ImportReport }) {
  const skipped = report.duplicates - report.updated;
  return (
    <Alert color="teal" title="The file has been imported" role="status">
      <Text size="sm">
        {report.accepted} added. {report.updated > 0 && `${report.updated} updated. `}
        {skipped} {skipped === 1 ? 'duplicate' : 'duplicates'} skipped.
      </Text>
      {report.normalized > 0 && (
        <Text size="sm">
          {report.normalized} {report.normalized === 1 ? 'token was' : 'tokens were'} cleaned of invisible characters,
          unusual spaces or dashes ({report.normalized === 1 ? 'line' : 'lines'} {linesText(report.normalized_lines)}).
        </Text>
      )}
      {report.duplicate_lines.length > 0 && (
        <ScrollArea.Autosize mah={160} mt="xs">
          <List size="sm">
            {report.duplicate_lines.map((line) => (
              <List.Item key={line}>Line {line}: duplicate</List.Item>
            ))}
          </List>
        </ScrollArea.Autosize>
      )}
      {report.warnings.map((warning) => (
        <Text key={warning} size="sm" fw={600} mt="xs">
          {warning}
        </Text>
      ))}
    </Alert>
  );
}

/** Imports a CSV or JSON file of access tokens: all or nothing. */
export function ImportDialog({ store, onClose }: { store: AccessTokensStore; onClose(): void }) {
  const { client } = useSession();
  const [endpointId, setEndpointId] = useState<string | null>(null);
  const [file, setFile] = useState<GivenTokens | null>(null);
  const [rejected, setRejected] = useState<string[]>([]);
  const [report, setReport] = useState<ImportReport | null>(null);
  const [isBusy, setBusy] = useState(false);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (endpointId === null || !file) return;
    setBusy(true);
    setRejected([]);
    setReport(null);
    try {
      setReport(await store.importFile(Number(endpointId), file));
      setFile(null);
    } catch (error) {
      if (error instanceof ApiError && error.status === 422) setRejected(Object.values(error.msg).flat());
      else showProblem(error);
    }
    setBusy(false);
  };

  return (
    <Modal opened onClose={onClose} title="Import access tokens" size="lg" centered>
      <form onSubmit={(event) => void submit(event)}>
        <Stack>
          {report && <Report report={report} />}
          {rejected.length > 0 && (
            <Alert color="red" role="alert" title="Nothing was imported">
              <ScrollArea.Autosize mah={200}>
                <List size="sm">
                  {rejected.map((text) => (
                    <List.Item key={text}>{text}</List.Item>
                  ))}
                </List>
              </ScrollArea.Autosize>
            </Alert>
          )}
          <EntrySelect
            label="Structure"
            withAsterisk
            find={findEndpoints(client)}
            chosen={null}
            value={endpointId}
            onChange={setEndpointId}
          />
          <TokensInput
            label="File"
            withAsterisk
            description="A CSV file, such as an export from a ticketing system, or a JSON export, which keeps times."
            placeholder="Choose a CSV or JSON file"
            accept=".csv,.json,text/csv,text/plain,application/json"
            leftSection={<IconFileImport size={18} aria-hidden />}
            value={file}
            onChange={setFile}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {report ? 'Close' : 'Cancel'}
            </Button>
            <Button
              type="submit"
              loading={isBusy}
              disabled={endpointId === null || !file || (file.heading !== undefined && file.column === undefined)}
            >
              Import
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
