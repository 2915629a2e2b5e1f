import { useQuery } from '@tanstack/react-query'
import { type ComponentType, createContext, use, useState } from 'react'
import { modelsQuery, usualSpeechModel } from '#web/features/models/queries.ts'
import { formatSymbols } from '#web/lib/format.ts'
import { usePart } from '#web/lib/use-part.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Mic } from '#web/ui/icons.ts'
import { drafts } from './drafts.ts'

interface DictationPanelProps {
  onText: (text: string) => void
  onClose: () => void
}

/** Loads the panel that records and transcribes. It belongs to another feature, so the screen provides it. */
export const DictationContext = createContext<() => Promise<ComponentType<DictationPanelProps> | null>>(
  async () => null,
)

interface Field {
  current: HTMLTextAreaElement | null
}

/** The microphone button and the panel it opens; both null without a transcription model. */
export function useDictation(draft: string, field: Field) {
  const { data: models = [] } = useQuery(modelsQuery)
  const [Panel, ask] = usePart(use(DictationContext))
  // A dictation belongs to the draft in which it began: another chat, opened meanwhile, must not get its text.
  const [openedFor, setOpenedFor] = useState<string | null>(null)
  const model = usualSpeechModel(models)
  const isOpen = openedFor === draft
  if (!model) return { button: null, panel: null }
  const price = model.minutePrice ? `: ${formatSymbols(model.minutePrice)} за минуту` : ''
  return {
    button: (
      <IconButton
        label={`Надиктовать${price}`}
        icon={<Mic size={19} aria-hidden="true" />}
        aria-pressed={isOpen}
        disabled={isOpen}
        className="size-9 rounded-sm"
        onClick={() => {
          ask()
          setOpenedFor(draft)
        }}
      />
    ),
    panel: Panel && isOpen && (
      <Panel
        key={draft}
        onText={(text) => insertAtCaret(draft, field.current, text)}
        onClose={() => {
          setOpenedFor(null)
          field.current?.focus()
        }}
      />
    ),
  }
}

function insertAtCaret(draft: string, field: HTMLTextAreaElement | null, spoken: string) {
  const { text, files } = drafts().read(draft)
  const from = field?.selectionStart ?? text.length
  const to = field?.selectionEnd ?? text.length
  const { joined, caret } = joinSpoken(text.slice(0, from), spoken, text.slice(to))
  drafts().write(draft, { text: joined, files })
  drafts().flush()
  requestAnimationFrame(() => field?.setSelectionRange(caret, caret))
}

/** Inserts the text at the caret, with spaces around it where they are needed. */
export function joinSpoken(before: string, spoken: string, after: string): { joined: string; caret: number } {
  const left = before === '' || /[\s(«"]$/.test(before) ? before : `${before} `
  const right = after === '' || /^[\s.,;:!?)»]/.test(after) ? after : ` ${after}`
  const start = left + spoken.trim()
  return { joined: start + right, caret: start.length }
}
