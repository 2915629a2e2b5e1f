import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { keepInView } from '#web/lib/keep-in-view.ts'
import { paths } from '#web/lib/paths.ts'
import { rowId } from '../messages/selected-in.ts'
import { reachMessage } from '../queries.ts'

const LIT_MS = 2500
const PARAMETER = 'message'

export const wantsMessage = () => new URLSearchParams(location.search).has(PARAMETER)

/** Scrolls to the message of a search result and highlights it for a moment. Returns its id meanwhile. */
export function useFoundMessage(threadId: string, onFound: () => void): string | null {
  const client = useQueryClient()
  const wanted = new URLSearchParams(useSearch()).get(PARAMETER)
  const [litId, setLit] = useState<string | null>(null)

  useEffect(() => {
    if (!wanted) return
    let isHere = true
    let stopKeepingInView = () => {}
    async function show(messageId: string) {
      const isReached = await reachMessage(client, threadId, messageId).catch(() => false)
      // The rows are rendered after this pause.
      await new Promise((resolve) => setTimeout(resolve, 50))
      if (!isHere) return
      const row = isReached ? document.getElementById(rowId(messageId)) : null
      if (row) {
        onFound()
        row.scrollIntoView({ block: 'center' })
        stopKeepingInView = keepInView(row)
        setLit(messageId)
      }
      // Without the parameter a reload goes to the end of the thread.
      navigate(paths.thread(threadId), { replace: true })
    }
    void show(wanted)
    return () => {
      isHere = false
      stopKeepingInView()
    }
  }, [client, threadId, wanted, onFound])

  useEffect(() => {
    if (!litId) return
    const timer = setTimeout(() => setLit(null), LIT_MS)
    return () => clearTimeout(timer)
  }, [litId])

  return litId
}
