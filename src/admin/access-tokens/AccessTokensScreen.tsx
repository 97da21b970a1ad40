import { Alert, Button, Group, List, Modal, ScrollArea, Stack, Text } from '@mantine/core';
import {
  IconBan,
  IconDownload,
  IconFileImport,
  IconMail,
  IconPencil,
  IconQrcode,
  IconStack2,
} from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { type FormEvent, lazy, Suspense, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import { type AccessToken, type ImportReport, TOKEN_STATES } from '../../contract/entities.ts';
import { ApiError } from '../../contract/errors.ts';
import { tokenStateOf } from '../../contract/token-state.ts';
import { EntrySelect } from '../../ui/EntrySelect.tsx';
import { sayMessage } from '../../ui/language/say-message.ts';
import { momentText } from '../../ui/moment-text.ts';
import { showProblem } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import type { BulkAction } from '../frame/BulkBar.tsx';
import { FilterSelect, useAddressFilter } from '../frame/FilterSelect.tsx';
import { ListScreen } from '../frame/ListScreen.tsx';
import { type Resource, rowRights } from '../frame/resource.ts';
import { saveCsv } from '../frame/save-csv.ts';
import { type GivenTokens, TokensInput } from '../frame/TokensInput.tsx';
import type { BulkFields } from '../stores/bulk.ts';
import classes from './access-tokens.module.css';
import { ACCESS_TOKENS_PATH, AccessTokensStore, findEndpoints } from './access-tokens-store.ts';
import { BulkDialog } from './BulkDialog.tsx';
import { ChangeDialog } from './ChangeDialog.tsx';
import { GroupFilter } from './GroupField.tsx';
import { addressOfNew, MAILINGS_PATH } from './mailing-address.ts';

const QrSheet = lazy(async () => ({ default: (await import('./QrSheet.tsx')).QrSheet }));

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
          {sayMessage(warning)}
        </Text>
      ))}
    </Alert>
  );
}

