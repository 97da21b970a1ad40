import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Files that may use the public address or the page's origin, with what for. Links are made from `siteOf` alone. */
const ALLOWED: Record<string, string> = {
  'src/server/features/organizations/site-of.ts': 'makes the addresses of organizations',
  'src/server/features/platforms/outgoing.ts': 'passes it to siteOf',
  'src/server/app/context-of.ts': 'cookies over https',
  'src/server/app/register.ts': 'reads the setting for siteOf',
  'src/server/app/run-server.ts': 'prints where the server listens',
  'src/server/core/settings.ts': 'declares the setting',
  'src/server/core/unsafe-settings.ts': 'checks the setting',
  'src/server/core/http/call-context.ts': 'declares what siteOf is given',
  'src/server/features/users/passwords.ts': 'passes it to siteOf',
  'src/server/features/second-factors/service.ts': 'passes it to siteOf',
  'src/server/features/feeds/jobs.ts': 'passes it to siteOf',
  'src/server/features/mailings/jobs.ts': 'passes it to siteOf',
  'src/server/features/platforms/service.ts': 'explains the missing setting',
  'src/server/core/http/foreign-sites.ts': 'compares origins',
  'src/server/pages/editors/serve-editors.ts': 'compares origins',
  'src/server/pages/sockets/known-origin.ts': 'compares origins',
  'src/server/pages/realtime/serve-realtime.ts': 'compares origins',
  'src/server/pages/visitor-edits/serve-visitor-edits.ts': 'compares origins',
  'src/server/app/operations/serve-operations.ts': 'compares origins',
  'src/server/pages/security-headers.ts': 'headers over https',
  'src/server/pages/text-twin/serve-text-twin.ts': 'cookies over https',
  'src/server/features/visits/shown-rooms.ts': 'cookies over https',
  'src/ui/session/session-store.ts': 'compares origins',
  'src/ui/trusted-types.ts': 'compares origins',
  'src/editor/screen/leave-editor.ts': 'compares origins',
  'src/editor/clipboard/use-clipboard.ts': 'names the server of a copy',
  'src/editor/clipboard/paste.ts': 'names the server of a copy',
  'src/viewer/kiosk/run-kiosk.ts': 'links out of the site',
  'src/viewer/kiosk/worker.ts': 'requests of the site itself',
  'src/viewer/overlay/use-address.ts': "compares origins; copies the visitor's own address",
  'src/viewer/presence/follow-others.ts': 'opens a socket of the page',
  'src/viewer/edits/follow-edits.ts': 'opens a socket of the page',
  'src/viewer/embed/talk-to-parent.ts': 'compares origins',
  'src/viewer/address/page-place.ts': 'compares origins',
  'src/viewer/consent/consent.ts': 'compares hosts',
  'engine/stage/media/amplify.ts': 'compares origins',
  'engine/stage/rendering/frame.ts': 'compares origins',
  'engine/stage/resources/own-scripts.ts': 'compares origins',
  'src/sdk/scorm.ts': 'names its own site to be listed',
  'src/check-in/stored-page.ts': 'compares origins',
  'src/check-in/worker.ts': 'compares origins',
  'engine/stage/media/youtube.ts': 'tells YouTube which page frames it',
};

/** What an address could be made of. */
const SOURCE = /\blocation\.origin\b|\blocation\.host\b|\bPUBLIC_URL\b|\bpublicUrl\b/;
/** What makes an address of it. */
const MADE = /\b(?:location\.origin|location\.host|PUBLIC_URL|publicUrl(?:\(\))?)(?:\}[/`]| \+)/;

const uses = ['engine', 'src', 'cli']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path))
      .map((path) => `${folder}/${path}`),
  )
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }))
  .filter(({ text }) => SOURCE.test(text));

test('every link is made of the site of its organization', () => {
  expect(uses.map(({ path }) => path).toSorted()).toEqual(Object.keys(ALLOWED).toSorted());
  expect(uses.filter(({ text }) => MADE.test(text)).map(({ path }) => path)).toEqual([]);
});
