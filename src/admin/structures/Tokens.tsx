import { Alert, Anchor, Button, Group, NumberInput, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconDownload, IconFileTypeCsv, IconStack2 } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { lazy, Suspense } from 'react';
import { Link } from 'react-router-dom';
import type { ImportReport } from '../../contract/entities.ts';
import { sayMessage } from '../../ui/language/say-message.ts';
import { showProblem } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { number } from '../frame/fields.ts';
import { saveCsv } from '../frame/save-csv.ts';
import { TokensInput } from '../frame/TokensInput.tsx';
import type { StructuresStore } from './structures-store.ts';

const BulkDialog = lazy(async () => ({ default: (await import('../access-tokens/BulkDialog.tsx')).BulkDialog }));

/** Result of a token import. */
function Report({ report }: { report: ImportReport }) {
  return (
    <Alert color="teal" title="The access tokens have been imported" role="status">
      <Text size="sm">
        {report.accepted} added. {report.duplicates} {report.duplicates === 1 ? 'duplicate' : 'duplicates'} skipped
        {report.duplicate_lines.length > 0 &&
          ` (${report.duplicate_lines.length === 1 ? 'line' : 'lines'} ${report.duplicate_lines.join(', ')})`}
        .{report.normalized > 0 && ` ${report.normalized} cleaned of invisible characters, unusual spaces or dashes.`}
      </Text>
      {report.warnings.map((warning) => (
        <Text key={warning} size="sm" fw={600}>
          {sayMessage(warning)}
        </Text>
      ))}
    </Alert>
  );
}

/** Access tokens of a structure: count, list link and export. */
const Present = observer(({ store }: { store: StructuresStore }) => {
  const session = useSession();
  const { entry } = store;
  if (!entry) return null;
  const { id, access_tokens_count: count } = entry;
  const mayView = session.may('access_tokens', 'view_any');
  const download = async () => {
    try {
      location.assign(await store.exportAddress(id));
    } catch (error) {
      showProblem(error);
    }
  };
  return (
    <Group gap="sm">
      <Text size="sm">
        {count} access {count === 1 ? 'token' : 'tokens'}
      </Text>
      {count > 0 && mayView && (
        <>
          <Anchor component={Link} to={`/admin/access-tokens?endpoint=${id}`} size="sm">
            Show
          </Anchor>
          <Anchor component="button" type="button" size="sm" onClick={() => void download()}>
            <IconDownload size={14} aria-hidden /> Export
          </Anchor>
          <Anchor
            component="button"
            type="button"
            size="sm"
            onClick={() =>
              void saveCsv(`tokens-${entry.slug}`, session.client.accessTokens.export({ query: { endpoint_id: id } }))
            }
          >
            <IconDownload size={14} aria-hidden /> Export with links
          </Anchor>
        </>
      )}
    </Group>
  );
});

/** Access tokens of a structure, and ways to add more. Public structures can still export theirs. */
export const Tokens = observer(({ store }: { store: StructuresStore }) => {
  const session = useSession();
  const [isAdding, { open, close }] = useDisclosure();
  const { entry, draft, errors, file } = store;
  if (!draft.is_protected) return entry && entry.access_tokens_count > 0 ? <Present store={store} /> : null;
  const mayCreate = session.may('access_tokens', 'create');
  const fileErrors = [errors.access_tokens_file, errors.column, errors.heading].flatMap((texts) => texts ?? []);
  const hasNone = (entry?.access_tokens_count ?? 0) === 0 && file === null;
  return (
    <Stack>
      {store.report && <Report report={store.report} />}
      {hasNone && (
        <Alert color="brass" title="Nobody can enter yet" role="status">
          A protected structure opens with an access token, and this one has none.
          {entry ? '' : ' Import some below, or add them after saving.'}
        </Alert>
      )}
      <Present store={store} />
      {mayCreate && entry && (
        <div>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconStack2 size={16} aria-hidden />}
            disabled={!entry.is_protected && store.isDirty}
            onClick={open}
          >
            Add access tokens
          </Button>
        </div>
      )}
      {mayCreate && (
        <TokensInput
          label="Import access tokens"
          description="A CSV file with tokens in the first column and no heading row, or an export from a ticketing system."
          placeholder="Choose a CSV file"
          accept=".csv,text/csv,text/plain"
          leftSection={<IconFileTypeCsv size={18} aria-hidden />}
          value={file}
          error={fileErrors.length > 0 && fileErrors.map((text) => <span key={text}>{text} </span>)}
          onChange={(chosen) => store.setFile(chosen)}
        />
      )}
      <NumberInput
        label="Default ticket duration (minutes)"
        description="Counted from first use, at least 5 minutes. Leave empty for no limit."
        allowDecimal={false}
        {...number(store, 'access_token_duration')}
      />
      {isAdding && entry && (
        <Suspense>
          <BulkDialog
            endpoint={{ id: entry.id, name: entry.name }}
            createMany={async (body) => void (await session.client.accessTokens.createMany({ body }))}
            onClose={(added) => {
              close();
              if (added) void store.countTokens(entry.id);
            }}
          />
        </Suspense>
      )}
    </Stack>
  );
});
