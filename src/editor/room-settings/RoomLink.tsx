import { Paper } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import type { Link } from '../../../engine/document/navigation.ts';
import { useDraft } from '../fields/contexts.ts';
import { LinkFields } from '../navigation/NavigationFields.tsx';

/** A link of the room's settings. */
export const RoomLink = observer(({ name, label }: { name: string; label: string }) => {
  const draft = useDraft();
  const path = `config.${name}`;
  return (
    <Paper withBorder p="sm">
      <LinkFields
        label={label}
        value={draft.get(path) as Link | null}
        errorOf={(inner) => draft.errors[`${path}.${inner}`]}
        onChange={(link) => draft.set({ [path]: link })}
      />
    </Paper>
  );
});
