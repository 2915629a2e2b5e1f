import { useQuery } from '@tanstack/react-query'
import { type ComponentType, createContext, use, useState } from 'react'
import { modelsQuery, usualSpeechModel } from '#web/features/models/queries.ts'
import { formatSymbols } from '#web/lib/format.ts'
import { type Lazy, lazy, useOnDemand } from '#web/lib/lazy.tsx'
import { IconButton } from '#web/ui/button.tsx'
import { Mic } from '#web/ui/icons.ts'
import type { insertAtCaret } from './insert-spoken.ts'

interface DictationPanelProps {
  onText: (text: string) => void
  onClose: () => void
}

/** The panel that records and transcribes. It belongs to another feature, so the screen provides it. */
export const DictationContext = createContext<Lazy<ComponentType<DictationPanelProps> | null>>(lazy(async () => null))

const insert = async (...spoken: Parameters<typeof insertAtCaret>) =>
  (await import('./insert-spoken.ts')).insertAtCaret(...spoken)

interface Field {
  current: HTMLTextAreaElement | null
}

/** The microphone button and the panel it opens; both null without a transcription model. */
export function useDictation(draft: string, field: Field) {
  const { data: models = [] } = useQuery(modelsQuery)
  const [Panel, ask] = useOnDemand(use(DictationContext))
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
        icon={<Mic size={19} />}
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
        onText={(text) => void insert(draft, field.current, text)}
        onClose={() => {
          setOpenedFor(null)
          field.current?.focus()
        }}
      />
    ),
  }
}
