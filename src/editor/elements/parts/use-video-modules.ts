import { useEffect, useState } from 'react';
import type { ModuleVideo } from '../../../ui/videos/video-library-store.ts';
import { useEditor } from '../../session/editor-context.ts';

/** Subtitles of a chosen video, named as the platform's player names them. */
export const tracksOf = (video: ModuleVideo | null) =>
  (video?.text_tracks ?? []).map(({ name, language }) => ({ id: language, name, language }));

/** The largest file of a chosen video: platforms name files by their height. */
export function sourceOf(video: ModuleVideo | null): string {
  const height = (name: string) => Number.parseInt(name, 10) || 0;
  return video?.source_files.toSorted((a, b) => height(b.name) - height(a.name))[0]?.link ?? '';
}

/** Platforms whose videos can be searched, because their API keys are configured. */
export function useVideoModules(): ReadonlySet<string> {
  const { client } = useEditor();
  const [modules, setModules] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    client.modules.list().then(
      (list) => setModules(new Set(list.flatMap(({ type, module }) => (type === 'video' ? [module] : [])))),
      // If the request fails, ids can still be typed.
      () => undefined,
    );
  }, [client]);
  return modules;
}
