import { ApiApp, type databases } from './api-app.ts';
import { giveCredentials } from './give-credentials.ts';
import { INSTAGRAM, InstagramStandIn } from './stand-ins/instagram.ts';
import { WOWZA, WowzaStandIn } from './stand-ins/wowza.ts';

/**
 * Starts a server whose second organization has accounts of Wowza and Instagram, which are stand-ins.
 * @param mark part of the credentials
 */
export async function startWithPlatforms(
  kind: (typeof databases)[number],
  { settings = {}, mark = '' }: { settings?: Record<string, string>; mark?: string } = {},
) {
  const wowza = await new WowzaStandIn().start();
  const instagram = await new InstagramStandIn().start();
  const api_token = `wowza-${mark}`;
  wowza.tokens.add(api_token);
  const addresses = { WOWZA_URL: wowza.url, INSTAGRAM_URL: instagram.url, INSTAGRAM_GRAPH_URL: instagram.url };
  const api = await ApiApp.start(kind, { ...WOWZA, ...INSTAGRAM, ...addresses, ...settings });
  const { INSTAGRAM_CLIENT_ID: client_id, INSTAGRAM_CLIENT_SECRET: client_secret } = INSTAGRAM;
  await giveCredentials(api, api.two, {
    wowza: { api_token, location: `location-${mark}` },
    instagram: { client_id, client_secret },
  });
  const stop = async () => {
    await api.close();
    await Promise.all([wowza.stop(), instagram.stop()]);
  };
  return { api, wowza, instagram, stop };
}
