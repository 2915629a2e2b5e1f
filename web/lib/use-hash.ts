import { useSyncExternalStore } from 'react'

/** wouter announces its own history changes under these two names besides the browser's. */
const changes = ['hashchange', 'popstate', 'pushState', 'replaceState']

function subscribe(onChange: () => void) {
  for (const name of changes) addEventListener(name, onChange)
  return () => {
    for (const name of changes) removeEventListener(name, onChange)
  }
}

/** The fragment of the address, without «#». */
export function useHash(): string {
  return useSyncExternalStore(subscribe, () => location.hash.slice(1))
}
