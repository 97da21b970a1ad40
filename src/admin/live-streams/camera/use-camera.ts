import { useEffect, useState } from 'react';
import { ApiError } from '../../../contract/errors.ts';
import { showProblem } from '../../../ui/notifications.ts';

/** Selected devices; the browser's choice if missing. */
export interface ChosenDevices {
  camera?: string;
  microphone?: string;
}

const NO_CAMERA = 'Please connect a webcam or camera to your device.';
const NOT_ALLOWED = 'The browser blocked the camera. Allow it in the site settings of the browser.';

/** The camera can't be used. The message is user-facing. */
class CameraError extends Error {}

/** Requested video format, accepted by most platforms without transcoding. */
const CAMERA_SIZE = { width: { ideal: 1280 }, height: { ideal: 720 } };

/**
 * Starts the camera, and a microphone if there is one.
 * @throws CameraError if there is no camera or access is denied
 */
async function openCamera({ camera, microphone }: ChosenDevices): Promise<MediaStream> {
  const video = { ...CAMERA_SIZE, ...(camera && { deviceId: { exact: camera } }) };
  const audio = microphone ? { deviceId: { exact: microphone } } : true;
  const isMissing = (error: unknown) => error instanceof DOMException && error.name === 'NotFoundError';
  try {
    return await navigator.mediaDevices
      .getUserMedia({ video, audio })
      // The microphone may be missing: video without audio beats no video.
      .catch((error) => {
        if (isMissing(error)) return navigator.mediaDevices.getUserMedia({ video });
        throw error;
      });
  } catch (error) {
    const isRefused = error instanceof DOMException && error.name === 'NotAllowedError';
    throw new CameraError(isRefused ? NOT_ALLOWED : NO_CAMERA);
  }
}

/** Stops a camera. */
function closeCamera(media: MediaStream): void {
  for (const track of media.getTracks()) track.stop();
}

/** State of this device's camera. */
interface Camera {
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
