import { useEffect, useState } from 'react';
import { type CameraTarget, publishCamera } from './publish-camera.ts';

/** Where the sending of a camera is. */
export type Sending = { state: 'off' } | { state: 'connecting' | 'sending' } | { state: 'failed'; message: string };

/** Milliseconds to the next try after a connection broke; as many tries as there are numbers. */
const RETRIES = [1000, 2000, 4000, 8000, 16_000];

/**
 * Sends a camera while there is one. A connection that breaks is made anew; one that cannot be made is told.
 * @param media the camera; null sends nothing
 * @param attempt counts up for another try after a failure
 */
export function usePublication(media: MediaStream | null, target: CameraTarget, attempt: number): Sending {
  const [sending, setSending] = useState<Sending>({ state: 'off' });
  const { address, stream } = target;
  const { application, name } = stream;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a further attempt is made for its own sake.
  useEffect(() => {
    if (!media) {
      setSending({ state: 'off' });
      return;
    }
    const ended = new AbortController();
    const { signal } = ended;
    const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
    const send = async () => {
      let hasSent = false;
      let failures = 0;
      while (!signal.aborted) {
        setSending({ state: 'connecting' });
        try {
          const publication = await publishCamera(media, { address, stream: { application, name } }, signal);
          signal.addEventListener('abort', () => publication.end(), { once: true });
          hasSent = true;
          failures = 0;
          setSending({ state: 'sending' });
          await publication.lost;
          publication.end();
        } catch (error) {
          if (signal.aborted) return;
          const pause = hasSent ? RETRIES[failures++] : undefined;
          if (pause === undefined) return setSending({ state: 'failed', message: (error as Error).message });
          await wait(pause);
        }
      }
    };
    void send();
    return () => ended.abort();
  }, [media, address, application, name, attempt]);
  return sending;
}
