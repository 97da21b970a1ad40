import { Button, Stack, TextInput } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import type { Client } from '../../contract/client.ts';
import type { TranslationWebhook } from '../../contract/entities.ts';
import { confirm } from '../../ui/confirmation/confirmation-store.ts';
import { sayMessage } from '../../ui/language/say-message.ts';
import { showDone, showProblem, showProblemText } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { words } from '../frame/fields.ts';
import { Quiet } from '../frame/text.tsx';
import { SecretDialog } from '../webhooks/SecretDialog.tsx';
import { createSettingsStore, SettingsForm } from './SettingsForm.tsx';

const createWebhookStore = (client: Client, onSecret: (secret: string) => void) =>
  createSettingsStore<TranslationWebhook, { url: string }>({
    read: () => client.translationWebhook.read(),
    update: async (draft, updated_at) => {
      const url = draft.url.trim() || null;
      const { secret, ...saved } = await client.translationWebhook.update({ body: { url, updated_at } });
      if (secret !== null) onSecret(secret);
      return saved;
    },
    draftOf: (webhook) => ({ url: webhook?.url ?? '' }),
  });

/** The organization's machine translation. */
export const TranslationScreen = observer(() => {
  const session = useSession();
  const { client } = session;
  const [secret, setSecret] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [store] = useState(() => createWebhookStore(client, setSecret));
  const work = async (act: () => Promise<void>) => {
    setBusy(true);
    await act().catch(showProblem);
    setBusy(false);
  };
  const test = () =>
    work(async () => {
      const { works, text } = await client.translationWebhook.test();
      (works ? showDone : showProblemText)(sayMessage(text));
    });
  const rotate = () =>
    work(async () => {
      const isSure = await confirm({
        title: 'Create a new secret?',
        text: 'The old secret stops working. The receiver rejects requests until it has the new one.',
        action: 'Create new secret',
      });
      if (!isSure) return;
      const made = await client.translationWebhook.rotate();
      await store.open(1);
      setSecret(made.secret);
    });
  const isSet = !store.isDirty && Boolean(store.entry?.url);
  return (
    <>
      <SettingsForm
        title="Translation"
        store={store}
        more={
          isSet && (
            <>
              <Button variant="default" loading={isBusy} onClick={() => void test()}>
                Test
              </Button>
              <Button variant="default" disabled={isBusy} onClick={() => void rotate()}>
                New secret
              </Button>
            </>
          )
        }
      >
        <Stack>
          <TextInput
            label="Translation webhook"
            description="Receives texts as a JSON POST and returns their translations. The editor stores them as drafts, which visitors don’t see until someone confirms them."
            placeholder="https://example.com/translate"
            maxLength={2000}
            {...words(store, 'url')}
          />
          <Quiet>Texts are sent only when someone drafts translations. Requests are signed with the secret.</Quiet>
        </Stack>
      </SettingsForm>
      {secret !== null && <SecretDialog secret={secret} onClose={() => setSecret(null)} />}
    </>
  );
});
