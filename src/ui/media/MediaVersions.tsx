import { Button, Group, Input, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Media, MediaVersion } from '../../contract/entities.ts';
import { useClient } from '../client-context.ts';
import { momentText } from '../moment-text.ts';
import { showProblem } from '../notifications.ts';
import { thumbnailOf } from './media-kinds.ts';
import { restoreVersion } from './replace-media.ts';
import { sizeText } from './size-text.ts';

/** Earlier versions of a replaced file, read once; nothing if there are none. @param onChanged missing if the user may not restore */
export function MediaVersions({ file, onChanged }: { file: Media; onChanged: ((file: Media) => void) | undefined }) {
  const client = useClient();
  const [versions, setVersions] = useState<readonly MediaVersion[]>([]);
  const [isBusy, setBusy] = useState(false);
  const { id, type } = file;
  useEffect(() => {
    let isCurrent = true;
    client.media.versions({ params: { id } }).then((found) => isCurrent && setVersions(found), showProblem);
    return () => {
      isCurrent = false;
    };
  }, [client, id]);
  const restore = async (version: MediaVersion) => {
    if (!onChanged) return;
    setBusy(true);
    await restoreVersion(client, file, version.id, onChanged).catch(showProblem);
    setBusy(false);
  };
  if (versions.length === 0) return null;
  return (
    <Input.Wrapper label="Earlier versions" labelElement="div">
      <Stack gap="xs" mt={4}>
        {versions.map((version) => (
          <Group key={version.id} gap="sm" wrap="nowrap">
            {type === 'image' && (
              <img
                {...thumbnailOf(version.url, 56)}
                alt=""
                width={56}
                height={42}
                style={{ objectFit: 'cover', borderRadius: 4 }}
              />
            )}
            <Text size="sm" flex={1} miw={0}>
              Replaced {momentText(version.created_at)}
              <Text span size="xs" c="dimmed" display="block">
                {sizeText(version.bytes)}
                {version.width && version.height ? ` · ${version.width}×${version.height}` : ''}
              </Text>
            </Text>
            {onChanged && (
              <Button size="compact-sm" variant="default" disabled={isBusy} onClick={() => void restore(version)}>
                Restore
              </Button>
            )}
          </Group>
        ))}
      </Stack>
    </Input.Wrapper>
  );
}
