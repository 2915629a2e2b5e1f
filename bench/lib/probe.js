/**
 * Runs in a page before its own scripts and records what a user would notice: paints, long tasks, frames. The bench
 * calls it by its global name. It does little, because its work is measured with the page.
 */
const probe = { lcp: 0, painted: 0, tasks: [], frames: [], clickedAt: 0, pressedAt: 0, seenAt: 0 }
globalThis.probe = probe

const observe = (type, take) =>
  new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true })
observe('largest-contentful-paint', ({ startTime }) => {
  probe.lcp = startTime
})
observe('paint', ({ name, startTime }) => {
  if (name === 'first-contentful-paint') probe.painted = startTime
})
observe('longtask', ({ startTime, duration }) => probe.tasks.push({ startTime, duration }))

addEventListener('click', () => (probe.clickedAt = performance.now()), { capture: true })
addEventListener('keydown', ({ timeStamp }) => (probe.pressedAt = timeStamp), { capture: true })

/** Clears frames and tasks, and waits until the words appear in a part of the page. */
probe.begin = (words, notBeforeMs = 0, where = 'body') => {
  const startedAt = performance.now()
  probe.tasks = []
  probe.frames = []
  probe.seenAt = 0
  let isFirst = true
  // The whole page once, then only what has changed: all of a long chat would be the largest part of its scripts.
  const look = (changes) => {
    if (performance.now() - startedAt < notBeforeMs) return
    const changed = isFirst ? [document.querySelector(where)] : changes.map(elementOf)
    isFirst = false
    if (!changed.some((element) => partIn(where, element)?.textContent.includes(words))) return
    observer.disconnect()
    requestAnimationFrame(() => setTimeout(() => (probe.seenAt = performance.now())))
  }
  const observer = new MutationObserver(look)
  observer.observe(document.body, { subtree: true, childList: true, characterData: true })
  look([])
}

/** Records frames until the words are seen. */
probe.countFrames = () => {
  const frame = (time) => {
    probe.frames.push(time)
    if (!probe.seenAt) requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)
}

const elementOf = ({ target }) => (target instanceof Element ? target : target.parentElement)
const partIn = (where, element) => (element?.closest(where) ? element : element?.querySelector(where))

/** The measurements, without internal state. */
probe.report = () => {
  const { lcp, painted, tasks, frames, clickedAt, pressedAt, seenAt } = probe
  return { lcp, painted, tasks, frames, clickedAt, pressedAt, seenAt, origin: performance.timeOrigin }
}
