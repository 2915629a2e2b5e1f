import { useSyncExternalStore } from 'react'

/** The breakpoint `frame` of the styles: from here on the panel stands beside the page. */
const wide = matchMedia('(min-width: 900px)')

function subscribe(onChange: () => void) {
  wide.addEventListener('change', onChange)
  return () => wide.removeEventListener('change', onChange)
}

export function useWide(): boolean {
  return useSyncExternalStore(subscribe, () => wide.matches)
}
