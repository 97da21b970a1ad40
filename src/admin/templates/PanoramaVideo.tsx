import { Select, TextInput } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import type { STEREO_LAYOUTS } from '../../../engine/document/constants.ts';
import { MediaField } from '../../ui/media/MediaField.tsx';
import type { createTemplatesStore } from './TemplatesScreen.tsx';

type Layout = (typeof STEREO_LAYOUTS)[number];

/** Labels of layouts. */
const LAYOUTS: Record<Layout, string> = {
  auto: 'By its aspect ratio',
  mono: 'Mono',
  top_bottom: 'Top and bottom',
  left_right: 'Left and right',
};

/** The 360° video of a template with a 360° photo: a file or an address, and the layout of its frames. */
export const PanoramaVideo = observer(({ store }: { store: ReturnType<typeof createTemplatesStore> }) => {
  const { draft, errors } = store;
  const { video_url = '', video_stereo = 'auto' } = draft.config;
  const set = (changes: Partial<typeof draft.config>) => store.set({ config: { ...draft.config, ...changes } });
  return (
    <>
      <MediaField
        label="360° video"
        description="An equirectangular video that plays in a loop. The photo is shown until it starts."
        accept={['video']}
        file={draft.video_file ?? null}
        error={errors.video_file_id?.[0]}
        onChange={(chosen) => store.set({ video_file: chosen, video_file_id: chosen?.id ?? null })}
      />
      {!draft.video_file && (
        <TextInput
          label="360° video URL"
          description="Instead of a file: a video or an HLS playlist (.m3u8)."
          placeholder="https://"
          value={video_url}
          error={errors['config.video_url']?.[0]}
          onChange={(event) => set({ video_url: event.currentTarget.value })}
        />
      )}
      {(draft.video_file || video_url !== '') && (
        <Select
          label="Stereo"
          description="Headsets show an image per eye, other devices the left one."
          allowDeselect={false}
          data={Object.entries(LAYOUTS).map(([value, label]) => ({ value, label }))}
          value={video_stereo}
          error={errors['config.video_stereo']?.[0]}
          onChange={(layout) => layout && set({ video_stereo: layout as Layout })}
        />
      )}
    </>
  );
});
