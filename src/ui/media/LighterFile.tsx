import { Anchor, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Media } from '../../contract/entities.ts';
import { useClient } from '../client-context.ts';
import { locale } from '../language/language.ts';
import { numberText } from '../language/say.ts';
import { sayMessage } from '../language/say-message.ts';
import { showProblem } from '../notifications.ts';
import classes from './media.module.css';
import { hasSound, mayBeLighter, mayStartFaster } from './media-kinds.ts';
import { sizeText } from './size-text.ts';

const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 });

function Change({ label, before, after }: { label: string; before: number; after: number }) {
  return (
    <Text size="sm">
      {label}: {sizeText(before)} → {sizeText(after)} ({percent.format(after / Math.max(1, before))})
    </Text>
  );
}

/** The center of an image in its own pixels, as uploaded and in its lighter version. */
function Comparison({ url }: { url: string }) {
  const [stored, setStored] = useState<string>();
  useEffect(() => {
    let made: string | undefined;
    // An `img` element would request a lighter format; this requests the stored file.
    fetch(url, { headers: { accept: '*/*' } })
      .then((response) => response.blob())
      .then((blob) => {
        made = URL.createObjectURL(blob);
        setStored(made);
      })
      .catch(showProblem);
    return () => {
      if (made) URL.revokeObjectURL(made);
    };
  }, [url]);
  return (
    <SimpleGrid cols={2} spacing="xs">
      {[
        { title: 'Uploaded', source: stored },
        { title: 'Lighter', source: url },
      ].map(({ title, source }) => (
        <figure key={title} className={classes.compared}>
          <img src={source} alt="" />
          <Text component="figcaption" size="xs" c="dimmed">
            {title}
          </Text>
        </figure>
      ))}
    </SimpleGrid>
  );
}

interface Props {
  file: Media;
  /** Called after the conversion was planned. */
  onChanged(file: Media): void;
}

/** A link that plans the conversion of a file. */
function PlanLink({ label, file: { id }, onChanged }: Props & { label: string }) {
  const client = useClient();
  const [isPlanning, setPlanning] = useState(false);
  const plan = async () => {
    setPlanning(true);
    try {
      await client.media.optimize({ body: { ids: [id] } });
      onChanged(await client.media.read({ params: { id } }));
    } catch (error) {
      showProblem(error);
    } finally {
      setPlanning(false);
    }
  };
  return (
    <Anchor component="button" type="button" size="sm" disabled={isPlanning} onClick={() => void plan()}>
      {label}
    </Anchor>
  );
}

const decibels = new Intl.NumberFormat(locale, { maximumFractionDigits: 1, signDisplay: 'negative' });

/** The measured loudness of audio or a video, and the resulting gain, or why there is none. */
export function FileLoudness({ file, onChanged }: Props) {
  const { loudness, gain, optimized } = file;
  if (!hasSound(file)) return null;
  const isWaiting = optimized?.state === 'waiting';
  const change = gain
    ? `played ${decibels.format(Math.abs(gain))} dB ${gain < 0 ? 'quieter' : 'louder'}`
    : 'not changed';
  const reason = isWaiting ? 'Measuring…' : optimized?.loudness_reason || 'Not measured.';
  return (
    <Group gap="xs" role="group" aria-label="Loudness">
      <Text size="sm">
        Loudness: {typeof loudness === 'number' ? `${decibels.format(loudness)} LUFS, ${change}` : reason}
      </Text>
      {typeof loudness !== 'number' && !isWaiting && (
        <PlanLink label={optimized?.loudness_reason ? 'Try again' : 'Measure'} file={file} onChanged={onChanged} />
      )}
    </Group>
  );
}

/** The lighter version of an image or model, or the fast start of a video: sizes, or why there is none. */
export function LighterFile({ file, onChanged }: Props) {
  const [isComparing, setComparing] = useState(false);
  const { bytes, type, optimized } = file;
  if (!mayBeLighter(file)) return null;
  const isPlayed = mayStartFaster(file);
  const label = isPlayed ? 'Fast start' : 'Lighter version';
  return (
    <Stack gap={2} role="group" aria-label={label}>
      <Group gap="xs">
        <Text size="sm" fw={500}>
          {label}
        </Text>
        {(!optimized || optimized.state === 'kept') && (
          <PlanLink label={optimized ? 'Try again' : 'Create'} file={file} onChanged={onChanged} />
        )}
        {type === 'image' && optimized?.state === 'done' && (
          <Anchor component="button" type="button" size="sm" onClick={() => setComparing(!isComparing)}>
            {isComparing ? 'Hide' : 'Compare'}
          </Anchor>
        )}
      </Group>
      {!optimized && (
        <Text size="sm" c="dimmed">
          None. Visitors load the file as it is.
        </Text>
      )}
      {optimized?.state === 'waiting' && (
        <Text size="sm" c="dimmed">
          Being created. Until then, visitors load the file as it is. {sayMessage(optimized.reason)}
        </Text>
      )}
      {optimized?.state === 'kept' && (
        <Text size="sm" c="dimmed">
          {isPlayed ? '' : 'None. '}
          {sayMessage(optimized.reason)}
        </Text>
      )}
      {optimized?.state === 'done' && isPlayed && (
        <Text size="sm" c="dimmed">
          The index was moved to the start, so that playback starts before the whole file has loaded.
        </Text>
      )}
      {optimized?.state === 'done' && !isPlayed && optimized.bytes !== null && (
        <Change label="Size" before={bytes} after={optimized.bytes} />
      )}
      {optimized?.gpu_bytes != null && optimized.gpu_bytes_before ? (
        <Change
          label={type === 'hdr' ? 'GPU memory' : 'Textures in GPU memory'}
          before={optimized.gpu_bytes_before}
          after={optimized.gpu_bytes}
        />
      ) : null}
      {optimized?.levels && (
        <Text size="sm">
          {optimized.levels.reason === ''
            ? `Levels: ${optimized.levels.triangles.map((count) => numberText(count)).join(' / ')} triangles`
            : `Levels of detail: none. ${sayMessage(optimized.levels.reason)}`}
        </Text>
      )}
      {isComparing && <Comparison url={file.url} />}
    </Stack>
  );
}
