import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_LABELS } from '../../../../src/contract/entities.ts';
import { ApiApp, databases, refused } from '../../../harness/api-app.ts';
import { furnishLabel } from '../../../harness/labels.ts';

describe.each(databases)('labels on %s', (kind) => {
  let api: ApiApp;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
  });
  afterAll(() => api.close());

  it('are refused in a version that someone else has changed', async () => {
    const { labels } = api.client();
    const params = { id: await furnishLabel(api.client()) };
    const { updated_at } = await labels.read({ params });
    await labels.update({ params, body: { note: 'Today', updated_at } });
    expect((await refused(labels.update({ params, body: { note: 'Tomorrow', updated_at } }))).code).toBe('stale');
    await labels.remove({ params });
  });

  it(`are at most ${MAX_LABELS} per organization`, async () => {
    const client = api.client();
    for (let count = 0; count < MAX_LABELS; count++) await furnishLabel(client, `Label ${count}`);
    expect((await refused(furnishLabel(client))).code).toBe('quota');
  });
});
