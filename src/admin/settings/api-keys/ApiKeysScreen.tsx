import { Badge, Button, Code, CopyButton, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconCheck, IconCopy, IconTrash } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { type FormEvent, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { ApiKey } from '../../../contract/entities.ts';
import { ApiError, type Messages } from '../../../contract/errors.ts';
import { momentText } from '../../../ui/moment-text.ts';
import { showProblem } from '../../../ui/notifications.ts';
import { useSession } from '../../../ui/session/session-context.ts';
import { tellUnshown } from '../../../ui/tell-unshown.ts';
import type { Column } from '../../frame/columns.ts';
import { confirmRemoval } from '../../frame/confirm-removal.ts';
import { RowActions } from '../../frame/List.tsx';
import { ListScreen } from '../../frame/ListScreen.tsx';
import { PolicyMatrix } from '../PolicyMatrix.tsx';
import { noPolicies } from '../users/users-store.ts';
import { ApiKeysStore } from './api-keys-store.ts';

/** The key, shown once. */
function MadeKey({ value, onClose }: { value: string; onClose(): void }) {
  return (
    <Stack>
      <Text>Copy the key now. It is not shown again.</Text>
      <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
        {value}
      </Code>
      <Group justify="flex-end">
        <CopyButton value={value}>
          {({ copied, copy }) => (
            <Button
              variant="default"
              onClick={copy}
              leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
            >
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  );
}

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

/** Creates a key with name, rights and lifetime. */
function AddKey({ store, onClose }: { store: ApiKeysStore; onClose(): void }) {
  const session = useSession();
  const [name, setName] = useState('');
  const [policies, setPolicies] = useState(noPolicies);
  const [lifetime, setLifetime] = useState<Lifetime>('365');
  const [errors, setErrors] = useState<Messages>({});
  const [made, setMade] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setErrors({});
    try {
      setMade(await store.make({ name, policies, expires_at: endOf(lifetime) }));
    } catch (error) {
      if (error instanceof ApiError && error.code === 'invalid') {
        setErrors(error.msg);
        void tellUnshown(error.msg);
      } else showProblem(error);
    }
    setBusy(false);
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title="Add an API key"
      size="lg"
      closeOnClickOutside={made === null}
      closeOnEscape={made === null}
      withCloseButton={made === null}
    >
      {made !== null ? (
        <MadeKey value={made} onClose={onClose} />
      ) : (
        <form onSubmit={(event) => void submit(event)} noValidate>
          <Stack>
            <TextInput
              label="Name"
              withAsterisk
              description="What it is for, such as the command line or a build."
              maxLength={120}
              data-autofocus
              value={name}
              error={errors.name?.[0]}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <PolicyMatrix
              label="Scope"
              policies={policies}
              grantable={session.user?.policies ?? noPolicies()}
              error={errors.policies?.[0]}
              onChange={setPolicies}
            />
            <Select
              label="Expires"
              description={
                lifetime === 'never'
                  ? 'It works until it is removed, even if it leaks. Only for programs whose key can’t be renewed.'
                  : `It works until ${momentText(endOf(lifetime)!)}. Create a new one before then.`
              }
              data={LIFETIMES}
              allowDeselect={false}
              value={lifetime}
              error={errors.expires_at?.[0]}
              onChange={(value) => value && setLifetime(value)}
            />
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <Button type="submit" loading={isBusy}>
                Add
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Modal>
  );
}

/** Expiry badge of a key. */
function Expiry({ at }: { at: string | null }) {
  const isOver = at !== null && new Date(at) <= new Date();
  return (
    <Badge variant="light" color={isOver ? 'red' : 'gray'} tt="none">
      {at === null ? 'Never expires' : isOver ? `Expired ${momentText(at)}` : `Until ${momentText(at)}`}
    </Badge>
  );
}

const COLUMNS: readonly Column<ApiKey>[] = [
  { id: 'hint', label: 'Ends in', cell: ({ hint }) => `…${hint}` },
  { id: 'user', label: 'Works for', cell: ({ user }) => user.name },
  {
    id: 'added',
    label: 'Added',
    order: { name: 'created', begins: 'descending' },
    cell: ({ created_at }) => momentText(created_at),
  },
  {
    id: 'used',
    label: 'Last used',
    order: { name: 'used', begins: 'descending' },
    cell: ({ last_used_at }) => (last_used_at ? momentText(last_used_at) : 'Never'),
  },
  {
    id: 'expires',
    label: 'Expires',
    order: { name: 'expires', begins: 'ascending' },
    cell: ({ expires_at }) => <Expiry at={expires_at} />,
  },
];

/** API keys for programs. */
export const ApiKeysScreen = observer(() => {
  const session = useSession();
  const [store] = useState(() => new ApiKeysStore(session.client));
  const [params, setParams] = useSearchParams();
  const mayCreate = session.may('settings', 'create');
  const remove = async ({ id, name }: ApiKey) => {
    await confirmRemoval(
      {
        title: `Remove the key “${name}”?`,
        text: 'Programs that use it stop working. This cannot be undone.',
      },
      () => store.remove(id),
    );
  };
  return (
    <>
      <ListScreen
        title="API keys"
        things="keys"
        store={store}
        allowed={session.may('settings', 'view_any')}
        add={mayCreate ? '/admin/settings/api-keys?add=1' : undefined}
        empty="There are no API keys yet. The command line and builds sign in with one."
        bulk={
          session.may('settings', 'delete')
            ? {
                nameOf: ({ name }) => name,
                actions: [
                  {
                    label: 'Remove',
                    icon: <IconTrash size={16} aria-hidden />,
                    destroys: true,
                    question: 'Programs that use them stop working. This cannot be undone.',
                    run: (ids, onProgress) => store.removeMany(ids, onProgress),
                  },
                ],
              }
            : undefined
        }
        table={{
          order: { name: 'name', begins: 'ascending' },
          usual: '-created',
          columns: COLUMNS,
          entry: (key, check) => ({
            lead: check,
            name: key.name,
            actions: (
              <RowActions
                name={key.name}
                items={[
                  session.may('settings', 'delete') && {
                    label: 'Remove',
                    icon: <IconTrash size={18} />,
                    destroys: true,
                    onClick: () => void remove(key),
                  },
                ]}
              />
            ),
          }),
        }}
      />
      {mayCreate && params.has('add') && <AddKey store={store} onClose={() => setParams({}, { replace: true })} />}
    </>
  );
});
