import { useMemo, useState } from 'react'
import { useLocation, useSearch, useSearchParams } from 'wouter'

type Change = (params: URLSearchParams) => URLSearchParams

/**
 * URL parameters of this screen. The old screen stays mounted for a moment after navigation starts: it then keeps
 * its last parameters and does not change those of the next screen.
 */
export function useScreenSearch() {
  const [path] = useLocation()
  const search = useSearch()
  const [, setParams] = useSearchParams()
  const [own] = useState(path)
  const [last, setLast] = useState(search)
  const isHere = path === own
  if (isHere && last !== search) setLast(search)
  const current = isHere ? search : last
  const params = useMemo(() => new URLSearchParams(current), [current])
  const change = (next: Change, options?: { replace?: boolean }) => {
    if (location.pathname === own) setParams(next, options)
  }
  return [params, change] as const
}
