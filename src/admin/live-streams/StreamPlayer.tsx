import { Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { LiveStream } from '../../contract/entities.ts';

/** URL of a platform's embedded player; null for HLS. */
function playerPage({ type, reference }: LiveStream): string | null {
  const id = encodeURIComponent(reference);
  if (type === 'youtube_live') return `https://www.youtube-nocookie.com/embed/${id}`;
  if (type === 'vimeo') return `https://player.vimeo.com/video/${id}`;
  return type === 'vimeo_live' ? `https://vimeo.com/event/${id}/embed` : null;
}

/** HLS video, native where supported, otherwise by hls.js. */
function HlsPlayer({ address }: { address: string }) {
  const video = useRef<HTMLVideoElement>(null);
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    const element = video.current;
    if (!element) return;
    if (element.canPlayType('application/vnd.apple.mpegurl')) {
      element.src = address;
      return () => element.removeAttribute('src');
    }
    let destroy = () => {};
    let isGone = false;
    import('hls.js').then(
      ({ default: Hls, Events }) => {
        if (isGone) return;
        const hls = new Hls();
        destroy = () => hls.destroy();
        hls.on(Events.ERROR, (_, { fatal }) => fatal && setBroken(true));
        hls.loadSource(address);
        hls.attachMedia(element);
      },
      () => setBroken(true),
    );
    return () => {
      isGone = true;
      destroy();
    };
  }, [address]);
  if (isBroken) return <Text c="dimmed">The video is not available yet.</Text>;
  return (
    <video
      ref={video}
      controls
      muted
      autoPlay
      playsInline
      width={560}
      style={{ maxWidth: '100%' }}
      aria-label="Player"
    />
  );
}

/** The stream as visitors see it. */
export function StreamPlayer({ stream }: { stream: LiveStream }) {
  const page = playerPage(stream);
  if (page)
    return (
      <iframe
        src={page}
        title="Player"
        width={560}
        height={315}
        style={{ maxWidth: '100%', border: 0 }}
        allow="autoplay; fullscreen"
        sandbox="allow-scripts allow-same-origin allow-presentation"
      />
    );
  if (!stream.player_hls_playback_url) return <Text c="dimmed">The platform returned no video URL.</Text>;
  return <HlsPlayer address={stream.player_hls_playback_url} />;
}
