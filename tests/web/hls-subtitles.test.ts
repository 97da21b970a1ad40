import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { webSuite } from '../harness/web-suite.ts';
import { mediaBecomes, newGuest, visitTree } from './elements/play.ts';

const suite = webSuite();
const AT = 'https://stream.example/';
const PLAYLIST = 'application/vnd.apple.mpegurl';
const HEAD = '#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:31\n#EXT-X-PLAYLIST-TYPE:VOD\n';

const master = `#EXTM3U
#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="words",NAME="Nederlands",LANGUAGE="nl",DEFAULT=NO,AUTOSELECT=YES,URI="words.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=128000,CODECS="mp4a.40.34",SUBTITLES="words"
sound.m3u8
`;

describe('subtitles that a stream brings along', () => {
  test('are offered in the menu, and shown', async () => {
    const guest = await newGuest(suite.app, suite.browser, {
      [`${AT}list.m3u8`]: { body: master, type: PLAYLIST },
      [`${AT}sound.m3u8`]: { body: `${HEAD}#EXTINF:5,\npart.mp3\n#EXT-X-ENDLIST`, type: PLAYLIST },
      [`${AT}part.mp3`]: { body: await readFile('fixtures/media/night-water.mp3'), type: 'audio/mpeg' },
      [`${AT}words.m3u8`]: { body: `${HEAD}#EXTINF:30,\nwords.vtt\n#EXT-X-ENDLIST`, type: PLAYLIST },
      [`${AT}words.vtt`]: { body: 'WEBVTT\n\n00:00.000 --> 00:30.000\nStil water', type: 'text/vtt' },
    });
    const { page } = guest;
    await visitTree(suite.app, guest, [
      { element: 'native_video', name: 'Stream', config: { src: `${AT}list.m3u8`, autoplay: true, muted: true } },
    ]);
    await page.addStyleTag({ content: '#overlay { display: block !important }' });
    const id = await page.evaluate(() => window.enfilade!.state.endpoint!.room!.elements[0]!.id);
    await mediaBecomes(page, id, { past: 0.1 });
    await page.getByRole('button', { name: 'Subtitles' }).click();
    await page.getByRole('button', { name: 'Nederlands' }).click();
    await page.getByText('Stil water').waitFor();
    await page.getByRole('button', { name: 'Off', exact: true }).click();
    await page.getByText('Stil water').waitFor({ state: 'detached' });
    expect([guest.faults, guest.strays]).toEqual([[], []]);
    await guest.context.close();
  });
});
