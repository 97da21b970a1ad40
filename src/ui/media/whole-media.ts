import { useEffect, useState } from 'react';
import type { Client } from '../../contract/client.ts';
import type { Media } from '../../contract/entities.ts';
import { useClient } from '../client-context.ts';
import { showProblem } from '../notifications.ts';

/** Whether a file has a transcript that its list left out. */
export const isShortened = ({ transcript, transcript_languages }: Media): boolean =>
  transcript === undefined && transcript_languages !== null;

/** A file with its transcript. @throws ApiError */
export const wholeMedia = async (client: Client, file: Media): Promise<Media> =>
  isShortened(file) ? client.media.read({ params: { id: file.id } }) : file;

/** A file with its transcript; null while it loads. */
export function useWholeMedia(file: Media): Media | null {
  const client = useClient();
  const [whole, setWhole] = useState<Media | null>(null);
  useEffect(() => {
    let isCurrent = true;
    if (isShortened(file)) void wholeMedia(client, file).then((read) => isCurrent && setWhole(read), showProblem);
    return () => {
      isCurrent = false;
    };
  }, [client, file]);
  if (!isShortened(file)) return file;
  return whole?.id === file.id ? whole : null;
}
