import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import type { SecondFactor } from '../../contract/entities.ts';
import { showProblem } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { askPasskey } from './passkey.ts';
import { useSubmit } from './use-submit.ts';

type Way = SecondFactor['confirm_by'][number];

/**
 * Asks for the password, or a passkey, before something that a session alone must not change.
 * @returns `ask` gives what goes with the change, null when it was given up; `dialog` must stand in the screen
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
    // A form in a dialog that stands in another form.
    event.stopPropagation();
    onSubmit(event);
  };

  const dialog = (
    <Modal opened={isOpen} onClose={() => end(null)} title="Confirm that it is you" centered>
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
            <Text size="sm">You have neither a password nor a passkey: it counts that you have just signed in.</Text>
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
