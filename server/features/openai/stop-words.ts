/** Cuts a stream of text before the first of the words. A model may ignore its own stop parameter. */
export function cutAtStop(stops: readonly string[] = []) {
  const longest = Math.max(0, ...stops.map(({ length }) => length))
  let held = ''
  let isStopped = false

  const firstIn = (text: string) =>
    stops.reduce((first, stop) => {
      const at = text.indexOf(stop)
      return at >= 0 && at < first ? at : first
    }, Number.POSITIVE_INFINITY)

  /** The end of a text that may be the beginning of a stop word. */
  function heldEnd(text: string): number {
    for (let length = Math.min(longest - 1, text.length); length > 0; length -= 1) {
      const end = text.slice(-length)
      if (stops.some((stop) => stop.startsWith(end))) return length
    }
    return 0
  }

  return {
    isStopped: () => isStopped,
    /** What can be delivered. */
    push: (text: string): string => {
      if (longest === 0) return text
      if (isStopped) return ''
      const whole = held + text
      const at = firstIn(whole)
      if (at < Number.POSITIVE_INFINITY) {
        isStopped = true
        held = ''
        return whole.slice(0, at)
      }
      const keep = heldEnd(whole)
      held = whole.slice(whole.length - keep)
      return whole.slice(0, whole.length - keep)
    },
    /** What was held back, when nothing follows. */
    rest: (): string => {
      const text = held
      held = ''
      return text
    },
  }
}
