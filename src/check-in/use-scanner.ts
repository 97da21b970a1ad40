import { type RefObject, useEffect, useEffectEvent, useState } from 'react';
import { createReader, type ReadQr } from './read-qr.ts';
import { storePage } from './stored-page.ts';

/** Milliseconds between two images that are searched. */
const EVERY = 150;

/** Milliseconds for which a code has to be out of sight before it counts again. */
const GONE = 1000;

/** State of the camera: `none` if there is none, `refused` without permission. */
export type CameraState = 'starting' | 'on' | 'none' | 'refused';

/**
 * Scans QR codes with the camera.
 * @param onText called with the text of each code that is found
 * @param isPaused whether codes are ignored
 */
export function useScanner(
  video: RefObject<HTMLVideoElement | null>,
  onText: (text: string) => void,
  isPaused: boolean,
): CameraState {
  const [state, setState] = useState<CameraState>('starting');
  const found = useEffectEvent((text: string) => {
    if (!isPaused) onText(text);
  });
  const mayRead = useEffectEvent(() => !isPaused);
  useEffect(() => {
    let isGone = false;
    let stream: MediaStream | undefined;
    const scan = async (read: ReadQr) => {
      let last: string | null = null;
      let seen = 0;
      while (!isGone) {
        const image = video.current;
        const isReading = image !== null && mayRead();
        // A frame that can't be read is followed by the next one.
        const text = isReading ? await read(image).catch(() => null) : null;
        const now = performance.now();
        // The ticket of the last guest may still be in front of the camera.
        if (!isReading || (text !== null && text === last)) seen = now;
        else if (now - seen > GONE) last = null;
        if (text !== null && text !== last && !isGone) {
          last = text;
          found(text);
        }
        await new Promise((resolve) => setTimeout(resolve, EVERY));
      }
    };
    const open = async () => {
      if (!navigator.mediaDevices) return setState('none');
      try {
        stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
      } catch (error) {
        return setState((error as Error).name === 'NotAllowedError' ? 'refused' : 'none');
      }
      if (isGone || !video.current) return stream.getTracks().forEach((track) => void track.stop());
      video.current.srcObject = stream;
      await video.current.play().catch(() => {});
      setState('on');
      const read = await createReader();
      // Without a connection, the page needs the reader.
      void storePage('all').catch(() => undefined);
      await scan(read);
    };
    void open().catch(() => setState('none'));
    return () => {
      isGone = true;
      for (const track of stream?.getTracks() ?? []) track.stop();
    };
  }, [video]);
  return state;
}
