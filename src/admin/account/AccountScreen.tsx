import { useEffect, useState } from 'react';
import { useSession } from '../../ui/session/session-context.ts';
import { Screen } from '../frame/Screen.tsx';
import { PasswordSection } from './PasswordSection.tsx';
import { ProfileSection } from './ProfileSection.tsx';
import { SessionsSection } from './SessionsSection.tsx';
import { SessionsStore } from './sessions-store.ts';

/** One's own name, password and sessions. */
export function AccountScreen() {
  const { client } = useSession();
  const [sessions] = useState(() => new SessionsStore(client));
  useEffect(() => void sessions.load(), [sessions]);
  return (
    <Screen title="Your account" narrow>
      <ProfileSection />
      <PasswordSection onChanged={() => void sessions.load()} />
      <SessionsSection store={sessions} />
    </Screen>
  );
}
