import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import { createQueryClient } from './query-client.ts'
import { ToasterGate } from './toaster-gate.tsx'

export function Providers({ children }: { children: ReactNode }) {
  const [queryClient] = useState(createQueryClient)
  return (
    <QueryClientProvider client={queryClient}>
      <ProgressBar />
      {children}
      <ToasterGate />
    </QueryClientProvider>
  )
}
