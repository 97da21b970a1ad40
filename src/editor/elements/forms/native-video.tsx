import { Select } from '@mantine/core';
import { IconVideo } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import type { ElementOf } from '../../../../engine/document/element.ts';
import { meshProblem } from '../../../../engine/document/splats.ts';
import type { VideoProvider } from '../../../contract/calls/videos.ts';
import { VideoField } from '../../../ui/videos/VideoField.tsx';
import { useDraft } from '../../fields/contexts.ts';
import { Field, Fields } from '../../fields/Field.tsx';
import { FileField, UrlFileField } from '../../fields/FileField.tsx';
import type { ElementForm } from '../parts/form.ts';
import { NavigationTab } from '../parts/NavigationTab.tsx';
import { SettingsFields } from '../parts/SettingsFields.tsx';
import { TextTracks } from '../parts/TextTracks.tsx';
import { sourceOf, useVideoModules } from '../parts/use-video-modules.ts';

/** Platforms that provide video files. */
const PROVIDERS: { value: VideoProvider; label: string }[] = [
  { value: 'vimeo', label: 'Vimeo' },
  { value: 'local', label: 'Uploaded videos' },
];

const Content = observer(() => {
  const draft = useDraft();
  const { module_video, disable_thumb, projection } = (draft.element as ElementOf<'native_video'>).config;
  const [provider, setProvider] = useState<VideoProvider>(module_video?.type === 'vimeo' ? 'vimeo' : 'local');
  const modules = useVideoModules();
  // A video keeps its platform even if that is no longer configured.
  const providers = PROVIDERS.filter(({ value }) => value !== 'vimeo' || modules.has(value) || provider === value);
  return (
    <>
      <Select
        label="Library"
        allowDeselect={false}
        data={providers}
        value={provider}
        onChange={(next) => next && setProvider(next as VideoProvider)}
      />
      <VideoField
        label="Video"
        provider={provider}
        video={module_video}
        onChange={(video) =>
          draft.set({
            'config.module_video': video,
            'config.direct_url': sourceOf(video),
            ...(video && { 'config.thumb': video.thumb_large || video.thumb }),
          })
        }
      />
      <Field path="config.direct_url" isReadOnly={module_video !== null} />
      <FileField label="Video file" accept={['video']} describes />
      <Field path="config.projection" names={{ flat: 'Screen', equirectangular: '360° video' }} />
      {projection === 'equirectangular' && <Field path="config.stereo" names={{ auto: 'By its aspect ratio' }} />}
      <Field path="config.disable_thumb" />
      {!disable_thumb && <UrlFileField path="config.thumb" label="Preview image" accept={['image']} />}
      <Fields
        paths={[
          'config.autoplay',
          'config.muted',
          'config.controls',
          'config.loop',
          'config.pause_others',
          'config.even_loudness',
          'config.fullscreen',
        ]}
      />
      <TextTracks
        empty={{ language: '', link: '', type: 'subtitles' }}
        fields={{ language: 'Language', link: 'Address of the WebVTT file', type: 'Type' }}
        keyName="language"
      />
    </>
  );
});

function Model() {
  return (
    <>
      <UrlFileField path="config.model_file_url" label="Model" accept={['object']} problemOf={meshProblem} />
      <Fields paths={['config.model_animate', 'config.model_mesh_selector']} />
    </>
  );
}

export const form: ElementForm = {
  icon: IconVideo,
  tabs: { Content, Settings: SettingsFields, Navigation: NavigationTab, Model },
};
