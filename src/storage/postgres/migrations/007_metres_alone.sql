-- usable from 006
-- Distances call no function of the schema (decision 202): where a function of ours calls another one by its name, it is
-- looked for in the search path, in which a worker of a cluster does not have the schema. grs_point and grs_distance stay
-- for statements that began before this.

-- Metres to the nearest point of a value, along the great circle; NULL where it holds none. A point is a pair of numbers, or
-- the coordinates of a GeoJSON point. The twin of domain/predicate/circle.ts.
CREATE OR REPLACE FUNCTION grs_metres(value jsonb, longitude double precision, latitude double precision)
RETURNS double precision LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  place   jsonb := value;
  element int := 0;
  x       double precision;
  y       double precision;
  nearest double precision;
BEGIN
  -- The value itself, then, where that is no point, each of its elements.
  LOOP
    IF jsonb_typeof(place) = 'object' THEN
      place := CASE WHEN place -> 'type' = '"Point"'::jsonb THEN place -> 'coordinates' END;
    END IF;
    IF jsonb_typeof(place) = 'array' AND jsonb_array_length(place) = 2
      AND jsonb_typeof(place -> 0) = 'number' AND jsonb_typeof(place -> 1) = 'number' THEN
      x := place ->> 0;
      y := place ->> 1;
      nearest := least(nearest, 2 * 6371008.8 * asin(least(1, sqrt(
        sin(((latitude - y) * (pi() / 180)) / 2) ^ 2
        + cos(y * (pi() / 180)) * cos(latitude * (pi() / 180)) * sin(((longitude - x) * (pi() / 180)) / 2) ^ 2))));
      EXIT WHEN element = 0;
    END IF;
    EXIT WHEN jsonb_typeof(value) <> 'array' OR element >= jsonb_array_length(value);
    place := value -> element;
    element := element + 1;
  END LOOP;
  RETURN nearest;
END $$;
