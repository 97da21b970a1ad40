/** What the API speaks of: one file per entity. */
export * from './entities/access-token.ts';
export * from './entities/api-key.ts';
export * from './entities/change.ts';
export * from './entities/endpoint.ts';
export * from './entities/feed.ts';
export * from './entities/import.ts';
export * from './entities/live-stream.ts';
export * from './entities/media.ts';
export * from './entities/organization.ts';
export * from './entities/public-endpoint.ts';
export * from './entities/revision.ts';
export * from './entities/rights.ts';
export * from './entities/room.ts';
export * from './entities/stamp.ts';
export * from './entities/template.ts';
export * from './entities/user.ts';