/** Imports a CSV or JSON file of access tokens: all or nothing. */
function ImportDialog({ store, onClose }: { store: AccessTokensStore; onClose(): void }) {
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
            description="A CSV file with tokens in the first column and no heading row, an export from a ticketing system, or a JSON export, which keeps times."
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

const STATE_NAMES = { unused: 'Unused', running: 'Running', expired: 'Expired', not_yet_valid: 'Not yet valid' };

const Filters = observer(({ store }: { store: AccessTokensStore }) => {
  const session = useSession();
  const [params, set] = useAddressFilter();
  const endpointId = params.get('endpoint');
  const first = store.rows.find(({ endpoint_id }) => String(endpoint_id) === endpointId);
  return (
    <Group>
      {session.may('endpoints', 'view_any') && (
        <EntrySelect
          aria-label="Structure"
          placeholder="All structures"
          find={findEndpoints(session.client)}
          chosen={
            endpointId ? { id: Number(endpointId), name: first?.endpoint.name ?? `Structure ${endpointId}` } : null
          }
          value={endpointId}
          onChange={(value) => set('endpoint', value)}
        />
      )}
      <FilterSelect
        name="state"
        aria-label="State"
        placeholder="All states"
        data={TOKEN_STATES.map((value) => ({ value, label: STATE_NAMES[value] }))}
      />
      <GroupFilter />
    </Group>
  );
});

/** Access tokens. @param order sort key of the tokens, if they can be sorted */
const accessTokens = (order: string | null): Resource<AccessToken> => ({
  title: 'Access tokens',
  noun: 'token',
  nouns: 'tokens',
  area: 'access_tokens',
  path: ACCESS_TOKENS_PATH,
  isViewed: true,
  empty: 'There are no access tokens yet. An access token opens a protected structure.',
  nameOf: ({ token }) => token,
  isCode: true,
  may: rowRights,
  filters: ['endpoint', 'state', 'group'],
  hidden: ['email', 'in', 'last', 'note'],
  heading: 'Token',
  order,
  usual: '-created',
  columns: [
    { id: 'structure', label: 'Structure', cell: ({ endpoint }) => endpoint.name },
    { id: 'holder', label: 'Holder', cell: ({ holder_name }) => holder_name },
    { id: 'email', label: 'E-mail', cell: ({ holder_email }) => holder_email },
    { id: 'group', label: 'Group', cell: ({ group }) => group },
    { id: 'note', label: 'Note', cell: ({ note }) => note },
    { id: 'added', label: 'Added', order: '-created', cell: ({ created_at }) => momentText(created_at) },
    {
      id: 'used',
      label: 'First used',
      order: '-used',
      cell: ({ first_used_at }) => first_used_at && momentText(first_used_at),
    },
    { id: 'last', label: 'Last used', cell: ({ last_used_at }) => last_used_at && momentText(last_used_at) },
    { id: 'in', label: 'Checked in', cell: ({ checked_in_at }) => checked_in_at && momentText(checked_in_at) },
    {
      id: 'till',
      label: 'Valid until',
      order: 'valid_till',
      cell: ({ valid_till }) => valid_till && momentText(valid_till),
    },
    {
      id: 'state',
      label: 'State',
      cell: (token) => {
        const state = tokenStateOf(token, new Date());
        // The usual state is quiet text.
        if (state === 'unused') return STATE_NAMES.unused;
        return (
          <span className={classes.state} data-state={state}>
            {STATE_NAMES[state]}
          </span>
        );
      },
    },
  ],
  removal: { question: 'Visitors using these tokens are signed out. The tokens stay in the bin for 30 days.' },
});

// Only tokens of a single structure can be sorted.
const OF_ALL = accessTokens(null);
const OF_ONE = accessTokens('token');

/** A dialog that asks for the changes of the selected tokens. */
interface AskedChange {
  count: number;
  /** @param fields the new values; null if canceled */
  onEnd(fields: BulkFields | null): void;
}

/** Access tokens: the latest 100, older ones on further pages. */
export const AccessTokensScreen = observer(() => {
  const session = useSession();
  const [store] = useState(() => new AccessTokensStore(session.client));
  const [params] = useSearchParams();
  const [dialog, setDialog] = useState<'bulk' | 'import' | null>(null);
  const mayCreate = session.may('access_tokens', 'create');
  const [change, setChange] = useState<AskedChange | null>(null);
  const [printed, setPrinted] = useState<readonly AccessToken[] | null>(null);
  const [isExporting, setExporting] = useState(false);
  const navigate = useNavigate();
  const emailing = {
    label: 'E-mail the holders of',
    icon: <IconMail size={16} aria-hidden />,
    run: async (ids: readonly number[]) => {
      const first = store.rows.find(({ id }) => ids.includes(id));
      const address = addressOfNew(ids, first?.endpoint_id);
      if (address === null) return ['These tokens are too many to choose one by one. Filter the list and use E-mail.'];
      navigate(address);
      return null;
    },
  };
  const save = async () => {
    setExporting(true);
    const endpoint_id = Number(params.get('endpoint')) || undefined;
    const state = TOKEN_STATES.find((name) => name === params.get('state'));
    const [search, group] = [params.get('search') || undefined, params.get('group') || undefined];
    const query = { search, endpoint_id, state, group };
    await saveCsv('access-tokens', session.client.accessTokens.export({ query }));
    setExporting(false);
  };
  const printing: BulkAction = {
    label: 'Print QR codes of',
    icon: <IconQrcode size={16} aria-hidden />,
    run: async (ids) => {
      setPrinted(await store.find(ids));
      return null;
    },
  };
  const printAll = () => store.matching().then(setPrinted, showProblem);
  return (
    <>
      <ListScreen
        of={params.has('endpoint') ? OF_ONE : OF_ALL}
        store={store}
        bulkActions={
          session.may('access_tokens', 'update')
            ? [
                printing,
                emailing,
                {
                  label: 'Change',
                  icon: <IconPencil size={16} aria-hidden />,
                  run: (ids, onProgress) =>
                    new Promise((resolve) => {
                      setChange({
                        count: ids.length,
                        onEnd: (fields) => {
                          setChange(null);
                          resolve(fields ? store.changeMany(ids, fields, onProgress) : null);
                        },
                      });
                    }),
                },
                {
                  label: 'Revoke',
                  icon: <IconBan size={16} aria-hidden />,
                  question: 'They expire now, and visitors using them are signed out. The tokens stay in the list.',
                  run: (ids, onProgress) => store.revokeMany(ids, onProgress),
                },
              ]
            : [printing]
        }
        buttons={
          <>
            {mayCreate && session.may('access_tokens', 'update') && (
              <Button
                variant="default"
                leftSection={<IconMail size={18} aria-hidden />}
                component={Link}
                to={`${MAILINGS_PATH}/add?${params}`}
              >
                E-mail the holders
              </Button>
            )}
            <Button
              variant="default"
              loading={isExporting}
              leftSection={<IconDownload size={18} aria-hidden />}
              onClick={() => void save()}
            >
              Export
            </Button>
            <Button
              variant="default"
              disabled={store.rows.length === 0}
              leftSection={<IconQrcode size={18} aria-hidden />}
              onClick={() => void printAll()}
            >
              Print QR codes
            </Button>
            {mayCreate && (
              <Button
                variant="default"
                leftSection={<IconStack2 size={18} aria-hidden />}
                onClick={() => setDialog('bulk')}
              >
                Add many
              </Button>
            )}
            {mayCreate && session.may('endpoints', 'view_any') && (
              <Button
                variant="default"
                leftSection={<IconFileImport size={18} aria-hidden />}
                onClick={() => setDialog('import')}
              >
                Import
              </Button>
            )}
          </>
        }
        filters={<Filters store={store} />}
      />
      {change && (
        <ChangeDialog
          count={change.count}
          onSubmit={(fields) => change.onEnd(fields)}
          onClose={() => change.onEnd(null)}
        />
      )}
      {printed && (
        <Suspense>
          <QrSheet tokens={printed} onClose={() => setPrinted(null)} />
        </Suspense>
      )}
      {dialog === 'bulk' && (
        <BulkDialog createMany={(body) => store.createMany(body)} onClose={() => setDialog(null)} />
      )}
      {dialog === 'import' && <ImportDialog store={store} onClose={() => setDialog(null)} />}
    </>
  );
});
