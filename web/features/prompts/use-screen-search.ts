import { useMemo, useState } from 'react'
import { useLocation, useSearch, useSearchParams } from 'wouter'

type Change = (params: URLSearchParams) => URLSearchParams

/**
 * What the address says to this screen. A screen stays for a moment after the address has gone on to another;
 * what is said to that one is not for it, and it says nothing to that one.
 */
export function useScreenSearch() {
  const [path] = useLocation()
  const search = useSearch()
  const [, setParams] = useSearchParams()
  const [own] = useState(path)
  const [kept, setKept] = useState(search)
  const isHere = path === own
  if (isHere && kept !== search) setKept(search)
  const heard = isHere ? search : kept
  const params = useMemo(() => new URLSearchParams(heard), [heard])
  const change = (next: Change, options?: { replace?: boolean }) => {
    if (location.pathname === own) setParams(next, options)
  }
  return [params, change] as const
}
