import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../../contract/errors.ts';
import { useSession } from '../../../ui/session/session-context.ts';
import { countText } from '../../stores/count-text.ts';

/** Erases a current or former user, or a token holder, by email address. */
export function ErasePerson({ onClose }: { onClose(): void }) {
  const { client } = useSession();
  const [email, setEmail] = useState('');
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [done, setDone] = useState<{ entries: number; tokens: number; messages: number } | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem('');
    try {
      setDone(await client.privacy.eraseUser({ body: { email } }));
    } catch (error) {
      setProblem(error instanceof ApiError ? Object.values(error.msg).flat().join(' ') : String(error));
    }
    setBusy(false);
  };
  return (
    <Modal opened onClose={onClose} title="Erase a person">
      {done ? (
        <Stack>
          <Text>
            {email.trim()} has been erased: from {countText(done.entries, 'entries')} of the history and the audit log
            and from {countText(done.tokens, 'access tokens')}; {countText(done.messages, 'messages')} to them deleted
            from this server.
          </Text>
          <Text size="sm" c="dimmed">
            Earlier backups still contain their data until you delete them.
          </Text>
          <Group justify="flex-end">
            <Button onClick={onClose}>Done</Button>
          </Group>
        </Stack>
      ) : (
        <form onSubmit={(event) => void submit(event)} noValidate>
          <Stack>
            <Text>
              Deletes their account, sessions and API keys, and removes their name and address from the history, the
              audit log, imports and access tokens. Their work stays, and access tokens stay valid. This cannot be
              undone.
            </Text>
            <TextInput
              label="E-mail of the user or token holder"
              type="email"
              withAsterisk
              maxLength={254}
              data-autofocus
              value={email}
              onChange={(event) => setEmail(event.currentTarget.value)}
            />
            {problem && (
              <Alert color="red" role="alert">
                {problem}
              </Alert>
            )}
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <Button type="submit" color="red" loading={isBusy} disabled={email.trim() === ''}>
                Erase
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Modal>
  );
}
