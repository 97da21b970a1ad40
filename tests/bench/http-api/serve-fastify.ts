import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fastify from 'fastify';
import { DATABASE_FILE } from '../../../src/server/core/db/database.ts';
import { answerQuestions } from '../server-process.ts';

/**
 * Baseline: a bare Fastify on the server's own database, which only checks the session and responds. Prints its origin
 * as a line of JSON. Usage: `node serve-fastify.ts <folder>`
 */
const database = new DatabaseSync(join(process.argv[2]!, DATABASE_FILE));
const session = database.prepare('select user_id, expires_at from sessions where token_hash = ?');
const text = database.prepare('select text from bench_texts where id = ?');
const rows = database.prepare(
  'select id, name, title, template_id, updated_at from rooms where organization_id = 1 order by name collate nocase, id limit 20 offset ?',
);
const JSON_TYPE = 'application/json; charset=utf-8';

const app = fastify();
app.addHook('onRequest', (request, reply, done) => {
  const hash = createHash('sha256')
    .update((request.headers.authorization ?? '').slice(7))
    .digest('hex');
  const row = session.get(hash) as { expires_at: string } | undefined;
  if (!row || row.expires_at < new Date().toISOString()) {
    reply.code(401).send({ msg: {} });
    return;
  }
  done();
});
app.get('/text', (_request, reply) => {
  reply.header('content-type', JSON_TYPE);
  return reply.send((text.get(1) as { text: string }).text);
});
app.get<{ Querystring: { page?: string } }>('/rows', (request, reply) => {
  const list = rows.all((Number(request.query.page ?? 1) - 1) * 20);
  const data = list.map((row) => ({ ...row, policies: { update: true, delete: true } }));
  reply.header('content-type', JSON_TYPE);
  return reply.send({ data, meta: { total: 200, page: 1, last_page: 10 } });
});
const origin = await app.listen({ host: '127.0.0.1', port: 0 });
console.log(JSON.stringify({ origin }));
answerQuestions();
