/** Pictures of the sample catalogue, drawn by the browser: nothing is fetched, and no file has to be kept. */

const side = 640;
const colours: Readonly<Record<string, readonly [light: string, dark: string]>> = {
  oak: ['#d8b07a', '#9a6f3a'],
  steel: ['#b8c2cc', '#66727f'],
  cork: ['#c99f73', '#84603c'],
};

type Part = readonly [x: number, y: number, width: number, height: number, isDark?: boolean];

/** Pieces of furniture as boxes, in hundredths of the picture. */
const shapes: Readonly<Record<string, readonly Part[]>> = {
  chair: [
    [30, 18, 5, 64, true],
    [30, 18, 34, 26],
    [30, 50, 40, 7],
    [64, 57, 5, 25, true],
    [40, 57, 4, 25, true],
  ],
  table: [
    [14, 38, 72, 7],
    [19, 45, 5, 40, true],
    [76, 45, 5, 40, true],
    [24, 45, 52, 5, true],
  ],
  shelf: [
    [24, 14, 5, 72, true],
    [71, 14, 5, 72, true],
    [24, 14, 52, 5],
    [24, 36, 52, 5],
    [24, 58, 52, 5],
    [24, 81, 52, 5],
  ],
  lamp: [
    [47, 40, 5, 40, true],
    [34, 80, 32, 5, true],
    [34, 20, 32, 22],
  ],
};

/** Draws one; undefined where the browser cannot. */
export async function samplePicture(kind: string, material: string): Promise<Blob | undefined> {
  const canvas = document.createElement('canvas');
  canvas.width = side;
  canvas.height = side;
  const context = canvas.getContext('2d');
  const [light, dark] = colours[material] ?? colours.oak!;
  if (!context) return undefined;
  const wall = context.createLinearGradient(0, 0, 0, side);
  wall.addColorStop(0, '#f6f4ef');
  wall.addColorStop(0.82, '#e8e4da');
  wall.addColorStop(0.82, '#d3ccbd');
  wall.addColorStop(1, '#c7bfae');
  context.fillStyle = wall;
  context.fillRect(0, 0, side, side);
  for (const [x, y, width, height, isDark] of shapes[kind] ?? []) {
    context.fillStyle = isDark ? dark : light;
    context.beginPath();
    context.roundRect((x * side) / 100, (y * side) / 100, (width * side) / 100, (height * side) / 100, 6);
    context.fill();
  }
  return new Promise((resolve) => canvas.toBlob((blob) => resolve(blob ?? undefined), 'image/png'));
}
