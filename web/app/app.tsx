import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useEffect, useInsertionEffect } from 'react'
import { applyStyles } from '#web/lib/shell.ts'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import { queryClient } from './query-client.ts'
import { Router } from './router.tsx'
import { preloadLinks } from './screen-parts.ts'
import { ToasterGate } from './toaster-gate.tsx'

export function App() {
  useInsertionEffect(applyStyles, [])
  useEffect(preloadLinks, [])
  return (
    <Providers>
      <Router />
    </Providers>
  )
}

function Providers({ children }: { children: ReactNode }) {
  return (
    <QueryClientProvider client={queryClient}>
      <ProgressBar />
      {children}
      <ToasterGate />
    </QueryClientProvider>
  )
}
