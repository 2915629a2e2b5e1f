import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { parsePrompt } from '#contract/prompt-variables.ts'
import type { Prompt } from '#contract/prompts.ts'
import { recordUse } from '#web/features/prompts/queries.ts'
import { type Destination, UseDialog } from '#web/features/prompts/use-buttons.tsx'
import { offerText } from '#web/lib/composer-text.ts'
import { lastThread } from '#web/lib/last-thread.ts'
import { newId } from '#web/lib/new-id.ts'
import { paths } from '#web/lib/paths.ts'
import { useSession } from '#web/lib/session.ts'

/** Takes the text of a prompt to a chat. Each opening of a prompt is one use, however often it is sent from there. */
export function useToChat() {
  const [, navigate] = useLocation()
  const client = useQueryClient()
  const userId = useSession()?.id ?? ''
  const open = lastThread(userId)
  const [useId] = useState(newId)

  return {
    hasOpenChat: open !== null,
    toChat: (promptId: string, text: string, destination: Destination) => {
      const threadId = destination === 'open' ? open : null
      offerText(userId, threadId, text)
      recordUse(client, promptId, useId)
      navigate(threadId === null ? paths.home() : paths.thread(threadId))
    },
  }
}

/** «Использовать» of a card: straight to the chat, or first a form when there is something to fill or to choose. */
export function usePromptUse() {
  const { hasOpenChat, toChat } = useToChat()
  const [asked, setAsked] = useState<Prompt | null>(null)
  return {
    use: (prompt: Prompt) => {
      const { pieces, variables } = parsePrompt(prompt.content)
      if (variables.length > 0 || hasOpenChat) setAsked(prompt)
      else toChat(prompt.id, pieces.map((piece) => (piece.type === 'text' ? piece.text : '')).join(''), 'new')
    },
    dialog: asked && (
      <UseDialog
        key={asked.id}
        prompt={asked}
        hasOpenChat={hasOpenChat}
        onUse={(text, destination) => toChat(asked.id, text, destination)}
        onClose={() => setAsked(null)}
      />
    ),
  }
}
