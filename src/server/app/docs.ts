import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { openApi } from '../../contract/openapi.ts';

/** The product's logo in light colors for the page's dark bar. */
const SIGN = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="36" height="36" fill="none" stroke="#e6b35a" stroke-width="4"><path d="M6 60V4h52v56M17 56V14h30v42M25 53V22h14v31"/></svg>`;

/** Serves the OpenAPI document and a page to browse it. The document is built on the first request. */
export async function serveDocs(app: FastifyInstance): Promise<void> {
  let made: Record<string, unknown> | undefined;
  const document = () => {
    made ??= openApi();
    return made;
  };
  app.get('/api/openapi.json', async () => document());
  await app.register(swagger, {
    mode: 'static',
    specification: { document: { openapi: '3.1.0', info: { title: 'Enfilade', version: '1' }, paths: {} } },
  });
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    logo: { type: 'image/svg+xml', content: SIGN },
    theme: { title: 'Enfilade API' },
    uiConfig: { docExpansion: 'list', deepLinking: true },
    transformSpecification: () => document(),
    transformSpecificationClone: false,
  });
}
