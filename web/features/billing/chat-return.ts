import { useEffect } from 'react'
import { useLocation, useSearch } from 'wouter'

/** For this tab only: a person who went to pay comes back to the same tab. */
const KEY = 'chat-to-return-to'
/** Only chats of this product; anything else in the storage is ignored. */
const CHAT = /^\/(?:threads\/[\w-]{1,64})?(?:\?assistant=[\w-]{1,64})?$/

/** Remembers the chat that was open last, where an unsent text may wait. */
export function useRememberChat(): void {
  const [path] = useLocation()
  const assistant = new URLSearchParams(useSearch()).get('assistant')
  useEffect(() => {
    const address = path === '/' && assistant ? `/?assistant=${assistant}` : path
    if (CHAT.test(address)) sessionStorage.setItem(KEY, address)
  }, [path, assistant])
}

/** Null when no chat was open in this tab. */
export function readChat(): string | null {
  const address = sessionStorage.getItem(KEY)
  return address && CHAT.test(address) ? address : null
}
