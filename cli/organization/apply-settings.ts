import { isRecord, isSame } from '../../engine/document/field-paths.ts';
import { API_KEY_PREFIX } from '../../src/contract/entities.ts';
import { ApiError } from '../../src/contract/errors.ts';
import { CliError, EXIT } from '../failure.ts';
import type { SendFile } from '../imports/import-file.ts';
import { allPages } from '../report/pages.ts';
import { fileIn } from './apply-rooms.ts';
import type { Json } from './snapshot.ts';
import { changesOf, noteDone, sendDocuments, type Work } from './work.ts';

/** Settings that refer to something, with the ids of the server. */
function settingsBody(work: Work, document: Json, names: readonly string[]): Json {
  const idOf = (value: unknown) => (isRecord(value) ? fileIn(work, value) : null);
  const entries = names.flatMap((name): [string, unknown][] => {
    const value = document[name];
    if (name === 'translation_webhook') return [];
    if (name === 'template') return [['template_id', work.ids.templates.get(String(value)) ?? null]];
    if (name === 'font_file' || name === 'logo_file') return [[`${name}_id`, idOf(value)]];
    if (name === 'embed_domains') return [[name, (value as string[]).map((domain) => ({ domain }))]];
    return [[name, value]];
  });
  return Object.fromEntries(entries);
}

/** Sets the settings that differ. */
export async function applySettings(work: Work): Promise<void> {
  const { client } = work.connection;
  for (const { from, to } of changesOf(work, 'settings', 'update')) {
    const [before, after] = [await from!.read(), work.server.hashes.toLocal(await to!.read())];
    const names = Object.keys(after).filter((name) => !isSame(before[name] ?? null, after[name] ?? null));
    const body = settingsBody(work, work.server.hashes.toLocal(before), names);
    const hasWebhook = names.includes('translation_webhook');
    let { updated_at } = await client.organizations.update({ body: settingsBody(work, after, names) });
    const earlier = before.translation_webhook as string | null;
    if (hasWebhook) {
      const url = after.translation_webhook as string | null;
      ({ updated_at } = await client.translationWebhook.update({ body: { url } }));
      if (earlier === null)
        work.remarks.push('The translation webhook has a new signing secret. Replace it in the settings to see it.');
    }
    await work.undo.add({
      do: 'write_settings',
      body: { ...body, updated_at },
      ...(hasWebhook && { translation_webhook: earlier }),
    });
    work.done.push('settings');
  }
}

interface WebhookBody {
  name: string;
  url: string;
  events: never[];
  is_paused: boolean;
}

/** Adds and changes webhooks. New ones have new signing secrets. */
export async function applyWebhooks(work: Work): Promise<void> {
  const { client } = work.connection;
  const [missing, changed] = [changesOf(work, 'webhooks', 'create'), changesOf(work, 'webhooks', 'update')];
  for (const { to } of missing) {
    const { is_paused, ...body } = (await to!.read()) as Json & WebhookBody;
    const { id } = await client.webhooks.create({ body });
    await work.undo.add({ do: 'remove', what: 'webhooks', id, name: body.name });
    if (is_paused) await client.webhooks.update({ params: { id }, body: { is_paused } });
    work.remarks.push(`The webhook "${body.name}" has a new signing secret. Replace it in the settings to see it.`);
  }
  for (const { from, to, name } of changed) {
    const id = from!.id!;
    const { updated_at } = await client.webhooks.update({
      params: { id },
      body: (await to!.read()) as Json & WebhookBody,
    });
    await work.undo.add({ do: 'write', what: 'webhooks', id, name, body: { ...(await from!.read()), updated_at } });
  }
  noteDone(work, missing.length + changed.length, 'webhook');
}

/** Rejects changes of users with an API key, before anything is changed. @throws CliError */
export function refuseUsersWithKey({
  comparison,
  connection,
  prune,
}: Pick<Work, 'comparison' | 'connection' | 'prune'>) {
  const changed = comparison.changes.filter(({ kind, action }) => kind === 'users' && (prune || action !== 'remove'));
  if (changed.length === 0 || !connection.token().startsWith(API_KEY_PREFIX)) return;
  throw new CliError('forbidden', EXIT.server, {
    message: `API keys can't add or change users (${changed.length} in this import).`,
    suggestion: 'Sign in with enfilade login --email, or leave users out with --skip users.',
  });
}

/** Adds and changes users by e-mail address, with the folders and structures to which they are limited. */
export async function applyUsers(work: Work): Promise<void> {
  const { client } = work.connection;
  const changes = [...changesOf(work, 'users', 'create'), ...changesOf(work, 'users', 'update')];
  if (changes.length === 0) return;
  const send: SendFile = (request, idempotencyKey) => client.imports.usersFile({ ...request, idempotencyKey });
  const documents: Json[] = [];
  for (const { to } of changes) {
    const { limits: _, ...document } = await to!.read();
    documents.push(document);
  }
  await sendDocuments(work, documents, send, { mode: 'upsert' });
  const users = new Map((await allPages((query) => client.users.list({ query }))).map((user) => [user.email, user]));
  for (const { to } of changes) {
    const document = await to!.read();
    const user = users.get(String(document.email));
    if (!user) continue;
    const limits = limitsIn(work, document.limits);
    if (isSame(limits, user.limits)) continue;
    const { updated_at } = await client.users.update({ params: { id: user.id }, body: { limits } });
    const body = { limits: user.limits, updated_at };
    await work.undo.add({ do: 'write', what: 'users', id: user.id, name: user.email, body });
  }
  noteDone(work, changes.length, 'user');
}

function limitsIn({ ids }: Work, limits: unknown): { folder_ids: number[]; endpoint_ids: number[] } | null {
  if (!isRecord(limits)) return null;
  const { folders, structures } = limits as Record<'folders' | 'structures', string[]>;
  return {
    folder_ids: folders.flatMap((path) => ids.folders.get(path.toLowerCase()) ?? []),
    endpoint_ids: structures.flatMap((path) => ids.endpoints.get(path) ?? []),
  };
}

/** Adds and changes access tokens, structure by structure. */
export async function applyTokens(work: Work): Promise<void> {
  const { client } = work.connection;
  const changes = [...changesOf(work, 'tokens', 'create'), ...changesOf(work, 'tokens', 'update')];
  let count = 0;
  for (const { to, name } of changes) {
    const id = work.ids.endpoints.get(name);
    if (id === undefined) {
      work.remarks.push(`The access tokens of ${name} were left out: there is no such structure.`);
      continue;
    }
    const { tokens } = await to!.read();
    const content = new File([JSON.stringify(tokens)], 'tokens.json');
    const report = await client.accessTokens
      .importFile({
        params: { id },
        body: { mode: 'upsert', prune: work.prune, dry_run: false },
        files: { access_tokens_file: content },
      })
      .catch((error: unknown) => {
        if (!(error instanceof ApiError) || !error.msg.access_tokens_file) throw error;
        throw new CliError('wrong', EXIT.wrong, {
          message: `The access tokens of ${name} were not imported.`,
          suggestion: 'Correct them where they come from, and export again.',
          problems: error.msg.access_tokens_file.map((reason) => ({ reason })),
        });
      });
    if (report.job !== null) await work.undo.add({ do: 'undo_job', job: report.job, force: false });
    count += report.accepted + report.updated;
  }
  noteDone(work, count, 'access token');
}
