import { Alert, Checkbox, Stack, Text, TextInput } from '@mantine/core';
import {
  IconAlertTriangle,
  IconKey,
  IconListDetails,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconSend,
} from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { Client } from '../../contract/client.ts';
import {
  MAX_WEBHOOKS,
  WEBHOOK_EVENT_NAMES,
  WEBHOOK_EVENTS,
  type Webhook,
  type WebhookEvent,
} from '../../contract/entities.ts';
import { confirm } from '../../ui/confirmation/confirmation-store.ts';
import { momentText } from '../../ui/moment-text.ts';
import { showProblem } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { switchActions } from '../frame/BulkBar.tsx';
import { FormDialog } from '../frame/FormDialog.tsx';
import { words } from '../frame/fields.ts';
import { ListRow } from '../frame/List.tsx';
import { ListScreen } from '../frame/ListScreen.tsx';
import type { Resource } from '../frame/resource.ts';
import { Tag } from '../frame/text.tsx';
import { ListStore, onePage } from '../stores/list-store.ts';
import { DeliveriesDialog } from './DeliveriesDialog.tsx';
import { SecretDialog } from './SecretDialog.tsx';

const WEBHOOKS: Resource<Webhook> = {
  title: 'Webhooks',
  noun: 'webhook',
  nouns: 'webhooks',
  area: 'settings',
  path: '/admin/webhooks',
  empty: 'No webhooks yet. They notify other programs of events, such as a published space.',
  nameOf: ({ name }) => name,
  removal: {
    title: ({ name }) => `Remove the webhook “${name}”?`,
    text: 'It receives no more messages. This cannot be undone.',
    question: 'They receive no more messages. This cannot be undone.',
  },
};

const createWebhooksStore = (client: Client) =>
  new ListStore<Webhook>({
    list: async () => onePage(await client.webhooks.list()),
    remove: (id) => client.webhooks.remove({ params: { id } }),
    bulk: { client, action: 'webhooks.remove', nouns: 'webhooks' },
  });

const isStopped = ({ is_paused, disabled_at }: Webhook): boolean => is_paused || disabled_at !== null;

/** Bulk pausing and resuming. */
const pauseActions = (client: Client, store: ListStore<Webhook>) =>
  switchActions(client, store, 'webhooks', [
    {
      label: 'Pause',
      icon: <IconPlayerPause size={16} aria-hidden />,
      action: 'webhooks.pause',
      done: 'paused.',
      state: 'paused',
      has: ({ is_paused }) => is_paused,
    },
    {
      label: 'Resume',
      icon: <IconPlayerPlay size={16} aria-hidden />,
      action: 'webhooks.resume',
      done: 'resumed.',
      state: 'active',
      has: (webhook) => !isStopped(webhook),
    },
  ]);

/** State badge of a webhook. */
function State({ webhook: { is_paused, disabled_at, failing_since } }: { webhook: Webhook }) {
  const [label, color] = disabled_at
    ? [`Stopped ${momentText(disabled_at)}`, 'red']
    : is_paused
      ? ['Paused', 'gray']
      : failing_since
        ? [`Failing since ${momentText(failing_since)}`, 'red']
        : ['Active', 'teal'];
  return <Tag color={color}>{label}</Tag>;
}

interface WebhookDraft {
  name: string;
  url: string;
  events: WebhookEvent[];
}

/** Adds or edits a webhook. */
function WebhookDialog({
  webhook,
  onSave,
  onClose,
}: {
  /** Null when adding. */
  webhook: Webhook | null;
  onSave(draft: WebhookDraft): Promise<void>;
  onClose(): void;
}) {
  const initial: WebhookDraft = {
    name: webhook?.name ?? '',
    url: webhook?.url ?? '',
    events: webhook?.events ?? ['space.published'],
  };
  return (
    <FormDialog
      title={webhook ? 'Edit webhook' : 'Add a webhook'}
      size="lg"
      initial={initial}
      action={webhook ? 'Save' : 'Add'}
      onSubmit={onSave}
      onClose={onClose}
    >
      {(form) => (
        <>
          <TextInput label="Name" withAsterisk data-autofocus maxLength={120} {...words(form, 'name')} />
          <TextInput
            label="Address"
            description="Receives each message as a JSON POST and must answer with a status from 200 to 299 within 10 seconds."
            placeholder="https://example.com/hook"
            withAsterisk
            maxLength={2000}
            {...words(form, 'url')}
          />
          <Checkbox.Group
            label="Events"
            withAsterisk
            value={form.draft.events}
            error={form.errors.events?.[0]}
            onChange={(events) => form.set({ events: events as WebhookEvent[] })}
          >
            <Stack gap="xs" mt="xs">
              {WEBHOOK_EVENT_NAMES.map((name) => (
                <Checkbox key={name} value={name} label={WEBHOOK_EVENTS[name]} description={name} />
              ))}
            </Stack>
          </Checkbox.Group>
        </>
      )}
    </FormDialog>
  );
}

