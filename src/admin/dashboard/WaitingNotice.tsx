import { Anchor, Group, Text } from '@mantine/core';
import { IconMessages } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { useSession } from '../../ui/session/session-context.ts';
import { MESSAGES_PATH } from '../shell/menu.ts';
import { WaitingStore } from '../shell/waiting-store.ts';

/** How much of what visitors shared waits for approval; nothing where nothing does. */
export const WaitingNotice = observer(() => {
  const { client } = useSession();
  const [store] = useState(() => new WaitingStore(client));
  useEffect(() => void store.load(), [store]);
  if (store.count === 0) return null;
  return (
    <Group gap="xs" wrap="nowrap">
      <IconMessages size={20} aria-hidden />
      <Text>
        {store.count === 1 ? '1 message waits' : `${store.count} messages wait`} for approval.{' '}
        <Anchor component={Link} to={`${MESSAGES_PATH}?state=waiting`}>
          Review
        </Anchor>
      </Text>
    </Group>
  );
});
