import * as z from 'zod/mini'

/** Coordinates are in ten-thousandths of the width and the height, so an area fits every size of its image. */
export const AREA_UNIT = 10_000
const MAX_STEPS = 400
const MAX_COORDINATES = 40_000

const Coordinate = z.int().check(z.minimum(-AREA_UNIT), z.maximum(2 * AREA_UNIT))
const Length = z.int().check(z.minimum(1), z.maximum(AREA_UNIT))

/** One action of the brush. */
export const AreaStep = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('stroke'),
    /** Of the width of the image. */
    width: Length,
    erases: z.boolean(),
    /** x and y by turns. */
    points: z.array(Coordinate).check(z.minLength(2), z.maxLength(MAX_COORDINATES)),
  }),
  z.strictObject({ type: z.literal('rectangle'), x: Coordinate, y: Coordinate, width: Length, height: Length }),
  z.strictObject({ type: z.literal('invert') }),
])
export type AreaStep = z.infer<typeof AreaStep>

/** The part of an image that a change may touch, as the actions that marked it. */
export const Area = z.array(AreaStep).check(
  z.minLength(1),
  z.maxLength(MAX_STEPS, { error: `не больше ${MAX_STEPS} движений кистью` }),
  z.refine((steps) => coordinatesIn(steps) <= MAX_COORDINATES, { error: 'слишком подробное выделение' }),
)
export type Area = z.infer<typeof Area>

const coordinatesIn = (steps: AreaStep[]) =>
  steps.reduce((sum, step) => sum + (step.type === 'stroke' ? step.points.length : 0), 0)

/** A shape in the order of drawing, and whether it marks or clears what is under it. */
export interface AreaShape {
  step: Exclude<AreaStep, { type: 'invert' }>
  marks: boolean
}

/**
 * Inverting everything so far is the same as drawing each earlier shape with the opposite effect on an opposite
 * ground; so shapes can be drawn one over another.
 */
export function areaShapes(area: readonly AreaStep[]): { isGroundMarked: boolean; shapes: AreaShape[] } {
  let isFlipped = false
  const shapes: AreaShape[] = []
  for (const step of area.toReversed()) {
    if (step.type === 'invert') isFlipped = !isFlipped
    else shapes.push({ step, marks: (step.type === 'stroke' && step.erases) === isFlipped })
  }
  return { isGroundMarked: isFlipped, shapes: shapes.toReversed() }
}
