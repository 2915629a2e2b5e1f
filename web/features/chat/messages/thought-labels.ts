import type { Model, Thinking } from '#contract/models.ts'

/** Whether the model will think with this choice; models without a choice always think if thought has a rate. */
export function willThink(model: Pick<Model, 'thinks' | 'thoughtRate'>, thinking: Thinking | undefined): boolean {
  return model.thinks ? thinking !== 'none' : model.thoughtRate > 0
}

interface ThoughtState {
  /** The answer has not begun. */
  isThinking: boolean
  /** Null when it is not known. */
  seconds: number | null
  /** The provider does not send the text of the thought. */
  isHidden: boolean
}

/** «Думает… 34 с», then «Размышления, 34 с». */
export function thoughtLabel({ isThinking, seconds, isHidden }: ThoughtState): string {
  if (isThinking) return seconds ? `Думает… ${durationLabel(seconds)}` : 'Думает…'
  const label = seconds ? `Размышления, ${durationLabel(seconds)}` : 'Размышления'
  return isHidden ? `${label} · провайдер их не показывает` : label
}

/** «34 с», «2 мин 5 с» */
export function durationLabel(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  const rest = seconds % 60
  const parts = [minutes > 0 && `${minutes}\u00a0мин`, (rest > 0 || minutes === 0) && `${rest}\u00a0с`]
  return parts.filter(Boolean).join(' ')
}

const LINE_TAIL = 300

/** The last line of the thought, without the Markdown of a heading or a list. */
export function lastLine(thought: string): string {
  const line = thought.slice(-LINE_TAIL).trimEnd().split('\n').at(-1) ?? ''
  return line.replace(/^\s*(?:[#>*+-]+|\d+[.)])\s+/, '').replaceAll('**', '')
}
