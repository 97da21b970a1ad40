import { useEffect, useState } from 'react';
import { ApiError } from '../../../contract/errors.ts';
import { showProblem } from '../../../ui/notifications.ts';
import { type ChosenDevices, closeCamera, openCamera } from './camera.ts';

/** State of this device's camera. */
export interface Camera {
  /** Media stream; null while off or waiting for permission. */
  media: MediaStream | null;
  /** Error message; empty if none. */
  problem: string;
  /** Available devices. */
  devices: MediaDeviceInfo[];
}

/** Keeps the camera on while wanted; stops it on unmount. */
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
        // Device labels are available only after permission is granted.
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
