import { Button } from '@mantine/core';
import { IconSparkles } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { Link } from 'react-router-dom';
import { useSession } from '../../ui/session/session-context.ts';

/** Link to the New space screen, if the user may create a space and a structure. */
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
      New from files
    </Button>
  );
});
