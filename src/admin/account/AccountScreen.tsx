import { Button, Group, Stack, TextInput } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { useSession } from '../../ui/session/session-context.ts';
import { Screen } from '../frame/Screen.tsx';
import { useLeaveGuard } from '../frame/use-leave-guard.ts';
import { AppearanceSection } from './AppearanceSection.tsx';
import { EmailSection } from './EmailSection.tsx';
import { PasskeysSection } from './PasskeysSection.tsx';
import { PasswordSection } from './PasswordSection.tsx';
import { SecondFactorSection } from './SecondFactorSection.tsx';
import { Section } from './Section.tsx';
import { SessionsSection } from './SessionsSection.tsx';
import { SessionsStore } from './sessions-store.ts';
import { useSecondFactor } from './use-second-factor.ts';
import { useSubmit } from './use-submit.ts';

/** Edits the user's own name. */
const ProfileSection = observer(() => {
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

/** The user's profile, sign-in address, password, sessions and appearance. */
export function AccountScreen() {
  const { client } = useSession();
  const [sessions] = useState(() => new SessionsStore(client));
  const { factor, load: loadFactor } = useSecondFactor();
  useEffect(() => void sessions.load(), [sessions]);
  return (
    <Screen title="Your account" narrow>
      <ProfileSection />
      <EmailSection ways={factor?.confirm_by ?? []} />
      <PasswordSection onChanged={() => void sessions.load()} />
      <SecondFactorSection factor={factor} onChanged={() => void loadFactor()} />
      <PasskeysSection ways={factor?.confirm_by ?? []} onChanged={() => void loadFactor()} />
      <SessionsSection store={sessions} />
      <AppearanceSection />
    </Screen>
  );
}
