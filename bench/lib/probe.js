/**
 * Runs in a page before its own scripts and notes what a person would feel: paints, long tasks, frames. It is asked
 * from outside by name, and does as little as it can, for it is measured with the page.
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

/** Begins to count frames and tasks anew, and waits for words in a part of the page that will end it. */
probe.begin = (words, notBeforeMs = 0, where = 'body') => {
  const startedAt = performance.now()
  probe.tasks = []
  probe.frames = []
  probe.seenAt = 0
  const frame = (time) => {
    probe.frames.push(time)
    if (!probe.seenAt) requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)
  const look = () => {
    if (performance.now() - startedAt < notBeforeMs) return
    if (!document.querySelector(where)?.textContent.includes(words)) return
    observer.disconnect()
    requestAnimationFrame(() => setTimeout(() => (probe.seenAt = performance.now())))
  }
  const observer = new MutationObserver(look)
  observer.observe(document.body, { subtree: true, childList: true, characterData: true })
  look()
}

/** The measurements, without internal state. */
probe.report = () => {
  const { lcp, painted, tasks, frames, clickedAt, pressedAt, seenAt } = probe
  return { lcp, painted, tasks, frames, clickedAt, pressedAt, seenAt, origin: performance.timeOrigin }
}
