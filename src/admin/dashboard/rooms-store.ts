import { makeAutoObservable, runInAction } from 'mobx';
import type { Client } from '../../contract/client.ts';
import type { Endpoint } from '../../contract/entities.ts';

/** A published room with its URL and name. */
export interface PublishedRoom {
  id: number;
  path: string;
  name: string;
  title: string;
  poster: string | null;
  isVisible: boolean;
  isProtected: boolean;
  /** Whether visitors can open it. */
  isOpen: boolean;
}

function published(endpoints: readonly Endpoint[], above = ''): PublishedRoom[] {
  return endpoints.flatMap((endpoint) => {
    const path = `${above}/${endpoint.slug}`;
    const own: PublishedRoom = {
      id: endpoint.id,
      path,
      name: endpoint.name,
      title: endpoint.room?.title ?? '',
      poster: endpoint.poster_url,
      isVisible: endpoint.is_visible,
      isProtected: endpoint.is_protected,
      isOpen: endpoint.room !== null && !endpoint.is_closed,
    };
    return [own, ...published(endpoint.children, path)];
  });
}

/** Public URLs of the organization. */
export class RoomsStore {
  readonly #client: Client;
  rooms: PublishedRoom[] = [];
  state: 'loading' | 'ready' | 'failed' = 'loading';

  constructor(client: Client) {
    this.#client = client;
    makeAutoObservable(this);
  }

  async load(): Promise<void> {
    this.state = 'loading';
    try {
      const endpoints = await this.#client.endpoints.list();
      runInAction(() => {
        this.rooms = published(endpoints);
        this.state = 'ready';
      });
    } catch {
      runInAction(() => (this.state = 'failed'));
    }
  }
}
