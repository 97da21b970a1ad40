import { IconSparkles } from '@tabler/icons-react';
import type { MenuAction } from '../../ui/ActionsMenu.tsx';
import { useSession } from '../../ui/session/session-context.ts';

/**
 * The menu entry that opens the New space screen, if the user may create a space and a structure.
 * @param folder folder of the new space; null for none
 */
export function useNewFromFiles(folder: number | null = null): MenuAction[] {
  const session = useSession();
  if (!session.may('rooms', 'create') || !session.may('endpoints', 'create')) return [];
  const to = `/admin/spaces/new${folder === null ? '' : `?folder=${folder}`}`;
  return [{ label: 'New space from files', icon: <IconSparkles size={18} aria-hidden />, to }];
}
