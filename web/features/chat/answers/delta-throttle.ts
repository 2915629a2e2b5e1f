import type { AnswerEvent } from '#contract/answers.ts'
import { createPacer } from './pacer.ts'

/** While nobody looks there are no frames, and no hurry. */
const HIDDEN_MS = 500

/** More often than this nobody sees the text grow, and drawing it costs more than all the rest. */
const STEP_MS = 30

/** Hands events on at the pace of the eye: one growth of the text every other frame, at most. */
export function createDeltaThrottle(write: (event: AnswerEvent) => void, begun = '') {
  let pacer = createPacer(begun)
  let frame: number | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let shownAt = 0

  const show = (text: string) => write({ type: 'delta', offset: text.length, text })

  function schedule() {
    if (document.hidden) timer ??= setTimeout(showAll, HIDDEN_MS)
    else frame ??= requestAnimationFrame(showNext)
  }

  function showNext() {
    frame = undefined
    const now = performance.now()
    if (now - shownAt >= STEP_MS) {
      shownAt = now
      show(pacer.take(now))
    }
    if (pacer.isBehind()) schedule()
  }

  function showAll() {
    cancel()
    if (pacer.isBehind()) show(pacer.takeAll())
  }

  function cancel() {
    if (frame !== undefined) cancelAnimationFrame(frame)
    clearTimeout(timer)
    frame = timer = undefined
  }

  return {
    receive(event: AnswerEvent) {
      if (event.type === 'delta') {
        pacer.push(event.text, performance.now())
        schedule()
        return
      }
      showAll()
      if (event.type === 'start') pacer = createPacer(event.assistant.content)
      write(event)
    },
    end: showAll,
  }
}
