import { Button, Code, Group, Modal, Stack, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { DeliveryState, Webhook, WebhookDelivery } from '../../contract/entities.ts';
import { sayMessage } from '../../ui/language/say-message.ts';
import { momentText } from '../../ui/moment-text.ts';
import { showProblem } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { Empty, LoadingRows } from '../frame/Screen.tsx';
import { Quiet, Tag } from '../frame/text.tsx';

const STATES: Record<DeliveryState, [label: string, color: string]> = {
  waiting: ['Waiting', 'gray'],
  delivered: ['Delivered', 'teal'],
  failed: ['Failed', 'red'],
};

/** How often and how long the response to a test is awaited, in milliseconds. */
const AWAITED = { every: 500, times: 30 };

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

function Delivery({
  delivery,
  isOpen,
  onRedeliver,
}: {
  delivery: WebhookDelivery;
  isOpen: boolean;
  onRedeliver: (() => void) | undefined;
}) {
  const { event, created_at, state, attempts, next_at, status, answer, payload, message_id } = delivery;
  const [label, color] = STATES[state];
  const facts = [
    momentText(created_at),
    attempts > 0 && `${attempts} ${attempts === 1 ? 'try' : 'tries'}`,
    status !== null && `status ${status}`,
    state === 'waiting' && attempts > 0 && next_at !== null && `next ${momentText(next_at)}`,
  ];
  return (
    <details open={isOpen || undefined}>
      <summary>
        <Group component="span" display="inline-flex" gap="xs">
          <Tag color={color}>{label}</Tag>
          <Text span fw={500}>
            {event}
          </Text>
          <Quiet span>{facts.filter(Boolean).join(' · ')}</Quiet>
        </Group>
      </summary>
      <Stack gap="xs" p="sm">
        <Text size="sm">Message {message_id}</Text>
        <Code block>{payload}</Code>
        {answer && <Text size="sm">Response</Text>}
        {answer && <Code block>{status === null ? sayMessage(answer) : answer}</Code>}
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
export function DeliveriesDialog({
  webhook: { id, name },
  mayChange,
  isTest = false,
  onClose,
}: {
  webhook: Webhook;
  mayChange: boolean;
  /** Whether to send a test event at once. */
  isTest?: boolean;
  onClose(): void;
}) {
  const { webhooks } = useSession().client;
  const [deliveries, setDeliveries] = useState<WebhookDelivery[] | null>(null);
  /** The delivery whose response is shown as soon as it arrives. */
  const [awaited, setAwaited] = useState<number | null>(null);
  const isGone = useRef(false);
  const load = useCallback(async () => {
    const { data } = await webhooks.deliveries({ params: { id }, query: { per_page: 100 } });
    setDeliveries(data);
    return data;
  }, [webhooks, id]);
  const send = useCallback(
    async (sent: Promise<WebhookDelivery>) => {
      const delivery = await sent;
      setAwaited(delivery.id);
      for (let turn = 0; turn < AWAITED.times && !isGone.current; turn++) {
        const now = (await load()).find((row) => row.id === delivery.id);
        if (now?.state !== 'waiting' || now.attempts > delivery.attempts) return;
        await pause(AWAITED.every);
      }
    },
    [load],
  );
  const attempt = useCallback((sent: Promise<WebhookDelivery>) => void send(sent).catch(showProblem), [send]);
  useEffect(() => {
    isGone.current = false;
    if (isTest) attempt(webhooks.test({ params: { id } }));
    else load().catch(showProblem);
    return () => {
      isGone.current = true;
    };
  }, [load, attempt, webhooks, id, isTest]);
  return (
    <Modal opened onClose={onClose} title={`Messages to ${name}`} size="xl">
      <Stack>
        <Group justify="space-between">
          <Quiet>The last 100 of the past 30 days</Quiet>
          <Group gap="xs">
            {mayChange && (
              <Button size="xs" variant="default" onClick={() => attempt(webhooks.test({ params: { id } }))}>
                Send a test
              </Button>
            )}
            <Button
              size="xs"
              variant="default"
              leftSection={<IconRefresh size={14} aria-hidden />}
              onClick={() => void load().catch(showProblem)}
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
            isOpen={delivery.id === awaited && delivery.attempts > 0}
            onRedeliver={mayChange ? () => attempt(webhooks.redeliver({ params: { id: delivery.id } })) : undefined}
          />
        ))}
      </Stack>
    </Modal>
  );
}