/** Webhook subscriptions. */
export const WebhooksScreen = observer(() => {
  const session = useSession();
  const { client } = session;
  const [store] = useState(() => createWebhooksStore(client));
  const [params, setParams] = useSearchParams();
  const [secret, setSecret] = useState<string | null>(null);
  /** The webhook that gets a test event. Not in the URL: reloads and shared links would send it again. */
  const [tested, setTested] = useState<number | null>(null);
  const mayChange = session.may('settings', 'update');
  const open = (dialog: Record<string, string>) => setParams(dialog, { replace: true });
  const close = () => open({});
  const rowOf = (name: string) => store.rows.find(({ id }) => String(id) === params.get(name));
  const [edited, logged] = [rowOf('edit'), rowOf('log')];
  const change = async ({ id, updated_at }: Webhook, fields: Partial<WebhookDraft & { is_paused: boolean }>) => {
    await client.webhooks.update({ params: { id }, body: { ...fields, updated_at } });
    await store.load();
  };
  const add = async (body: WebhookDraft) => {
    const { secret } = await client.webhooks.create({ body });
    await store.load();
    setSecret(secret);
  };
  const rotate = async ({ id, name }: Webhook) => {
    const isSure = await confirm({
      title: `Create a new secret for “${name}”?`,
      text: 'The old secret stops working. The receiver rejects messages until it has the new one.',
      action: 'Create new secret',
    });
    if (!isSure) return;
    const { secret } = await client.webhooks.rotate({ params: { id } });
    await store.load();
    setSecret(secret);
  };
  const stopped = store.rows.filter(({ disabled_at }) => disabled_at !== null);
  return (
    <>
      <ListScreen
        of={WEBHOOKS}
        store={store}
        isShort
        onAdd={store.rows.length < MAX_WEBHOOKS ? () => open({ add: '1' }) : undefined}
        bulkActions={mayChange ? pauseActions(client, store) : []}
        filters={
          stopped.length > 0 && (
            <Alert
              color="red"
              icon={<IconAlertTriangle aria-hidden />}
              title="Some webhooks have been disabled"
              role="alert"
            >
              {stopped.map(({ name }) => name).join(', ')}: deliveries failed for a day. Fix the address, then resume.
            </Alert>
          )
        }
        actions={(webhook) => [
          {
            label: 'Messages',
            icon: <IconListDetails size={18} />,
            onClick: () => {
              setTested(null);
              open({ log: String(webhook.id) });
            },
          },
          mayChange && {
            label: 'Send a test',
            icon: <IconSend size={18} />,
            onClick: () => {
              setTested(webhook.id);
              open({ log: String(webhook.id) });
            },
          },
          mayChange && {
            label: 'Edit',
            icon: <IconPencil size={18} />,
            onClick: () => open({ edit: String(webhook.id) }),
          },
          mayChange && {
            label: isStopped(webhook) ? 'Resume' : 'Pause',
            icon: isStopped(webhook) ? <IconPlayerPlay size={18} /> : <IconPlayerPause size={18} />,
            onClick: () => void change(webhook, { is_paused: !isStopped(webhook) }).catch(showProblem),
          },
          mayChange && {
            label: 'New secret',
            icon: <IconKey size={18} />,
            onClick: () => void rotate(webhook).catch(showProblem),
          },
        ]}
        row={(webhook, check, actions) => (
          <ListRow
            key={webhook.id}
            lead={check}
            name={webhook.name}
            details={
              <>
                <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                  {webhook.url} · {webhook.events.join(', ')}
                </Text>
                <State webhook={webhook} />
              </>
            }
            actions={actions}
          />
        )}
      />
      {params.has('add') && (
        <WebhookDialog
          webhook={null}
          onClose={close}
          onSave={async (draft) => {
            await add(draft);
            close();
          }}
        />
      )}
      {edited && mayChange && (
        <WebhookDialog
          key={edited.id}
          webhook={edited}
          onClose={close}
          onSave={async (draft) => {
            await change(edited, draft);
            close();
          }}
        />
      )}
      {logged && (
        <DeliveriesDialog
          key={logged.id}
          webhook={logged}
          mayChange={mayChange}
          isTest={mayChange && tested === logged.id}
          onClose={close}
        />
      )}
      {secret !== null && <SecretDialog secret={secret} onClose={() => setSecret(null)} />}
    </>
  );
});
