import { Alert, Anchor, Button, Group, NumberInput, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconDownload, IconFileTypeCsv, IconStack2 } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { lazy, Suspense } from 'react';
import { Link } from 'react-router-dom';
import type { ImportReport } from '../../contract/entities.ts';
import { showProblem } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { number } from '../frame/fields.ts';
import { TokensInput } from '../frame/TokensInput.tsx';
import type { StructuresStore } from './structures-store.ts';

const AddTokens = lazy(async () => ({ default: (await import('./AddTokens.tsx')).AddTokens }));

/** What an import of access tokens did. */
function Report({ report }: { report: ImportReport }) {
  return (
    <Alert color="teal" title="The access tokens have been imported" role="status">
      <Text size="sm">
        {report.accepted} added. {report.duplicates} {report.duplicates === 1 ? 'duplicate' : 'duplicates'} skipped
        {report.duplicate_lines.length > 0 &&
          ` (${report.duplicate_lines.length === 1 ? 'line' : 'lines'} ${report.duplicate_lines.join(', ')})`}
        .
      </Text>
      {report.warnings.map((warning) => (
        <Text key={warning} size="sm" fw={600}>
          {warning}
        </Text>
      ))}
    </Alert>
  );
}

/** The access tokens that a structure has: how many, where to see them, and where to get them. */
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
        </>
      )}
    </Group>
  );
});

/** The access tokens of a structure, and how more come in. Those of a public one can still be had. */
export const Tokens = observer(({ store }: { store: StructuresStore }) => {
  const session = useSession();
  const [isAdding, { open, close }] = useDisclosure();
  const { entry, draft, errors, file } = store;
  if (!draft.is_protected) return entry && entry.access_tokens_count > 0 ? <Present store={store} /> : null;
  const mayCreate = session.may('access_tokens', 'create');
  const hasNone = (entry?.access_tokens_count ?? 0) === 0 && file === null;
  return (
    <Stack>
      {store.report && <Report report={store.report} />}
      {hasNone && (
        <Alert color="brass" title="Nobody can enter yet" role="status">
          A protected structure opens with an access token, and this one has none.
          {entry ? '' : ' Import some below, or add them when it is saved.'}
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
          description="A CSV file with the tokens in its first column."
          placeholder="Choose a CSV file"
          accept=".csv,text/csv,text/plain"
          leftSection={<IconFileTypeCsv size={18} aria-hidden />}
          value={file}
          error={errors.access_tokens_file?.map((text) => <span key={text}>{text} </span>)}
          onChange={(chosen) => store.setFile(chosen)}
        />
      )}
      <NumberInput
        label="Default ticket duration (minutes)"
        description="How long a token lasts from its first use: 5 minutes at least; empty for no time limit."
        allowDecimal={false}
        {...number(store, 'access_token_duration')}
      />
      {isAdding && entry && (
        <Suspense>
          <AddTokens
            endpoint={entry}
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
