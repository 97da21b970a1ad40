import { Button, Group, Select } from '@mantine/core';
import { IconFileImport, IconSettings, IconStack2, IconTrash } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { type AccessToken, TOKEN_STATES } from '../../contract/entities.ts';
import { EntrySelect } from '../../ui/EntrySelect.tsx';
import { momentText } from '../../ui/moment-text.ts';
import { useSession } from '../../ui/session/session-context.ts';
import type { BulkAction } from '../frame/BulkBar.tsx';
import type { Column } from '../frame/columns.ts';
import { confirmRemoval } from '../frame/confirm-removal.ts';
import { RowActions } from '../frame/List.tsx';
import { ListScreen } from '../frame/ListScreen.tsx';
import { useAddressFilter } from '../frame/use-address-filter.ts';
import classes from './access-tokens.module.css';
import { AccessTokensStore, findEndpoints } from './access-tokens-store.ts';
import { BulkDialog } from './BulkDialog.tsx';
import { ImportDialog } from './ImportDialog.tsx';

/** State badge of a token. */
function tokenState({ valid_from, valid_till, first_used_at }: AccessToken, now: Date) {
  if (valid_till !== null && new Date(valid_till) <= now) return { label: 'Expired', color: 'gray' } as const;
  if (valid_from !== null && new Date(valid_from) > now) return { label: 'Not yet valid', color: 'gray' } as const;
  return first_used_at === null
    ? ({ label: 'Unused', color: 'brass' } as const)
    : ({ label: 'Running', color: 'teal' } as const);
}

const STATE_NAMES = { unused: 'Unused', running: 'Running', expired: 'Expired' };

/** List filters, kept in the URL. */
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
      <Select
        aria-label="State"
        placeholder="All states"
        clearable
        data={TOKEN_STATES.map((value) => ({ value, label: STATE_NAMES[value] }))}
        value={params.get('state')}
        onChange={(value) => set('state', value)}
      />
    </Group>
  );
});

/** Removes tokens in one call. @param remove returns messages for tokens that were not removed */
const removesTokens = (remove: BulkAction['run']): BulkAction => ({
  label: 'Remove',
  icon: <IconTrash size={16} aria-hidden />,
  destroys: true,
  question: 'Visitors using these tokens are signed out. The tokens stay in the bin for 30 days.',
  run: remove,
});

const COLUMNS: readonly Column<AccessToken>[] = [
  { id: 'structure', label: 'Structure', cell: ({ endpoint }) => endpoint.name },
  { id: 'holder', label: 'Holder', cell: ({ holder_name }) => holder_name },
  { id: 'email', label: 'E-mail', cell: ({ holder_email }) => holder_email },
  {
    id: 'added',
    label: 'Added',
    order: { name: 'created', begins: 'descending' },
    cell: ({ created_at }) => momentText(created_at),
  },
  {
    id: 'used',
    label: 'First used',
    order: { name: 'used', begins: 'descending' },
    cell: ({ first_used_at }) => first_used_at && momentText(first_used_at),
  },
  {
    id: 'till',
    label: 'Valid until',
    order: { name: 'valid_till', begins: 'ascending' },
    cell: ({ valid_till }) => valid_till && momentText(valid_till),
  },
  {
    id: 'state',
    label: 'State',
    cell: (token) => {
      const { label, color } = tokenState(token, new Date());
      return (
        <span className={classes.state} data-state={color}>
          {label}
        </span>
      );
    },
  },
];

/** Access tokens: the latest 100, older ones on further pages. */
export const AccessTokensScreen = observer(() => {
  const session = useSession();
  const [store] = useState(() => new AccessTokensStore(session.client));
  const [params] = useAddressFilter();
  const remove = async ({ id }: AccessToken) => {
    await confirmRemoval(
      {
        title: 'Are you sure you want to remove this token?',
        text: 'The token will be removed. This cannot be undone.',
      },
      () => store.remove(id),
    );
  };
  const [dialog, setDialog] = useState<'bulk' | 'import' | null>(null);
  const mayCreate = session.may('access_tokens', 'create');
  return (
    <>
      <ListScreen
        title="Access tokens"
        things="tokens"
        store={store}
        allowed={session.may('access_tokens', 'view_any')}
        add={mayCreate ? '/admin/access-tokens/add' : undefined}
        empty="There are no access tokens yet. An access token opens a protected structure."
        filterNames={['endpoint', 'state']}
        filters={
          <Group justify="space-between">
            <Filters store={store} />
            {mayCreate && (
              <Group gap="xs">
                <Button
                  variant="default"
                  leftSection={<IconStack2 size={18} aria-hidden />}
                  onClick={() => setDialog('bulk')}
                >
                  Add many
                </Button>
                {session.may('endpoints', 'view_any') && (
                  <Button
                    variant="default"
                    leftSection={<IconFileImport size={18} aria-hidden />}
                    onClick={() => setDialog('import')}
                  >
                    Import
                  </Button>
                )}
              </Group>
            )}
          </Group>
        }
        bulk={
          session.may('access_tokens', 'delete')
            ? { nameOf: ({ token }) => token, actions: [removesTokens((ids) => store.removeMany(ids))] }
            : undefined
        }
        table={{
          columns: COLUMNS,
          heading: 'Token',
          // Only tokens of a single structure can be sorted.
          ...(params.has('endpoint') && { order: { name: 'token', begins: 'ascending' } }),
          usual: '-created',
          entry: (token, check) => {
            const { id, token: name, policies } = token;
            const to = policies.update ? `/admin/access-tokens/${id}` : undefined;
            return {
              lead: check,
              name,
              to,
              actions: (
                <RowActions
                  name={name}
                  items={[
                    to !== undefined && { label: 'Settings', icon: <IconSettings size={18} />, to },
                    policies.delete && {
                      label: 'Remove',
                      icon: <IconTrash size={18} />,
                      destroys: true,
                      onClick: () => void remove(token),
                    },
                  ]}
                />
              ),
            };
          },
        }}
      />
      {dialog === 'bulk' && (
        <BulkDialog createMany={(body) => store.createMany(body)} onClose={() => setDialog(null)} />
      )}
      {dialog === 'import' && <ImportDialog store={store} onClose={() => setDialog(null)} />}
    </>
  );
});
