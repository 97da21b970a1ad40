import { observer } from 'mobx-react-lite';
import type { RoomConfig } from '../../../engine/document/room-config.ts';
import { MediaField } from '../../ui/media/MediaField.tsx';
import { useDraft } from '../fields/contexts.ts';
import { Field } from '../fields/Field.tsx';

/** How visitors see each other. */
export const RealtimeTab = observer(() => {
  const draft = useDraft();
  return (
    <>
      <Field path="config.realtime" />
      <MediaField
        label="Model"
        description="Drawn for each visitor; without one, a figure."
        accept={['object']}
        file={draft.get('config.realtime_file') as RoomConfig['realtime_file']}
        error={draft.errors['config.realtime_file_id']}
        onChange={(chosen) =>
          draft.set({
            'config.realtime_file': chosen && { id: chosen.id, name: chosen.name, type: chosen.type, url: chosen.url },
            'config.realtime_file_id': chosen?.id ?? null,
            'config.realtime_file_url': chosen?.url ?? '',
          })
        }
      />
      <Field path="config.realtime_scale" step={0.1} />
      <Field path="config.realtime_rotate" label="Realtime rotation (degrees)" unit="degrees" step={15} />
    </>
  );
});
