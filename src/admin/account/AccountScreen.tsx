import { useEffect, useState } from 'react';
import { useSession } from '../../ui/session/session-context.ts';
import { Screen } from '../frame/Screen.tsx';
import { AppearanceSection } from './AppearanceSection.tsx';
import { EmailSection } from './EmailSection.tsx';
import { PasskeysSection } from './PasskeysSection.tsx';
import { PasswordSection } from './PasswordSection.tsx';
import { ProfileSection } from './ProfileSection.tsx';
import { SecondFactorSection } from './SecondFactorSection.tsx';
import { SessionsSection } from './SessionsSection.tsx';
import { SessionsStore } from './sessions-store.ts';
import { useSecondFactor } from './use-second-factor.ts';

/** One's own name, address, password, sessions and colors. */
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
