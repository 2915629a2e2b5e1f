import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { holdReload } from '#web/lib/hold-reload.ts'

/**
 * Unsaved work is not left by accident: the browser asks before it closes the tab, and we ask before another page of
 * ours. Gives the way on while somebody is to decide, else null.
 */
export function useLeaveGuard(isHeld: boolean) {
  const [, navigate] = useLocation()
  const [leaving, setLeaving] = useState<{ go: () => void } | null>(null)
  useEffect(() => {
    if (!isHeld) return
    const release = holdReload('unsaved form')
    const listening = new AbortController()
    const { signal } = listening
    addEventListener('beforeunload', (event) => event.preventDefault(), { signal })
    const stay = (address: string, go = () => navigate(address)) =>
      setLeaving({
        go: () => {
          listening.abort()
          go()
        },
      })
    if ('navigation' in window) watchNavigation(signal, stay)
    else watchLinks(signal, stay)
    return () => {
      listening.abort()
      release()
    }
  }, [isHeld, navigate])
  return { leaving, stay: () => setLeaving(null) }
}

type Stay = (address: string, go?: () => void) => void

/** Links, shortcuts and «Back» alike. What replaces the address is ours: a redirect, or a page just saved. */
function watchNavigation(signal: AbortSignal, stay: Stay): void {
  navigation.addEventListener(
    'navigate',
    (event) => {
      const { destination, navigationType, cancelable } = event
      const address = leads(destination.url)
      if (!cancelable || !address || !destination.sameDocument) return
      if (navigationType !== 'push' && navigationType !== 'traverse') return
      event.preventDefault()
      stay(address, navigationType === 'traverse' ? () => navigation.traverseTo(destination.key) : undefined)
    },
    { signal },
  )
}

/** Where the browser has no such event, at least links are asked about. */
function watchLinks(signal: AbortSignal, stay: Stay): void {
  document.addEventListener(
    'click',
    (event) => {
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null
      const address = link && !link.target && !event.ctrlKey && !event.metaKey ? leads(link.href) : null
      if (!address) return
      event.preventDefault()
      event.stopPropagation()
      stay(address)
    },
    { signal, capture: true },
  )
}

/** The address of another page of ours, else null: a part of this page is no leaving. */
function leads(url: string): string | null {
  const { origin, pathname, search, hash } = new URL(url)
  return origin === location.origin && pathname !== location.pathname ? pathname + search + hash : null
}
