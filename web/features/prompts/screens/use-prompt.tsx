import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { parsePrompt } from '#contract/prompt-variables.ts'
import type { Prompt } from '#contract/prompts.ts'
import { appendToDraft } from '#web/features/chat/state/drafts.ts'
import { recordUse } from '#web/features/prompts/queries.ts'
import { type Destination, UseDialog } from '#web/features/prompts/use-buttons.tsx'
import { lastThread } from '#web/features/threads/open-thread.ts'
import { newId } from '#web/lib/new-id.ts'
import { paths } from '#web/lib/paths.ts'
import { useSession } from '#web/lib/session.ts'

/** Puts a prompt's text into a chat. Each opened prompt counts as one use, however often it is sent. */
export function usePutIntoChat() {
  const [, navigate] = useLocation()
  const client = useQueryClient()
  const userId = useSession()?.id ?? ''
  const open = lastThread(userId)
  const [useId] = useState(newId)

  return {
    hasOpenChat: open !== null,
    putIntoChat: (promptId: string, text: string, destination: Destination) => {
      const threadId = destination === 'open' ? open : null
      appendToDraft(userId, threadId, text)
      recordUse(client, promptId, useId)
      navigate(threadId === null ? paths.home() : paths.thread(threadId))
    },
  }
}

/** «Использовать» opens the chat at once, or a dialog if there are variables to fill or a chat to choose. */
export function usePromptUse() {
  const { hasOpenChat, putIntoChat } = usePutIntoChat()
  const [pending, setPending] = useState<Prompt | null>(null)
  return {
    use: (prompt: Prompt) => {
      const { parts, variables } = parsePrompt(prompt.content)
      if (variables.length > 0 || hasOpenChat) setPending(prompt)
      else putIntoChat(prompt.id, parts.map((part) => (part.type === 'text' ? part.text : '')).join(''), 'new')
    },
    dialog: pending && (
      <UseDialog
        key={pending.id}
        prompt={pending}
        hasOpenChat={hasOpenChat}
        onUse={(text, destination) => putIntoChat(pending.id, text, destination)}
        onClose={() => setPending(null)}
      />
    ),
  }
}
