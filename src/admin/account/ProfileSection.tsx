import { Button, Group, Stack, TextInput } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { useSession } from '../../ui/session/session-context.ts';
import { useLeaveGuard } from '../frame/use-leave-guard.ts';
import { Section } from './Section.tsx';
import { useSubmit } from './use-submit.ts';

/** One's own name. */
export const ProfileSection = observer(() => {
  const session = useSession();
  const stored = session.user?.name ?? '';
  const [name, setName] = useState(stored);
  useLeaveGuard(name !== stored);
  const { errors, isBusy, onSubmit } = useSubmit(async () => setName(await session.rename(name)), ['name']);
  return (
    <Section title="Profile">
      <form onSubmit={onSubmit} noValidate>
        <Stack maw={480}>
          <TextInput
            label="Name"
            withAsterisk
            autoComplete="name"
            maxLength={120}
            value={name}
            error={errors.name?.[0]}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Group>
            <Button type="submit" loading={isBusy} disabled={name === stored}>
              Save name
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
});
