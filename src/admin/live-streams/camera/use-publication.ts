import { useEffect, useState } from 'react';
import { type CameraTarget, publishCamera } from './publish-camera.ts';

/** State of the camera stream. */
export type Sending = { state: 'off' } | { state: 'connecting' | 'sending' } | { state: 'failed'; message: string };

/** Retry delays in milliseconds after a broken connection. */
const RETRIES = [1000, 2000, 4000, 8000, 16_000];

/**
 * Publishes a camera while there is one. Reconnects broken connections; reports failed ones.
 * @param media camera stream; null stops
 * @param attempt increment to retry after a failure
 */
export function usePublication(media: MediaStream | null, target: CameraTarget, attempt: number): Sending {
  const [sending, setSending] = useState<Sending>({ state: 'off' });
  const { address, stream } = target;
  const { application, name } = stream;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` triggers a retry.
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
