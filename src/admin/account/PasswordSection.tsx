import { Button, Checkbox, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { type ChangeEvent, useState } from 'react';
import { useSession } from '../../ui/session/session-context.ts';
import { Section } from './Section.tsx';
import { useSubmit } from './use-submit.ts';

const EMPTY = { current_password: '', password: '', password_confirmation: '' };
const PASSWORD_FIELDS = Object.keys(EMPTY);

/** Changes the user's password. */
export function PasswordSection({ onChanged }: { onChanged(): void }) {
  const { client, user } = useSession();
  const [body, setBody] = useState(EMPTY);
  const [revokesKeys, setRevokesKeys] = useState(false);
  const { errors, isBusy, onSubmit } = useSubmit(async () => {
    await client.account.changePassword({ body: { ...body, revoke_api_keys: revokesKeys } });
    setBody(EMPTY);
    setRevokesKeys(false);
    onChanged();
  }, PASSWORD_FIELDS);
  const field = (name: keyof typeof EMPTY) => ({
    name,
    required: true,
    maxLength: 1024,
    value: body[name],
    error: errors[name]?.[0],
    onChange: (event: ChangeEvent<HTMLInputElement>) => {
      const { value } = event.currentTarget;
      setBody((before) => ({ ...before, [name]: value }));
    },
  });
  return (
    <Section title="Password">
      <Text size="sm" c="dimmed">
        A new password signs you out everywhere except here.
      </Text>
      <form onSubmit={onSubmit} noValidate>
        {/* Password managers learn from it whose password it is. */}
        <input type="email" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
        <Stack maw={480}>
          <PasswordInput label="Current password" autoComplete="current-password" {...field('current_password')} />
          <PasswordInput
            label="New password"
            description="At least 10 characters."
            autoComplete="new-password"
            {...field('password')}
          />
          <PasswordInput label="Confirm password" autoComplete="new-password" {...field('password_confirmation')} />
          <Checkbox
            label="Also remove my API keys"
            description="Programs that use them need new keys. Do this if someone else may know your password."
            checked={revokesKeys}
            onChange={(event) => setRevokesKeys(event.currentTarget.checked)}
          />
          <Group>
            <Button
              type="submit"
              loading={isBusy}
              disabled={PASSWORD_FIELDS.some((name) => !body[name as keyof typeof EMPTY])}
            >
              Change password
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
