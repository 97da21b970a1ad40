import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { embedPath, NO_FLAGS } from '../../../contract/embed-code.ts';
import { ApiError } from '../../../contract/errors.ts';
import type { ScormData, ScormEdition } from '../../../contract/scorm.ts';
import { escapeHtml, scriptJson } from '../../core/html/escape.ts';
import type { SignedInContext } from '../../core/http/call-context.ts';
import { Download } from '../../core/http/download.ts';
import { listFamily, pathsOf } from '../endpoints/queries.ts';
import { siteOf } from '../organizations/site-of.ts';

/** Constant archive options, so that the same structure gives the same package. */
const OPTIONS = { mtime: new Date(1980, 0, 1), mode: 0o100644, forceDosTimestamp: true };

/** Namespaces of a manifest and its schema version, by edition (ADL: SCORM 1.2, and 2004 4th Edition CAM). */
const MANIFESTS: Record<ScormEdition, { xmlns: string; adlcp: string; version: string; type: string }> = {
  '1.2': {
    xmlns: 'http://www.imsproject.org/xsd/imscp_rootv1p1p2',
    adlcp: 'http://www.adlnet.org/xsd/adlcp_rootv1p2',
    version: '1.2',
    type: 'scormtype',
  },
  '2004': {
    xmlns: 'http://www.imsglobal.org/xsd/imscp_v1p1',
    adlcp: 'http://www.adlnet.org/xsd/adlcp_v1p3',
    version: '2004 4th Edition',
    type: 'scormType',
  },
};

/** The package's manifest: one activity, whose resource is the page. @param id unique to the room's URL */
function manifestOf({ title, edition }: ScormData, id: string): string {
  const { xmlns, adlcp, version, type } = MANIFESTS[edition];
  const name = escapeHtml(title);
  return `<?xml version="1.0" encoding="UTF-8"?>
<manifest identifier="${id}" version="1.0" xmlns="${xmlns}" xmlns:adlcp="${adlcp}">
  <metadata>
    <schema>ADL SCORM</schema>
    <schemaversion>${version}</schemaversion>
  </metadata>
  <organizations default="${id}-organization">
    <organization identifier="${id}-organization">
      <title>${name}</title>
      <item identifier="${id}-item" identifierref="${id}-resource">
        <title>${name}</title>
      </item>
    </organization>
  </organizations>
  <resources>
    <resource identifier="${id}-resource" type="webcontent" adlcp:${type}="sco" href="index.html">
      <file href="index.html"/>
    </resource>
  </resources>
</manifest>
`;
}

/** The package's page. Its script comes from the server, so that packages never have to be made again. */
const pageOf = (data: ScormData, origin: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(data.title)}</title>
<style>html, body, iframe { width: 100%; height: 100%; margin: 0; border: 0; display: block; background: #14171c }
p { margin: 0; padding: 2em; font: 16px/1.5 sans-serif; color: #fff }</style>
<script type="application/json">${scriptJson(data)}</script>
<script type="module" src="${escapeHtml(origin)}/scorm.js"></script>
</head>
<body></body>
</html>
`;

/**
 * A package that frames a structure in a learning management system.
 * @throws ApiError not_found
 */
export async function scormPackage(
  context: SignedInContext,
  endpointId: number,
  options: Pick<ScormData, 'edition' | 'completion' | 'amount'>,
): Promise<Download> {
  const family = await listFamily(context.db, context.organizationId, endpointId);
  const endpoint = family.find(({ id }) => id === endpointId);
  if (!endpoint) throw new ApiError('not_found');
  const { origin } = await siteOf(context, context.organizationId);
  const room = origin + embedPath(pathsOf(family).get(endpointId)!, NO_FLAGS);
  const data: ScormData = { room, title: endpoint.name, ...options };
  const id = `room-${createHash('sha256').update(room).digest('hex').slice(0, 16)}`;
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from(manifestOf(data, id)), 'imsmanifest.xml', OPTIONS);
  zip.addBuffer(Buffer.from(pageOf(data, origin)), 'index.html', OPTIONS);
  zip.end();
  return new Download(`${endpoint.slug}-scorm-${options.edition}.zip`, zip.outputStream as Readable);
}
