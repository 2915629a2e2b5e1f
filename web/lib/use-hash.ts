import { useSyncExternalStore } from 'react'

/** wouter dispatches the last two for its own history changes. */
const changes = ['hashchange', 'popstate', 'pushState', 'replaceState']

function subscribe(onChange: () => void) {
  for (const name of changes) addEventListener(name, onChange)
  return () => {
    for (const name of changes) removeEventListener(name, onChange)
  }
}

export function useHash(): string {
  return useSyncExternalStore(subscribe, () => location.hash.slice(1))
}
