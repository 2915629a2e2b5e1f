import { AREA_UNIT, type AreaStep, areaShapes } from '#contract/image-area.ts'

/** Paints what is marked in one colour; everything else stays transparent. */
export function paintArea(canvas: HTMLCanvasElement, area: readonly AreaStep[], colour: string): void {
  const pen = canvas.getContext('2d')
  if (!pen) return
  const { width, height } = canvas
  const { isGroundMarked, shapes } = areaShapes(area)
  pen.globalCompositeOperation = 'source-over'
  pen.clearRect(0, 0, width, height)
  pen.fillStyle = colour
  pen.strokeStyle = colour
  pen.lineCap = 'round'
  pen.lineJoin = 'round'
  if (isGroundMarked) pen.fillRect(0, 0, width, height)
  const [x, y] = [(value: number) => (value * width) / AREA_UNIT, (value: number) => (value * height) / AREA_UNIT]
  for (const { step, marks } of shapes) {
    pen.globalCompositeOperation = marks ? 'source-over' : 'destination-out'
    if (step.type === 'rectangle') {
      pen.fillRect(x(step.x), y(step.y), x(step.width), y(step.height))
      continue
    }
    pen.lineWidth = x(step.width)
    pen.beginPath()
    const [firstX = 0, firstY = 0, ...rest] = step.points
    pen.moveTo(x(firstX), y(firstY))
    // A line of no length makes a dot.
    if (rest.length === 0) pen.lineTo(x(firstX), y(firstY))
    for (let at = 0; at + 1 < rest.length; at += 2) pen.lineTo(x(rest[at] ?? 0), y(rest[at + 1] ?? 0))
    pen.stroke()
  }
}

export interface Spot {
  x: number
  y: number
}

/** The place of a pointer in the units of an area. */
export function spotOf(pointer: { clientX: number; clientY: number }, box: DOMRect): Spot {
  const unit = (value: number) => Math.round(Math.min(2, Math.max(-1, value)) * AREA_UNIT)
  return { x: unit((pointer.clientX - box.left) / box.width), y: unit((pointer.clientY - box.top) / box.height) }
}

const NEAR = 15

/** Adds a point to the last stroke, unless it is where the stroke already ends. */
export function extendStroke(area: readonly AreaStep[], { x, y }: Spot): AreaStep[] {
  const last = area.at(-1)
  if (last?.type !== 'stroke') return [...area]
  const [lastX = 0, lastY = 0] = last.points.slice(-2)
  if (Math.abs(lastX - x) < NEAR && Math.abs(lastY - y) < NEAR) return [...area]
  return [...area.slice(0, -1), { ...last, points: [...last.points, x, y] }]
}
