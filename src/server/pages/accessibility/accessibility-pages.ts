import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { conformanceReport } from '../../../contract/accessibility/report.ts';
import { reportHtml } from '../../../contract/accessibility/report-html.ts';
import { ApiError } from '../../../contract/errors.ts';
import { CONFORMANCE_PATH, OTHER_STATEMENT_PATH } from '../../../contract/statement-path.ts';
import type { Services } from '../../core/services.ts';
import { version } from '../../core/version.ts';
import { countPublished } from '../../features/accessibility/findings.ts';
import { organizationOfHost } from '../../features/organizations/hosts.ts';
import { findOrganization, statementOf, statementPathOf } from '../../features/organizations/queries.ts';
import { siteForRequest } from '../../features/organizations/site-of.ts';
import { languageOfRequest, textPolicy } from '../text-twin/serve-text-twin.ts';
import { statementPage } from './statement-page.ts';

type Shared = Pick<Services, 'db' | 'clock' | 'settings'>;

/** Seconds for which the pages may be cached. */
const MAX_AGE = 300;

const send = (reply: FastifyReply, policy: string, html: string) =>
  reply
    .headers({ 'content-security-policy': policy, 'cache-control': `public, max-age=${MAX_AGE}` })
    .type('text/html; charset=utf-8')
    .send(html);

/** Accessibility statements of organizations, and the product's conformance report. */
export class AccessibilityPages {
  readonly #services: Shared;
  readonly #ancestors: (domains: readonly string[]) => readonly string[];
  #report: string | undefined;

  /** @param ancestors filters an organization's sites for use in a policy */
  constructor(services: Shared, ancestors: (domains: readonly string[]) => readonly string[]) {
    this.#services = services;
    this.#ancestors = ancestors;
  }

  /**
   * Sends the accessibility statement of the organization whose site it is.
   * @param path path that the statement must have; any if omitted
   * @returns null if there is none, or it is elsewhere: then another page may be there
   */
  async showStatement(request: FastifyRequest, reply: FastifyReply, path?: string): Promise<FastifyReply | null> {
    const { db } = this.#services;
    const id = organizationOfHost(request);
    const row = await findOrganization(db, id);
    const current = await statementPathOf(db, row);
    if (current === '' || (path !== undefined && path !== current)) return null;
    const domains: { domain: string }[] = JSON.parse(row.embed_domains);
    const page = statementPage(languageOfRequest(request), {
      statement: statementOf(row),
      name: row.name,
      site: siteForRequest(this.#services, request, { id, host: row.host })?.origin ?? row.host ?? '',
      findings: await countPublished(this.#services, id),
    });
    reply.header('vary', 'accept-language');
    return send(reply, textPolicy(this.#ancestors(domains.map(({ domain }) => domain)), false), page);
  }

  /** Registers the report, and statements at the path that no structure can have. */
  serve(app: FastifyInstance): void {
    app.get(OTHER_STATEMENT_PATH, async (request, reply) => {
      const shown = await this.showStatement(request, reply);
      if (shown === null) throw new ApiError('not_found');
      return shown;
    });
    app.get(CONFORMANCE_PATH, async (_request, reply) => {
      this.#report ??= reportHtml(conformanceReport(version, null));
      return send(reply, textPolicy([], false), this.#report);
    });
  }
}
