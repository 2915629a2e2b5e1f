import { useEffect, useRef } from 'react'

let isGoingBack = false
addEventListener('popstate', () => {
  isGoingBack = true
})
addEventListener('pushState', () => {
  isGoingBack = false
})

/**
 * On another page one begins at its top, with the keyboard and the screen reader inside it. Back is left to the browser,
 * and a conversation, which is read from its end, to its screen.
 */
export function useArrival(path: string, title: string) {
  const former = useRef(path)
  useEffect(() => {
    document.title = title
    if (former.current === path) return
    former.current = path
    const main = document.getElementById('main')
    if (!main?.contains(document.activeElement)) main?.focus({ preventScroll: true })
    const ownsScroll = main?.querySelector('[data-own-scroll]')
    if (!isGoingBack && !location.hash && !ownsScroll) scrollTo(0, 0)
  }, [path, title])
}
