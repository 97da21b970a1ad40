import { Select } from '@mantine/core';
import { IconBrandYoutube } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import type { ElementOf } from '../../../../engine/document/element.ts';
import { VIDEO_PROVIDERS, type VideoProvider } from '../../../contract/calls/videos.ts';
import { VideoField } from '../../../ui/videos/VideoField.tsx';
import { useDraft } from '../../fields/contexts.ts';
import { Fields } from '../../fields/Field.tsx';
import { FileField } from '../../fields/FileField.tsx';
import { LineField } from '../../fields/TextFields.tsx';
import { videoAt } from '../../session/video-address.ts';
import type { ElementForm } from '../parts/form.ts';
import { SettingsFields } from '../parts/SettingsFields.tsx';
import { TextTracks } from '../parts/TextTracks.tsx';
import { tracksOf, useVideoModules } from '../parts/use-video-modules.ts';

const VIDEO_PLATFORMS: Record<VideoProvider, string> = { youtube: 'Youtube', vimeo: 'Vimeo', local: 'Uploaded' };

/** The id of a video; also accepts the URL of its page. */
const VideoId = observer(({ isReadOnly }: { isReadOnly: boolean }) => {
  const draft = useDraft();
  const [problem, setProblem] = useState<string>();
  const set = (text: string) => {
    const video = videoAt(text);
    const isOther = video !== null && 'problem' in video;
    setProblem(isOther ? video.problem : undefined);
    if (isOther) return;
    draft.set(video ? { 'config.type': video.type, 'config.id': video.id } : { 'config.id': text });
  };
  return (
    <LineField
      label="Video id"
      description="The id, or the address of the video."
      maxLength={2048}
      readOnly={isReadOnly}
      variant={isReadOnly ? 'filled' : undefined}
      error={problem ?? draft.errors['config.id']}
      value={draft.get('config.id') as string}
      onChange={set}
    />
  );
});

const Content = observer(() => {
  const draft = useDraft();
  const providers = useVideoModules();
  const { type, module_video } = (draft.element as ElementOf<'video'>).config;
  const platforms = VIDEO_PROVIDERS.filter((name) => name !== 'vimeo' || providers.has('vimeo') || type === 'vimeo');
  return (
    <>
      <Select
        label="Platform"
        allowDeselect={false}
        data={platforms.map((value) => ({ value, label: VIDEO_PLATFORMS[value] }))}
        value={type}
        onChange={(next) => next && draft.set({ 'config.type': next, 'config.module_video': null, 'config.id': '' })}
      />
      {providers.has(type) && (
        <VideoField
          label="Video"
          provider={type}
          video={module_video}
          onChange={(video) =>
            draft.set({
              'config.module_video': video,
              'config.id': video?.id ?? '',
              'config.text_tracks': tracksOf(video),
              'config.default_text_track': video?.default_text_track ?? '',
            })
          }
        />
      )}
      {type === 'local' ? (
        <FileField label="Video file" accept={['video']} describes />
      ) : (
        <VideoId isReadOnly={module_video !== null} />
      )}
      <Fields
        paths={[
          'config.controls',
          'config.fullscreen',
          'config.autoplay',
          'config.muted',
          'config.loop',
          'config.pause_others',
          ...(type === 'local' ? ['config.even_loudness'] : []),
        ]}
      />
      <TextTracks
        empty={{ id: '', name: '', language: '' }}
        fields={{ name: 'Name', language: 'Language', id: 'Id on the platform' }}
        keyName="id"
      />
    </>
  );
});

export const form: ElementForm = { icon: IconBrandYoutube, tabs: { Content, Settings: SettingsFields } };
