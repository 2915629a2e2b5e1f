import { useSyncExternalStore } from 'react'
import type { Thinking } from '#contract/models.ts'
import { createListeners } from '#web/lib/create-store.ts'
import { readJson } from '#web/lib/stored.ts'

/** How much the model may think, chosen per chat and remembered in this browser. */

/** The choices in the menu of the composer, in this order. */
export const depths = ['usual', 'more', 'most'] as const satisfies readonly Thinking[]

export const depthNames: Record<Thinking, string> = {
  none: 'Без размышлений',
  usual: 'Обычно',
  more: 'Подумать',
  most: 'Подумать дольше',
}

type Choices = Record<string, Thinking>
const NEW = 'new'
const MOST = 50

const keyOf = (userId: string) => `thinking:${userId}`
const listeners = createListeners()

/** Choices by thread, the newest last. */
function readAll(userId: string): Choices {
  const stored = Object.entries(readJson(localStorage.getItem(keyOf(userId))) ?? {})
  return Object.fromEntries(stored.filter(([, thinking]) => Object.hasOwn(depthNames, thinking)))
}

/** Without a thread: the chat not started yet. */
export function thinkingChoice(userId: string, threadId: string | null): Thinking {
  return readAll(userId)[threadId ?? NEW] ?? 'usual'
}

export function chooseThinking(userId: string, threadId: string | null, thinking: Thinking): void {
  const { [threadId ?? NEW]: _, ...others } = readAll(userId)
  const chosen = thinking === 'usual' ? [] : [[threadId ?? NEW, thinking]]
  const entries = [...Object.entries(others), ...chosen].slice(-MOST)
  try {
    localStorage.setItem(keyOf(userId), JSON.stringify(Object.fromEntries(entries)))
  } catch {
    // The storage is full: the choice is not remembered.
  }
  listeners.notify()
}

function subscribe(listener: () => void) {
  const unsubscribe = listeners.subscribe(listener)
  addEventListener('storage', listener)
  return () => {
    unsubscribe()
    removeEventListener('storage', listener)
  }
}

export function useThinkingChoice(userId: string, threadId: string | null): Thinking {
  return useSyncExternalStore(subscribe, () => thinkingChoice(userId, threadId))
}

/** The field of the request; `usual` is the default and is not sent. */
export function asRequested(thinking: Thinking): { thinking?: Thinking } {
  return thinking === 'usual' ? {} : { thinking }
}
