import { Button } from '@mantine/core';
import { IconSparkles } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { Link } from 'react-router-dom';
import { useSession } from '../../ui/session/session-context.ts';

/** The way from files to a public address, for whoever may go it. */
export const NewSpaceButton = observer(() => {
  const session = useSession();
  if (!session.may('rooms', 'create') || !session.may('endpoints', 'create')) return null;
  return (
    <Button
      component={Link}
      to="/admin/spaces/new"
      variant="default"
      leftSection={<IconSparkles size={18} aria-hidden />}
    >
      New space in one go
    </Button>
  );
});
