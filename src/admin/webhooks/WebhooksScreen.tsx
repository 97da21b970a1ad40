import { Alert, Badge, Button, Stack, Text } from '@mantine/core';
import {
  IconAlertTriangle,
  IconKey,
  IconListDetails,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { MOST_WEBHOOKS, type Webhook } from '../../contract/entities.ts';
import { confirm } from '../../ui/confirmation/confirmation-store.ts';
import { momentText } from '../../ui/moment-text.ts';
import { showProblem } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { type BulkAction, BulkBar } from '../frame/BulkBar.tsx';
import { confirmRemoval } from '../frame/confirm-removal.ts';
import { List, ListRow, type RowActionItem, RowActions } from '../frame/List.tsx';
import { Screen } from '../frame/Screen.tsx';
import { RowCheck, Selection } from '../frame/SelectionBar.tsx';
import { Empty, Failed, LoadingRows } from '../frame/states.tsx';
import { hasFailed } from '../stores/list-store.ts';
import { DeliveriesDialog } from './DeliveriesDialog.tsx';
import { SecretDialog } from './SecretDialog.tsx';
import { WebhookDialog } from './WebhookDialog.tsx';
import { WebhooksStore } from './webhooks-store.ts';

/** State badge of a webhook. */
function State({ webhook: { is_paused, disabled_at, failing_since } }: { webhook: Webhook }) {
  const [label, color] = disabled_at
    ? [`Stopped ${momentText(disabled_at)}`, 'red']
    : is_paused
      ? ['Paused', 'gray']
      : failing_since
        ? [`Failing since ${momentText(failing_since)}`, 'orange']
        : ['Active', 'teal'];
  return (
    <Badge color={color} variant="light" tt="none">
      {label}
    </Badge>
  );
}

/** Bulk removal. */
const removal = (store: WebhooksStore): BulkAction => ({
  label: 'Remove',
  icon: <IconTrash size={16} aria-hidden />,
  destroys: true,
  question: 'They receive no more messages. This cannot be undone.',
  run: (ids, onProgress) => store.removeMany(ids, onProgress),
});

/** Webhook subscriptions. */
export const WebhooksScreen = observer(() => {
  const session = useSession();
  const [store] = useState(() => new WebhooksStore(session.client));
  const [selection] = useState(() => new Selection());
  const [params, setParams] = useSearchParams();
  const [secret, setSecret] = useState<string | null>(null);
  const allowed = session.may('settings', 'view_any');
  const mayChange = session.may('settings', 'update');
  useEffect(() => {
    if (allowed) void store.load();
  }, [store, allowed]);
  const close = () => setParams({}, { replace: true });
  const edited = store.rows.find(({ id }) => String(id) === params.get('edit'));
  const logged = store.rows.find(({ id }) => String(id) === params.get('log'));
  const loggedId = logged?.id;
  useEffect(() => {
    if (loggedId !== undefined) store.openLog(loggedId).catch(showProblem);
  }, [store, loggedId]);
  const attempt = (work: Promise<void>) => void work.catch(showProblem);
  const rotate = async (webhook: Webhook) => {
    const isSure = await confirm({
      title: `Create a new secret for “${webhook.name}”?`,
      text: 'The old secret stops working. The receiver rejects messages until it has the new one.',
      action: 'Create new secret',
    });
    if (!isSure) return;
    try {
      setSecret(await store.rotate(webhook.id));
    } catch (error) {
      showProblem(error);
    }
  };
  const remove = async ({ id, name }: Webhook) => {
    await confirmRemoval(
      { title: `Remove the webhook “${name}”?`, text: 'It receives no more messages. This cannot be undone.' },
      () => store.remove(id),
    );
  };
  const pauseAction = (webhook: Webhook): RowActionItem => {
    const isStopped = webhook.is_paused || webhook.disabled_at !== null;
    return {
      label: isStopped ? 'Resume' : 'Pause',
      icon: isStopped ? <IconPlayerPlay size={18} /> : <IconPlayerPause size={18} />,
      onClick: () => attempt(store.change(webhook, { is_paused: !isStopped })),
    };
  };
  const mayRemove = session.may('settings', 'delete');
  const pauses: BulkAction[] = [
    {
      label: 'Pause',
      icon: <IconPlayerPause size={16} aria-hidden />,
      run: (ids, onProgress) => store.setPaused(ids, true, onProgress),
    },
    {
      label: 'Resume',
      icon: <IconPlayerPlay size={16} aria-hidden />,
      run: (ids, onProgress) => store.setPaused(ids, false, onProgress),
    },
  ];
  const bulk = (mayChange || mayRemove) && {
    nameOf: ({ name }: Webhook) => name,
    actions: [...(mayChange ? pauses : []), ...(mayRemove ? [removal(store)] : [])],
  };
  const stopped = store.rows.filter(({ disabled_at }) => disabled_at !== null);
  const mayAdd = session.may('settings', 'create');
  const add = () => setParams({ add: '1' }, { replace: true });
  return (
    <Screen
      title="Webhooks"
      allowed={allowed}
      action={
        mayAdd &&
        store.rows.length < MOST_WEBHOOKS && (
          <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={add}>
            Add new
          </Button>
        )
      }
    >
      {stopped.length > 0 && (
        <Alert
          color="red"
          icon={<IconAlertTriangle aria-hidden />}
          title="Some webhooks have been disabled"
          role="alert"
        >
          {stopped.map(({ name }) => name).join(', ')}: deliveries failed for a day. Fix the address, then resume.
        </Alert>
      )}
      {store.listState === 'loading' && <LoadingRows />}
      {hasFailed(store.listState) && (
        <Failed what="The webhooks could not be loaded" onRetry={() => void store.load()} />
      )}
      {store.listState === 'ready' && store.rows.length === 0 && (
        <Empty text="No webhooks yet. They notify other programs of events, such as a published space.">
          {mayAdd && (
            <Button variant="light" onClick={add}>
              Add new
            </Button>
          )}
        </Empty>
      )}
      {store.listState === 'ready' && store.rows.length > 0 && (
        <Stack>
          {bulk && <BulkBar store={store} selection={selection} things="webhooks" bulk={bulk} />}
          <List label="Webhooks">
            {store.rows.map((webhook) => (
              <ListRow
                key={webhook.id}
                lead={bulk && <RowCheck selection={selection} id={webhook.id} name={webhook.name} />}
                name={webhook.name}
                details={
                  <>
                    <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                      {webhook.url} · {webhook.events.join(', ')}
                    </Text>
                    <State webhook={webhook} />
                  </>
                }
                actions={
                  <RowActions
                    name={webhook.name}
                    items={[
                      {
                        label: 'Messages',
                        icon: <IconListDetails size={18} />,
                        onClick: () => setParams({ log: String(webhook.id) }, { replace: true }),
                      },
                      mayChange && {
                        label: 'Edit',
                        icon: <IconPencil size={18} />,
                        onClick: () => setParams({ edit: String(webhook.id) }, { replace: true }),
                      },
                      mayChange && pauseAction(webhook),
                      mayChange && {
                        label: 'New secret',
                        icon: <IconKey size={18} />,
                        onClick: () => void rotate(webhook),
                      },
                      mayRemove && {
                        label: 'Remove',
                        icon: <IconTrash size={18} />,
                        destroys: true,
                        onClick: () => void remove(webhook),
                      },
                    ]}
                  />
                }
              />
            ))}
          </List>
        </Stack>
      )}
      {params.has('add') && (
        <WebhookDialog
          webhook={null}
          onClose={close}
          onSave={async (draft) => {
            setSecret(await store.add(draft));
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
            await store.change(edited, draft);
            close();
          }}
        />
      )}
      {logged && (
        <DeliveriesDialog
          store={store}
          webhook={logged}
          mayChange={mayChange}
          onClose={() => {
            store.closeLog();
            close();
          }}
        />
      )}
      {secret !== null && <SecretDialog secret={secret} onClose={() => setSecret(null)} />}
    </Screen>
  );
});
