/** Where the parts of a list that stay in the window stop: below the bars of the frame, and below its tools. */

const FRAME_BAR = '[data-frame-bar]'

/** Keeps the height of one element in a variable of another. */
function keepHeight(of: Element, on: HTMLElement, name: string): ResizeObserver {
  const observer = new ResizeObserver(() => on.style.setProperty(name, `${of.getBoundingClientRect().height}px`))
  observer.observe(of)
  return observer
}

/** A ref for the root of a list. */
export function keepFrameBar(list: HTMLElement | null) {
  const bar = document.querySelector(FRAME_BAR)
  const observer = list && bar && keepHeight(bar, list, '--frame-bar')
  return () => observer?.disconnect()
}

/** A ref for the tools of a list. */
export function keepTools(tools: HTMLElement | null) {
  const list = tools?.parentElement
  const observer = tools && list && keepHeight(tools, list, '--list-tools')
  return () => observer?.disconnect()
}

/** A ref for the room of a table that scrolls sideways only while its chosen columns do not fit. */
export function watchFit(room: HTMLElement | null) {
  const table = room?.querySelector('table')
  if (!room || !table) return
  const observer = new ResizeObserver(() =>
    room.toggleAttribute('data-too-wide', table.offsetWidth > room.clientWidth + 1),
  )
  observer.observe(room)
  observer.observe(table)
  return () => observer.disconnect()
}
