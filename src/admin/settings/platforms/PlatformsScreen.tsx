import { Text } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { useSession } from '../../../ui/session/session-context.ts';
import { Screen } from '../../frame/Screen.tsx';
import { Failed, LoadingForm } from '../../frame/states.tsx';
import { PlatformSection } from './PlatformSection.tsx';
import { PlatformsStore } from './platforms-store.ts';

/** The organization's accounts on external platforms. */
export const PlatformsScreen = observer(() => {
  const session = useSession();
  const isAllowed = session.may('settings', 'view_any');
  const [store] = useState(() => new PlatformsStore(session.client));
  useEffect(() => {
    if (isAllowed) void store.load();
  }, [store, isAllowed]);
  return (
    <Screen title="Platforms" narrow allowed={isAllowed}>
      <Text>
        Accounts used by your organization only. Credentials are stored encrypted; you can replace them but not read
        them again.
      </Text>
      {store.state === 'loading' && <LoadingForm />}
      {store.state === 'failed' && (
        <Failed what="The platforms could not be loaded" onRetry={() => void store.load()} />
      )}
      {store.state === 'ready' &&
        store.rows.map((platform) => (
          <PlatformSection
            key={platform.platform}
            platform={platform}
            store={store}
            isLocked={!session.may('settings', 'update')}
          />
        ))}
    </Screen>
  );
});
