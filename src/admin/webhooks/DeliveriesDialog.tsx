import { Badge, Button, Code, Group, Modal, Stack, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import type { DeliveryState, Webhook, WebhookDelivery } from '../../contract/entities.ts';
import { momentText } from '../../ui/moment-text.ts';
import { showProblem } from '../../ui/notifications.ts';
import { Empty, LoadingRows } from '../frame/states.tsx';
import type { WebhooksStore } from './webhooks-store.ts';

const STATES: Record<DeliveryState, [label: string, color: string]> = {
  waiting: ['Waiting', 'gray'],
  delivered: ['Delivered', 'teal'],
  failed: ['Failed', 'red'],
};

function Delivery({ delivery, onRedeliver }: { delivery: WebhookDelivery; onRedeliver: (() => void) | undefined }) {
  const { event, created_at, state, attempts, next_at, status, answer, payload, message_id } = delivery;
  const [label, color] = STATES[state];
  const facts = [
    momentText(created_at),
    attempts > 0 && `${attempts} ${attempts === 1 ? 'try' : 'tries'}`,
    status !== null && `status ${status}`,
    state === 'waiting' && attempts > 0 && next_at !== null && `next ${momentText(next_at)}`,
  ];
  return (
    <details>
      <summary>
        <Group component="span" display="inline-flex" gap="xs">
          <Badge color={color} variant="light" tt="none">
            {label}
          </Badge>
          <Text span fw={500}>
            {event}
          </Text>
          <Text span size="sm" c="dimmed">
            {facts.filter(Boolean).join(' · ')}
          </Text>
        </Group>
      </summary>
      <Stack gap="xs" p="sm">
        <Text size="sm">Message {message_id}</Text>
        <Code block>{payload}</Code>
        {answer && <Text size="sm">Response</Text>}
        {answer && <Code block>{answer}</Code>}
        {onRedeliver && (
          <Group>
            <Button size="xs" variant="default" onClick={onRedeliver}>
              Send again
            </Button>
          </Group>
        )}
      </Stack>
    </details>
  );
}

/** Deliveries of a webhook with the responses. */
export const DeliveriesDialog = observer(
  ({
    store,
    webhook,
    mayChange,
    onClose,
  }: {
    store: WebhooksStore;
    webhook: Webhook;
    mayChange: boolean;
    onClose(): void;
  }) => {
    const { deliveries } = store;
    const attempt = (work: Promise<void>) => void work.catch(showProblem);
    return (
      <Modal opened onClose={onClose} title={`Messages to ${webhook.name}`} size="xl">
        <Stack>
          <Group justify="space-between">
            <Text size="sm" c="dimmed">
              The last 100 of the past 30 days
            </Text>
            <Group gap="xs">
              {mayChange && (
                <Button size="xs" variant="default" onClick={() => attempt(store.test(webhook.id))}>
                  Send a test
                </Button>
              )}
              <Button
                size="xs"
                variant="default"
                leftSection={<IconRefresh size={14} aria-hidden />}
                onClick={() => attempt(store.openLog(webhook.id))}
              >
                Refresh
              </Button>
            </Group>
          </Group>
          {deliveries === null && <LoadingRows count={4} />}
          {deliveries?.length === 0 && <Empty text="Nothing sent yet." />}
          {deliveries?.map((delivery) => (
            <Delivery
              key={delivery.id}
              delivery={delivery}
              onRedeliver={mayChange ? () => attempt(store.redeliver(delivery.id)) : undefined}
            />
          ))}
        </Stack>
      </Modal>
    );
  },
);
