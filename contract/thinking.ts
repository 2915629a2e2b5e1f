import type { Thinking } from './models.ts'

interface Range {
  low: number
  high: number
}

/** How many symbols a model thinks before an answer, roughly: for the price before anything is known of its answers. */
const USUAL_THOUGHT: Record<Thinking, Range> = {
  none: { low: 0, high: 0 },
  usual: { low: 0, high: 2000 },
  more: { low: 1000, high: 6000 },
  most: { low: 3000, high: 20_000 },
}

/** The same with what is known of past answers, which were mostly asked for without a choice. */
export function usualThought(thinking: Thinking, known?: Range | null): Range {
  return thinking === 'usual' && known ? known : USUAL_THOUGHT[thinking]
}
