import type { JsonValue } from '../../contract/json.ts';
import { numberOf } from '../json/number.ts';
import { isJsonArray, isJsonObject } from '../json/values.ts';
import { memberOf } from './path.ts';

/** Mean radius of the Earth in metres (IUGG). */
const earthRadius = 6_371_008.8;

/**
 * Metres along the great circle from a position to the nearest point of a JSON value; undefined where it holds none.
 * A point is `[longitude, latitude]` or GeoJSON `{ "type": "Point", "coordinates": [longitude, latitude] }`
 * (RFC 7946 §3.1.2); an array that is no point itself stands for its elements.
 */
export function nearestDistance(node: JsonValue, longitude: number, latitude: number): number | undefined {
  const point = pointOf(node);
  if (point) return distance(point, [longitude, latitude]);
  if (!isJsonArray(node)) return undefined;
  const points = node.map(pointOf).filter((each) => each !== undefined);
  if (points.length === 0) return undefined;
  return points.reduce(
    (least, each) => Math.min(least, distance(each, [longitude, latitude])),
    Number.POSITIVE_INFINITY,
  );
}

type Point = readonly [longitude: number, latitude: number];

function pointOf(value: JsonValue): Point | undefined {
  if (isJsonObject(value)) {
    const coordinates = memberOf(value, 'type') === 'Point' ? memberOf(value, 'coordinates') : undefined;
    return isJsonArray(coordinates) ? pairOf(coordinates) : undefined;
  }
  return isJsonArray(value) ? pairOf(value) : undefined;
}

function pairOf(values: readonly JsonValue[]): Point | undefined {
  const [longitude, latitude] = values.map(numberOf);
  if (values.length !== 2 || longitude === undefined || latitude === undefined) return undefined;
  return [Number(longitude), Number(latitude)];
}

/** The haversine formula: exact enough at short distances, where the cosine formula is not. */
function distance(from: Point, to: Point): number {
  const radians = Math.PI / 180;
  const eastward = Math.sin(((to[0] - from[0]) * radians) / 2) ** 2;
  const northward = Math.sin(((to[1] - from[1]) * radians) / 2) ** 2;
  const share = northward + Math.cos(from[1] * radians) * Math.cos(to[1] * radians) * eastward;
  return 2 * earthRadius * Math.asin(Math.min(1, Math.sqrt(share)));
}
