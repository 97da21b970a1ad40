import type { FastifyRequest } from 'fastify';
import type { Settings } from '../../../contract/entities.ts';
import type { House } from '../../../contract/visit-data.ts';
import { isSuspension } from '../../core/organization-state.ts';
import { organizationOfHost } from '../../features/organizations/hosts.ts';
import { publicSettings } from '../../features/organizations/queries.ts';
import { visibleEndpoints } from '../../features/visits/public-endpoints.ts';
import type { PageServices } from '../../features/visits/read-visit.ts';
import { type Landing, type LandingKind, landingKindOf } from './landing.ts';
import { askedLanguage, type TwinTexts, twinLanguage, twinTexts, wantedOf } from './twin-texts.ts';

/** Finds an organization's public logo and color. */
type BrandingOf = (organizationId: number, settings: Settings) => Promise<House>;

/** Collects what pages without a room show: texts in the visitor's language, the organization, and its rooms. */
export class Landings {
  readonly #services: PageServices;
  readonly #brandingOf: BrandingOf;

  constructor(services: PageServices, brandingOf: BrandingOf) {
    this.#services = services;
    this.#brandingOf = brandingOf;
  }

  /**
   * A page in place of a room.
   * @param kind why; null to tell from the status
   */
  async of(
    request: FastifyRequest,
    organizationId: number,
    settings: Settings,
    kind: LandingKind | null,
    status: number,
  ): Promise<Landing> {
    // A frame of another site leads nowhere else.
    const isFrame = request.url.startsWith('/embed/');
    const rooms = isFrame ? [] : await visibleEndpoints(this.#services.db, organizationId, wantedOf(request));
    const isHome = /^\/(?:\?|$)/.test(request.url);
    return {
      ...this.#localized(request, settings),
      kind: kind ?? (isHome && status === 404 ? 'empty' : landingKindOf(status)),
      house: await this.#brandingOf(organizationId, settings),
      rooms: rooms.flatMap((room) => [room, ...room.children]),
    };
  }

  /** A page for an error, with as much of the organization as can still be read. */
  async ofError(request: FastifyRequest, status: number, wait: number | undefined): Promise<Landing> {
    const kind = landingKindOf(status);
    try {
      const organizationId = organizationOfHost(request);
      const settings = await publicSettings(this.#services, organizationId);
      return { ...(await this.of(request, organizationId, settings, kind, status)), wait };
    } catch (error) {
      const shown = isSuspension(error) ? 'suspended' : kind;
      return { ...this.#localized(request, null), kind: shown, house: null, rooms: [], wait };
    }
  }

  /** Texts in the visitor's language. @param shown language of the room on the page */
  textsFor(request: FastifyRequest, settings: Settings, shown: string | undefined): TwinTexts {
    return this.#localized(request, settings, shown).texts;
  }

  #localized(request: FastifyRequest, settings: Settings | null, shown?: string) {
    const language = twinLanguage(askedLanguage(request), request.headers['accept-language'], shown);
    const texts = twinTexts(language, settings?.texts);
    return { language, texts, name: settings?.name ?? '', url: request.url };
  }
}
