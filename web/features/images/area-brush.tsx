import { type PointerEvent, useEffect, useId, useRef, useState } from 'react'
import { AREA_UNIT, type AreaStep } from '#contract/image-area.ts'
import type { Image } from '#contract/images.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Square, Undo2 } from '#web/ui/icons.ts'
import { Segmented } from '#web/ui/segmented.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { extendStroke, paintArea, spotOf } from './area-canvas.ts'
import { insideContainer } from './full-screen.tsx'

type Tool = 'brush' | 'eraser'

const tools = [
  { value: 'brush', label: 'Кисть' },
  { value: 'eraser', label: 'Ластик' },
] as const

const MARK = 'rgb(124 58 237)'
/** Pixels of the longer side of the drawn marks; they are stretched over the image. */
const CANVAS_SIDE = 1024

interface AreaBrushProps {
  image: Image
  area: AreaStep[]
  /** Null when nothing can be marked. */
  onChange: ((change: (area: AreaStep[]) => AreaStep[]) => void) | null
  width: number
  tool: Tool
}

/** The image with its marks, on which mouse, pen and finger draw. */
export function AreaBrush({ image, area, onChange, width, tool }: AreaBrushProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const isDrawing = useRef(false)
  const scale = CANVAS_SIDE / Math.max(image.width, image.height)
  useEffect(() => {
    if (canvas.current) paintArea(canvas.current, area, MARK)
  }, [area])

  function begin(event: PointerEvent<HTMLCanvasElement>) {
    if (event.button !== 0 || !onChange) return
    event.preventDefault()
    event.currentTarget.setPointerCapture(event.pointerId)
    isDrawing.current = true
    const { x, y } = spotOf(event, event.currentTarget.getBoundingClientRect())
    const stroke = { type: 'stroke', width, erases: tool === 'eraser', points: [x, y] } as const
    onChange((before) => [...before, { ...stroke, points: [...stroke.points] }])
  }

  function draw(event: PointerEvent<HTMLCanvasElement>) {
    if (!isDrawing.current || !onChange) return
    const spot = spotOf(event, event.currentTarget.getBoundingClientRect())
    onChange((before) => extendStroke(before, spot))
  }

  function end() {
    isDrawing.current = false
  }

  return (
    <div className="relative" style={insideContainer(image)}>
      <img src={image.url} alt={image.prompt} className="absolute inset-0 size-full" draggable={false} />
      {onChange && (
        <canvas
          ref={canvas}
          data-testid="area"
          width={Math.round(image.width * scale)}
          height={Math.round(image.height * scale)}
          className="absolute inset-0 size-full cursor-crosshair touch-none opacity-55 select-none"
          onPointerDown={begin}
          onPointerMove={draw}
          onPointerUp={end}
          onPointerCancel={end}
        />
      )}
    </div>
  )
}

interface BrushToolsProps {
  area: AreaStep[]
  onChange: (change: (area: AreaStep[]) => AreaStep[]) => void
  width: number
  onWidth: (width: number) => void
  tool: Tool
  onTool: (tool: Tool) => void
}

export function BrushTools({ area, onChange, width, onWidth, tool, onTool }: BrushToolsProps) {
  const [hasFields, showFields] = useState(false)
  const sizeId = useId()
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <Segmented label="Инструмент" value={tool} options={tools} onChange={(value) => onTool(value as Tool)} />
        <Button size="sm" icon={<Square size={16} />} aria-expanded={hasFields} onClick={() => showFields(!hasFields)}>
          Прямоугольник
        </Button>
      </div>
      <div className="flex flex-wrap items-center gap-1">
        <IconButton
          size="sm"
          label="Отменить последнее движение"
          icon={<Undo2 size={18} />}
          disabled={area.length === 0}
          onClick={() => onChange((before) => before.slice(0, -1))}
        />
        <Button size="sm" variant="ghost" onClick={() => onChange((before) => [...before, { type: 'invert' }])}>
          Наоборот
        </Button>
        <Button size="sm" variant="ghost" disabled={area.length === 0} onClick={() => onChange(() => [])}>
          Снять выделение
        </Button>
      </div>
      <div className="flex items-center gap-3 text-sm">
        <label htmlFor={sizeId} className="shrink-0 text-muted">
          Размер кисти
        </label>
        <input
          id={sizeId}
          type="range"
          min={1}
          max={30}
          value={width / 100}
          onChange={({ target }) => onWidth(Number(target.value) * 100)}
          className="h-11 min-w-0 flex-1 accent-accent-ink"
        />
      </div>
      {hasFields && <RectangleFields onAdd={(step) => onChange((before) => [...before, step])} />}
    </div>
  )
}

const sides = [
  ['x', 'Слева'],
  ['y', 'Сверху'],
  ['width', 'Ширина'],
  ['height', 'Высота'],
] as const

/** Marks by numbers, for people who do not draw. */
function RectangleFields({ onAdd }: { onAdd: (step: AreaStep) => void }) {
  const [fields, setFields] = useState({ x: '25', y: '25', width: '50', height: '50' })
  const values = Object.fromEntries(sides.map(([name]) => [name, Math.round(Number(fields[name]) * 100)])) as Record<
    keyof typeof fields,
    number
  >
  const isRight =
    Object.values(values).every((value) => value >= 0 && value <= AREA_UNIT) && values.width > 0 && values.height > 0
  return (
    <fieldset className="grid grid-cols-2 gap-2 rounded-md border p-3">
      <legend className="px-1 text-sm text-muted">Прямоугольник, в процентах</legend>
      {sides.map(([name, label]) => (
        <TextField
          key={name}
          label={label}
          inputMode="numeric"
          value={fields[name]}
          onChange={({ target }) => setFields({ ...fields, [name]: target.value })}
        />
      ))}
      <Button disabled={!isRight} onClick={() => onAdd({ type: 'rectangle', ...values })} className="col-span-2">
        Отметить
      </Button>
    </fieldset>
  )
}
