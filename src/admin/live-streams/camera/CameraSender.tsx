import { Alert, Button, Group, Select, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { LiveStream } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { showProblem } from '../../../ui/notifications.ts';
import { usePublication } from './use-publication.ts';

/** Selected devices; the browser's choice if missing. */
interface ChosenDevices {
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
function useCamera(isWanted: boolean, { camera, microphone }: ChosenDevices): Camera {
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

/** Camera preview. */
function Preview({ media }: { media: MediaStream }) {
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    if (video.current) video.current.srcObject = media;
  }, [media]);
  return <video ref={video} autoPlay muted playsInline width={560} style={{ maxWidth: '100%' }} aria-label="Preview" />;
}

/** Select of a camera or a microphone. */
function DeviceSelect({
  label,
  devices,
  chosen,
  onChoose,
}: {
  label: string;
  devices: MediaDeviceInfo[];
  chosen: string | undefined;
  onChoose: (id: string) => void;
}) {
  if (devices.length < 2) return null;
  return (
    <Select
      label={label}
      data={devices.map(({ deviceId, label: name }, index) => ({
        value: deviceId,
        label: name || `${label} ${index + 1}`,
      }))}
      value={chosen ?? devices[0]!.deviceId}
      allowDeselect={false}
      onChange={(id) => id && onChoose(id)}
    />
  );
}

interface Props {
  stream: LiveStream;
  /** Whether the stream is live, as its screen knows. */
  state: LiveStream['state'];
  /** Whether the stream was started on this screen, in which case its camera is sent. */
  isStartedHere: boolean;
}

/**
 * This device's camera: a preview while the stream is stopped, and the sender once it has started. A stream started
 * elsewhere uses it only on request.
 */
export function CameraSender({ stream, state, isStartedHere }: Props) {
  const [wasAsked, setAsked] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const [chosen, setChosen] = useState<ChosenDevices>({});
  const { webrtc_url, source_connection_information: source } = stream;
  const isStopped = state === 'stopped';
  useEffect(() => {
    if (isStopped) setAsked(false);
  }, [isStopped]);
  const isSender = !isStopped && (isStartedHere || wasAsked);
  const { media, problem, devices } = useCamera(isStopped || isSender, chosen);
  const target = {
    address: webrtc_url,
    stream: { application: source?.application_name ?? '', name: source?.stream_name ?? '' },
  };
  const sending = usePublication(state === 'started' && isSender && webrtc_url ? media : null, target, attempt);
  if (!webrtc_url) return <Alert color="yellow">The platform returned no URL for the camera.</Alert>;
  if (problem) return <Text c="dimmed">{problem}</Text>;
  if (!isStopped && !isSender)
    return (
      <Group>
        <Button variant="default" onClick={() => setAsked(true)}>
          Send this camera
        </Button>
      </Group>
    );
  const ofKind = (kind: MediaDeviceKind) => devices.filter((device) => device.kind === kind);
  return (
    <Stack>
      {state !== 'started' && media && <Preview media={media} />}
      {isStopped && (
        <Group>
          <DeviceSelect
            label="Camera"
            devices={ofKind('videoinput')}
            chosen={chosen.camera}
            onChoose={(camera) => setChosen({ ...chosen, camera })}
          />
          <DeviceSelect
            label="Microphone"
            devices={ofKind('audioinput')}
            chosen={chosen.microphone}
            onChoose={(microphone) => setChosen({ ...chosen, microphone })}
          />
        </Group>
      )}
      {media && media.getAudioTracks().length === 0 && <Text c="dimmed">No microphone found: no audio is sent.</Text>}
      {(sending.state === 'connecting' || sending.state === 'sending') && (
        <Text role="status">
          {sending.state === 'sending' ? 'This camera is being sent.' : 'Connecting this camera to the platform …'}
        </Text>
      )}
      {sending.state === 'failed' && (
        <Alert color="red" role="alert" title="This camera is not being sent">
          <Stack align="flex-start">
            {sending.message}
            <Button size="xs" onClick={() => setAttempt(attempt + 1)}>
              Try again
            </Button>
          </Stack>
        </Alert>
      )}
    </Stack>
  );
}
