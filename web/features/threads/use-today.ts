import { useEffect, useState } from 'react'
import { startOfDay } from './day-groups.ts'

const POLL_MS = 60_000

/** The day it is; it turns at midnight, and after a sleep as soon as the page is awake. */
export function useToday(): Date {
  const [today, setToday] = useState(() => startOfDay(new Date()))
  useEffect(() => {
    function look() {
      const now = startOfDay(new Date())
      setToday((before) => (before.getTime() === now.getTime() ? before : now))
    }
    const timer = setInterval(look, POLL_MS)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [])
  return today
}
