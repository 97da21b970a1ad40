import type { Module } from '../../../contract/entities.ts';
import type { Platforms } from '../../providers/platforms.ts';

/** The services that an organization has: the built-in ones, and each platform whose key is set. */
export function modulesOf({ youtube, vimeo, wowza, instagram }: Platforms): Module[] {
  const list: (Module | false | null | undefined)[] = [
    { module: 'local', type: 'video', name: 'Uploaded videos' },
    youtube && { module: 'youtube', type: 'video', name: 'Youtube' },
    vimeo && { module: 'vimeo', type: 'video', name: 'Vimeo' },
    wowza && { module: 'wowza_live', type: 'live_stream', name: 'Wowza' },
    youtube?.isOwner && { module: 'youtube_live', type: 'live_stream', name: 'Youtube' },
    vimeo && { module: 'vimeo', type: 'live_stream', name: 'Vimeo single event' },
    vimeo && { module: 'vimeo_live', type: 'live_stream', name: 'Vimeo recurring event' },
    instagram && { module: 'instagram', type: 'feed', name: 'Instagram' },
    { module: 'picdrop', type: 'feed', name: 'Picdrop' },
    { module: 'local', type: 'feed', name: 'Local' },
  ];
  return list.filter((entry): entry is Module => Boolean(entry));
}

/** The same as names, each once. */
export const moduleNames = (platforms: Platforms): { module: string }[] =>
  [...new Set(modulesOf(platforms).map(({ module }) => module))].map((module) => ({ module }));
