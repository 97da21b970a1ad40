import type { FastifyRequest } from 'fastify';
import { API_KEY_PREFIX } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { isSuspension } from '../../core/organization-state.ts';
import type { OwnRights } from '../../core/secrets/own-rights.ts';
import type { Services } from '../../core/services.ts';
import { mediaTokens } from '../../features/media/media-cookies.ts';
import { organizationOfHost } from '../../features/organizations/hosts.ts';
import { openPreview, previewTokens } from '../../features/publications/preview-links.ts';
import { findApiKey } from '../../features/users/api-keys.ts';
import { peekSession } from '../../features/users/sessions.ts';
import { findVisit } from '../../features/visits/visitor-sessions.ts';
import { ProtectedMedia, type Protection } from './protected-media.ts';

/** A session of a suspended organization opens nothing. */
function unlessSuspended(error: unknown): null {
  if (isSuspension(error)) return null;
  throw error;
}

/** Grants access to files used only by protected rooms to callers who may see those rooms. */
export class MediaGuard {
  readonly #services: Pick<Services, 'db' | 'clock' | 'settings'> & { ownRights: OwnRights };
  readonly #protected: ProtectedMedia;

  constructor(services: Pick<Services, 'db' | 'clock' | 'settings'> & { ownRights: OwnRights }) {
    this.#services = services;
    this.#protected = new ProtectedMedia(services.db, services.clock);
  }

  /**
   * Checks access to files that are loaded together: all or none.
   * @param hashes their contents
   * @returns whether one of them is protected at this host, so that responses must not be shared
   * @throws ApiError forbidden
   */
  async check(request: FastifyRequest, hashes: readonly string[]): Promise<boolean> {
    const host = organizationOfHost(request);
    const found = await Promise.all(hashes.map((hash) => this.#protected.find(hash)));
    const closed = found
      .filter((protection) => protection !== undefined)
      // A file that the host's organization publishes openly is public at that host, even if others protect it.
      .filter(({ holders, protectedBy }) => !holders.has(host) || protectedBy.has(host));
    if (closed.length === 0) return false;
    if (await this.#mayHave(request, closed)) return true;
    throw new ApiError('forbidden', 'This file belongs to a protected room. Enter the room first.');
  }

  async #mayHave(request: FastifyRequest, protections: readonly Protection[]): Promise<boolean> {
    const { db, clock, ownRights } = this.#services;
    let closed = protections;
    const open = (opens: (protection: Protection) => boolean) => {
      closed = closed.filter((protection) => !opens(protection));
      return closed.length === 0;
    };
    const drawing = ownRights.of(request);
    if (drawing && open(({ holders }) => holders.has(drawing.organizationId))) return true;
    const { users, visitors } = mediaTokens(request);
    for (const token of visitors) {
      const visit = await findVisit(db, clock, token);
      const opens = ({ protectedBy }: Protection) =>
        [...protectedBy.values()].some((endpoints) => endpoints.has(visit!.endpointId));
      if (visit && open(opens)) return true;
    }
    const host = organizationOfHost(request);
    for (const token of previewTokens(request.cookies)) {
      const preview = await openPreview(this.#services, host, token);
      if (preview && open(({ protectedBy }) => protectedBy.get(host)?.has(preview.endpointId) === true)) return true;
    }
    for (const token of users) {
      const find = token.startsWith(API_KEY_PREFIX) ? findApiKey : peekSession;
      const session = await find(db, clock, token).catch(unlessSuspended);
      if (!session || session.user.needsSecondFactor) continue;
      if (open(({ holders }) => holders.has(session.organizationId))) return true;
    }
    return false;
  }
}
