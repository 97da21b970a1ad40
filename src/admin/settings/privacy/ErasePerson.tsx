import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../../contract/errors.ts';
import { useSession } from '../../../ui/session/session-context.ts';

/** Asks for the address of a person who is a user or was one, and erases them. */
export function ErasePerson({ onClose }: { onClose(): void }) {
  const { client } = useSession();
  const [email, setEmail] = useState('');
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [done, setDone] = useState<{ entries: number; messages: number } | null>(null);
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
            {email.trim()} is named nowhere any more. {done.entries} entries of the history and the audit log were
            cleaned, and {done.messages} messages to them removed from this server.
          </Text>
          <Text size="sm" c="dimmed">
            Backups that were made before still hold them until you remove those.
          </Text>
          <Group justify="flex-end">
            <Button onClick={onClose}>Done</Button>
          </Group>
        </Stack>
      ) : (
        <form onSubmit={(event) => void submit(event)} noValidate>
          <Stack>
            <Text>
              Their account, sessions and API keys go, and their name and address are taken out of the history, the
              audit log and imports. What they built stays. This cannot be undone.
            </Text>
            <TextInput
              label="E-mail of the user, or of one who was removed"
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
