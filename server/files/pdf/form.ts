import type { Segment } from './segments.ts'
import { applyTo } from './segments.ts'

/** What pdf.js says of an annotation, as far as we use it. */
export interface Annotation {
  subtype?: string
  fieldType?: string
  fieldName?: string
  fieldValue?: unknown
  alternativeText?: string
  checkBox?: boolean
  radioButton?: boolean
  buttonValue?: string
  exportValue?: string
  pushButton?: boolean
  hidden?: boolean
  password?: boolean
  rect?: number[]
  contentsObj?: { str?: string }
  options?: { exportValue?: string; displayValue?: string }[]
}

/** Filled-in fields and texts typed over a page, one line each; the drawn text of a page has neither. */
export function formLines(
  annotations: readonly Annotation[],
  segments: readonly Segment[],
  view: readonly number[],
): string[] {
  const lines = annotations.flatMap((annotation) => {
    if (annotation.hidden) return []
    if (annotation.subtype === 'FreeText') return annotation.contentsObj?.str?.trim() || []
    const value = annotation.subtype === 'Widget' ? filledValue(annotation) : null
    if (!value) return []
    const label = labelOf(annotation, segments, view)
    return label ? `${label}: ${value}` : value
  })
  return [...new Set(lines)]
}

function filledValue({
  fieldType,
  fieldValue,
  checkBox,
  radioButton,
  pushButton,
  password,
  options = [],
  ...button
}: Annotation): string | null {
  if (pushButton || password || fieldType === 'Sig') return null
  if (checkBox) return isOn(fieldValue) && fieldValue === (button.exportValue ?? fieldValue) ? 'да' : null
  if (radioButton) return isOn(fieldValue) && fieldValue === button.buttonValue ? 'выбрано' : null
  const values = (Array.isArray(fieldValue) ? fieldValue : [fieldValue]).filter((value) => typeof value === 'string')
  const shown = values.map((value) => options.find(({ exportValue }) => exportValue === value)?.displayValue ?? value)
  return shown.join(', ').replace(/\s+/g, ' ').trim() || null
}

const isOn = (value: unknown): value is string => typeof value === 'string' && value !== '' && value !== 'Off'

/** The hint of the field; else the text before it on its line; else its name, if people gave it. */
function labelOf(
  { alternativeText, fieldName = '', rect }: Annotation,
  segments: readonly Segment[],
  view: readonly number[],
): string {
  const hint = alternativeText?.replace(/\s+/g, ' ').trim()
  if (hint) return hint
  const beside = rect ? textBeside(rect, segments, view) : ''
  return beside || (/^[\p{L}\p{N} _.-]*\p{L}{3}[\p{L}\p{N} _.-]*$/u.test(fieldName) ? fieldName : '')
}

function textBeside(rect: number[], segments: readonly Segment[], view: readonly number[]): string {
  const [from, to] = [applyTo(view, rect[0] ?? 0, rect[1] ?? 0), applyTo(view, rect[2] ?? 0, rect[3] ?? 0)]
  const [left, top, bottom] = [Math.min(from.x, to.x), Math.min(from.y, to.y), Math.max(from.y, to.y)]
  const before = segments.filter(({ right, y, size }) => right <= left + 5 && y > top && y - size / 2 < bottom)
  const nearest = before.toSorted((a, b) => b.right - a.right)[0]
  return nearest && left - nearest.right < 150 ? nearest.text.trim().replace(/[\s:_.…]+$/, '') : ''
}
