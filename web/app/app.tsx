import { useEffect } from 'react'
import { preloadLinks } from './preload-links.ts'
import { Providers } from './providers.tsx'
import { Router } from './router.tsx'

export function App() {
  useEffect(preloadLinks, [])
  return (
    <Providers>
      <Router />
    </Providers>
  )
}
