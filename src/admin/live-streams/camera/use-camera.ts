import { useEffect, useState } from 'react';
import { ApiError } from '../../../contract/errors.ts';
import { showProblem } from '../../../ui/notifications.ts';
import { type ChosenDevices, closeCamera, openCamera } from './camera.ts';

/** This device's camera while it is wanted. */
export interface Camera {
  /** Its picture and sound; null while it is off, and while the browser asks. */
  media: MediaStream | null;
  /** Why it cannot be used; empty while it can. */
  problem: string;
  /** What else could be used. */
  devices: MediaDeviceInfo[];
}

/** Turns this device's camera on while it is wanted, and off with the screen. */
export function useCamera(isWanted: boolean, { camera, microphone }: ChosenDevices): Camera {
  const [media, setMedia] = useState<MediaStream | null>(null);
  const [problem, setProblem] = useState('');
  const [devices, setDevices] = useState<MediaDeviceInfo[]>([]);
  useEffect(() => {
    if (!isWanted) return;
    let opened: MediaStream | null = null;
    let isGone = false;
    const open = async () => {
      try {
        opened = await openCamera({ camera, microphone });
        if (isGone) return closeCamera(opened);
        setMedia(opened);
        setProblem('');
        // Devices have names only for pages that may use them.
        setDevices(await navigator.mediaDevices.enumerateDevices());
      } catch (error) {
        if (isGone) return;
        const { message } = error as Error;
        setProblem(message);
        showProblem(new ApiError('bad_request', message));
      }
    };
    void open();
    return () => {
      isGone = true;
      if (opened) closeCamera(opened);
      setMedia(null);
    };
  }, [isWanted, camera, microphone]);
  return { media, problem, devices };
}
