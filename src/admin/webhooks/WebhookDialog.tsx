import { Button, Checkbox, Group, Modal, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { WEBHOOK_EVENT_NAMES, WEBHOOK_EVENTS, type Webhook, type WebhookEvent } from '../../contract/entities.ts';
import { ApiError, type Messages } from '../../contract/errors.ts';
import { showProblem } from '../../ui/notifications.ts';
import { tellUnshown } from '../../ui/tell-unshown.ts';
import type { WebhookDraft } from './webhooks-store.ts';

/** Adds or edits a webhook. */
export function WebhookDialog({
  webhook,
  onSave,
  onClose,
}: {
  /** Null when adding. */
  webhook: Webhook | null;
  onSave(draft: WebhookDraft): Promise<void>;
  onClose(): void;
}) {
  const [draft, setDraft] = useState<WebhookDraft>({
    name: webhook?.name ?? '',
    url: webhook?.url ?? '',
    events: webhook?.events ?? ['space.published'],
  });
  const [errors, setErrors] = useState<Messages>({});
  const [isBusy, setBusy] = useState(false);
  const set = (changes: Partial<WebhookDraft>) => setDraft((before) => ({ ...before, ...changes }));
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setErrors({});
    try {
      await onSave(draft);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'invalid') {
        setErrors(error.msg);
        void tellUnshown(error.msg);
      } else showProblem(error);
    }
    setBusy(false);
  };
  return (
    <Modal opened onClose={onClose} title={webhook ? 'Edit webhook' : 'Add a webhook'} size="lg">
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack>
          <TextInput
            label="Name"
            name="name"
            withAsterisk
            data-autofocus
            maxLength={120}
            value={draft.name}
            error={errors.name?.[0]}
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
          <TextInput
            label="Address"
            name="url"
            description="Receives each message as a JSON POST and must answer with a status from 200 to 299 within 10 seconds."
            placeholder="https://example.com/hook"
            withAsterisk
            maxLength={2000}
            value={draft.url}
            error={errors.url?.[0]}
            onChange={(event) => set({ url: event.currentTarget.value })}
          />
          <Checkbox.Group
            label="Events"
            withAsterisk
            value={draft.events}
            error={errors.events?.[0]}
            onChange={(events) => set({ events: events as WebhookEvent[] })}
          >
            <Stack gap="xs" mt="xs">
              {WEBHOOK_EVENT_NAMES.map((name) => (
                <Checkbox key={name} value={name} label={WEBHOOK_EVENTS[name]} description={name} />
              ))}
            </Stack>
          </Checkbox.Group>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isBusy}>
              {webhook ? 'Save' : 'Add'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
