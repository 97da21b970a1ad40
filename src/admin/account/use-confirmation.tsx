import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import type { SecondFactor } from '../../contract/entities.ts';
import { showProblem } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { useSubmit } from '../frame/FormDialog.tsx';
import { askPasskey } from './passkey.ts';

type Way = SecondFactor['confirm_by'][number];

/**
 * Asks for the password or a passkey before sensitive changes.
 * @returns `ask`, which resolves to the confirmation or null if canceled, and `dialog`, to render in the screen
 */
export function useConfirmation(ways: readonly Way[]) {
  const { client, user } = useSession();
  const [isOpen, setOpen] = useState(false);
  const [password, setPassword] = useState('');
  const answer = useRef<(confirmation: string | null) => void>(undefined);

  const end = (confirmation: string | null) => {
    setOpen(false);
    setPassword('');
    answer.current?.(confirmation);
  };
  const { errors, isBusy, onSubmit } = useSubmit(async () => {
    const { confirmation } = await client.account.confirm({ body: { current_password: password } });
    end(confirmation);
  }, ['current_password']);
  const withPasskey = async () => {
    try {
      const { options } = await client.passkeys.beginConfirm();
      const { confirmation } = await client.passkeys.confirm({ body: { answer: await askPasskey(options) } });
      end(confirmation);
    } catch (error) {
      showProblem(error);
    }
  };
  const ask = () =>
    new Promise<string | null>((resolve) => {
      answer.current = resolve;
      setOpen(true);
    });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    // The dialog's form is nested in another form in React's tree.
    event.stopPropagation();
    onSubmit(event);
  };

  const dialog = (
    <Modal opened={isOpen} onClose={() => end(null)} title="Confirm it’s you" centered>
      <form onSubmit={submit} noValidate>
        <input type="email" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
        <Stack>
          {ways.includes('password') && (
            <PasswordInput
              label="Your password"
              autoComplete="current-password"
              data-autofocus
              maxLength={1024}
              value={password}
              error={errors.current_password?.[0]}
              onChange={(event) => setPassword(event.currentTarget.value)}
            />
          )}
          {ways.includes('sign_in') && (
            <Text size="sm">You have no password or passkey, so your recent sign-in is enough.</Text>
          )}
          <Group>
            {!(ways.length === 1 && ways[0] === 'passkey') && (
              <Button type="submit" loading={isBusy} disabled={ways.includes('password') && !password}>
                Confirm
              </Button>
            )}
            {ways.includes('passkey') && (
              <Button variant={ways.includes('password') ? 'default' : 'filled'} onClick={() => void withPasskey()}>
                Use a passkey
              </Button>
            )}
            <Button variant="default" onClick={() => end(null)}>
              Cancel
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
  return { ask, dialog };
}
