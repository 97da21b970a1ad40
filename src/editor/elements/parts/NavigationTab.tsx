import { observer } from 'mobx-react-lite';
import type { Navigation } from '../../../../engine/document/navigation.ts';
import { useDraft } from '../../fields/contexts.ts';
import { NavigationFields } from '../../navigation/NavigationFields.tsx';

/** Navigation settings of an element. */
export const NavigationTab = observer(() => {
  const draft = useDraft();
  return (
    <NavigationFields
      value={draft.get('config.navigation') as Navigation}
      errorOf={(path) => draft.errors[`config.navigation.${path}`]}
      onChange={(navigation) => draft.set({ 'config.navigation': navigation })}
    />
  );
});
