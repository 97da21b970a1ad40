import { Checkbox, Code, Group, Select, Text, TextInput } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { API_KEY_ORDERS } from '../../contract/calls/api-keys.ts';
import { type ApiKey, SCOPES, type Scope } from '../../contract/entities.ts';
import { momentText } from '../../ui/moment-text.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { FormDialog } from '../frame/FormDialog.tsx';
import { words } from '../frame/fields.ts';
import { ListScreen } from '../frame/ListScreen.tsx';
import { OnceDialog } from '../frame/OnceDialog.tsx';
import type { Resource } from '../frame/resource.ts';
import { Tag } from '../frame/text.tsx';
import { chosenOrder, ListStore } from '../stores/list-store.ts';
import { noPolicies, PolicyMatrix } from './PolicyMatrix.tsx';

const SCOPE_NAMES: Record<Scope, string> = { write: 'Change drafts', publish: 'Publish', delete: 'Remove' };

const scopesText = (scopes: readonly Scope[]): string =>
  scopes.length === SCOPES.length ? 'Everything' : scopes.map((scope) => SCOPE_NAMES[scope]).join(', ') || 'Only read';

/** Expiry badge of a key. */
function Expiry({ at }: { at: string | null }) {
  const isOver = at !== null && new Date(at) <= new Date();
  return (
    <Tag color={isOver ? 'red' : 'gray'}>
      {at === null ? 'Never expires' : isOver ? `Expired ${momentText(at)}` : `Until ${momentText(at)}`}
    </Tag>
  );
}

const API_KEYS: Resource<ApiKey> = {
  title: 'API keys',
  noun: 'key',
  nouns: 'keys',
  area: 'settings',
  path: '/admin/settings/api-keys',
  addPath: '/admin/settings/api-keys?add=1',
  empty: 'There are no API keys yet. The command line and builds sign in with one.',
  nameOf: ({ name }) => name,
  linkOf: () => undefined,
  usual: '-created',
  columns: [
    { id: 'hint', label: 'Ends in', cell: ({ hint }) => `…${hint}` },
    { id: 'user', label: 'Works for', cell: ({ user }) => user.name },
    { id: 'scopes', label: 'Scopes', cell: ({ scopes }) => scopesText(scopes) },
    { id: 'added', label: 'Added', order: '-created', cell: ({ created_at }) => momentText(created_at) },
    {
      id: 'used',
      label: 'Last used',
      order: '-used',
      cell: ({ last_used_at }) => (last_used_at ? momentText(last_used_at) : 'Never'),
    },
    { id: 'expires', label: 'Expires', order: 'expires', cell: ({ expires_at }) => <Expiry at={expires_at} /> },
  ],
  removal: {
    title: ({ name }) => `Remove the key “${name}”?`,
    text: 'Programs that use it stop working. This cannot be undone.',
    question: 'Programs that use them stop working. This cannot be undone.',
  },
};

/** Lifetimes in days. */
const LIFETIMES = [
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In 1 year' },
  { value: 'never', label: 'Never' },
] as const;
type Lifetime = (typeof LIFETIMES)[number]['value'];

/** Expiry of a key created now; null for never. */
function endOf(lifetime: Lifetime): string | null {
  if (lifetime === 'never') return null;
  const end = new Date();
  end.setDate(end.getDate() + Number(lifetime));
  return end.toISOString();
}

/** Creates a key with name, rights, scopes and lifetime. */
function AddKey({ store, onClose }: { store: ListStore<ApiKey>; onClose(): void }) {
  const { client, user } = useSession();
  const [made, setMade] = useState<string | null>(null);
  const initial = { name: '', policies: noPolicies(), scopes: [...SCOPES], lifetime: '365' as Lifetime };
  const make = async ({ name, policies, scopes, lifetime }: typeof initial) => {
    const { key } = await client.apiKeys.create({ body: { name, policies, scopes, expires_at: endOf(lifetime) } });
    await store.load();
    setMade(key);
  };
  if (made !== null)
    return (
      <OnceDialog title="Add an API key" value={made} closeOnEscape={false} withCloseButton={false} onClose={onClose}>
        <Text>Copy the key now. It is not shown again.</Text>
        <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {made}
        </Code>
      </OnceDialog>
    );
  return (
    <FormDialog title="Add an API key" size="lg" initial={initial} action="Add" onSubmit={make} onClose={onClose}>
      {(form) => (
        <>
          <TextInput
            label="Name"
            withAsterisk
            description="What it is for, such as the command line or a build."
            maxLength={120}
            data-autofocus
            {...words(form, 'name')}
          />
          <PolicyMatrix
            label="Rights"
            policies={form.draft.policies}
            grantable={user?.policies ?? noPolicies()}
            error={form.errors.policies?.[0]}
            onChange={(policies) => form.set({ policies })}
          />
          <Checkbox.Group
            label="Scopes"
            description="Without “Publish”, it can’t change spaces that visitors see as edited: for agents that prepare drafts."
            value={form.draft.scopes}
            onChange={(chosen) => form.set({ scopes: SCOPES.filter((scope) => chosen.includes(scope)) })}
          >
            <Group gap="lg" mt="xs">
              {SCOPES.map((scope) => (
                <Checkbox key={scope} value={scope} label={SCOPE_NAMES[scope]} />
              ))}
            </Group>
          </Checkbox.Group>
          <Select
            label="Expires"
            description={
              form.draft.lifetime === 'never'
                ? 'It works until it is removed, even if it leaks. Only for programs whose key can’t be renewed.'
                : `It works until ${momentText(endOf(form.draft.lifetime)!)}. Create a new one before then.`
            }
            data={LIFETIMES}
            allowDeselect={false}
            value={form.draft.lifetime}
            error={form.errors.expires_at?.[0]}
            onChange={(lifetime) => lifetime && form.set({ lifetime })}
          />
        </>
      )}
    </FormDialog>
  );
}

/** API keys for programs. */
export const ApiKeysScreen = observer(() => {
  const session = useSession();
  const { client } = session;
  const [store] = useState(
    () =>
      new ListStore<ApiKey>({
        list: ({ search, page, filters }) =>
          client.apiKeys.list({ query: { search, page, sort: chosenOrder(API_KEY_ORDERS, filters) } }),
        remove: (id) => client.apiKeys.remove({ params: { id } }),
        bulk: { client, action: 'apiKeys.remove', nouns: 'API keys' },
      }),
  );
  const [params, setParams] = useSearchParams();
  const mayCreate = session.may('settings', 'create');
  return (
    <>
      <ListScreen of={API_KEYS} store={store} />
      {mayCreate && params.has('add') && <AddKey store={store} onClose={() => setParams({}, { replace: true })} />}
    </>
  );
});
