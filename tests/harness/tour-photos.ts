import sharp, { type Sharp } from 'sharp';

/** What a camera recorded, for a generated photo. */
interface Recorded {
  heading?: number;
  roll?: number;
  /** Compass direction of the first view. */
  view?: number;
  /** Degrees north and east. */
  at?: readonly [latitude: number, longitude: number];
  /** Meters above sea level. */
  altitude?: number;
  /** Capture time, `2026:05:01 12:00:00`. */
  taken?: string;
  size?: readonly [width: number, height: number];
  /** What it shows; a color of its own by default. */
  image?: Sharp;
}

/** Degrees as EXIF stores them: degrees, minutes, and seconds with a precision of 3 mm. */
function rational(degrees: number): string {
  const seconds = Math.abs(degrees) * 3600;
  return `${Math.floor(seconds / 3600)}/1 ${Math.floor(seconds / 60) % 60}/1 ${Math.round((seconds % 60) * 1e4)}/10000`;
}

let count = 0;

/** A small 360° photo with metadata; every call returns different pixels. */
export async function tourPhoto(name: string, recorded: Recorded = {}): Promise<File> {
  const { heading, roll, view, at, altitude, taken, size = [64, 32], image: shown } = recorded;
  const fields = Object.entries({ PoseHeadingDegrees: heading, PoseRollDegrees: roll, InitialViewHeadingDegrees: view })
    .filter(([, value]) => value !== undefined)
    .map(([field, value]) => `GPano:${field}="${value}"`);
  const place = at && {
    GPSLatitudeRef: at[0] < 0 ? 'S' : 'N',
    GPSLatitude: rational(at[0]),
    GPSLongitudeRef: at[1] < 0 ? 'W' : 'E',
    GPSLongitude: rational(at[1]),
    ...(altitude !== undefined && { GPSAltitudeRef: '0', GPSAltitude: `${Math.round(altitude * 100)}/100` }),
  };
  const background = { r: ++count % 256, g: 100, b: (count * 37) % 256 };
  let image = shown ?? sharp({ create: { width: size[0], height: size[1], channels: 3, background } });
  if (place || taken)
    image = image.withExif({ ...(taken && { IFD2: { DateTimeOriginal: taken } }), ...(place && { IFD3: place }) });
  if (fields.length > 0)
    image = image.withXmp(
      `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:GPano="http://ns.google.com/photos/1.0/panorama/" ${fields.join(' ')}/></rdf:RDF></x:xmpmeta>`,
    );
  return new File([new Uint8Array(await image.jpeg().toBuffer())], name, { type: 'image/jpeg' });
}
