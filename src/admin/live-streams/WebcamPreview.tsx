import { Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../contract/errors.ts';
import { showProblem } from '../../ui/notices.ts';

/** The picture of this device's camera, before it is sent anywhere. */
export function WebcamPreview() {
  const video = useRef<HTMLVideoElement>(null);
  const [isMissing, setMissing] = useState(false);
  useEffect(() => {
    let stream: MediaStream | null = null;
    let isGone = false;
    const stop = () => {
      for (const track of stream?.getTracks() ?? []) track.stop();
    };
    const open = async () => {
      try {
        stream = await navigator.mediaDevices.getUserMedia({ video: true, audio: true });
        if (isGone) return stop();
        if (video.current) video.current.srcObject = stream;
      } catch {
        if (isGone) return;
        setMissing(true);
        showProblem(new ApiError('bad_request', 'Please connect a webcam or camera to your device.'));
      }
    };
    void open();
    return () => {
      isGone = true;
      stop();
    };
  }, []);
  if (isMissing) return <Text c="dimmed">Please connect a webcam or camera to your device.</Text>;
  return <video ref={video} autoPlay muted playsInline width={560} style={{ maxWidth: '100%' }} aria-label="Preview" />;
}
