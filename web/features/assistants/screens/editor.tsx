import { type ReactNode, useState } from 'react'
import type { Assistant } from '#contract/assistants.ts'
import { filledStarters } from '#web/features/assistants/assistant-draft.ts'
import type { AssistantForm } from '#web/features/assistants/form/assistant-fields.tsx'
import { TryOut } from '#web/features/chat/try-out/try-out.tsx'
import { Segmented } from '#web/ui/segmented.tsx'

interface EditorProps {
  /** Null for an assistant that is not saved yet. */
  assistantId: string | null
  form: AssistantForm
  /** The most that search words and passages of its files add to a question. */
  passages: number
  note?: string | undefined
  /** The form; it shows `views`, the switch for narrow screens, below its title. */
  children: (views: ReactNode) => ReactNode
}

/** A server of the previous release sends nothing about search words. */
export const searchSymbols = (assistant: Pick<Assistant, 'symbols'> | null | undefined) =>
  assistant ? assistant.symbols.passages + (assistant.symbols.searchWords ?? 0) : 0

const views = [
  { value: 'form', label: 'Настройки' },
  { value: 'try', label: 'Попробовать' },
] as const

/** The form and a test chat beside it; on narrow screens one of them at a time. */
export function Editor({ assistantId, form, passages, note, children }: EditorProps) {
  const [view, setView] = useState<'form' | 'try'>('form')
  const { instructions, modelId, country, starters } = form.draft
  return (
    <div className="grid items-start gap-8 xl:grid-cols-[minmax(0,1fr)_24rem] 2xl:grid-cols-[minmax(0,1fr)_28rem]">
      <div className={view === 'form' ? 'min-w-0' : 'min-w-0 max-xl:[&_form]:hidden'}>
        {children(
          <div className="xl:hidden">
            <Segmented label="Вид" value={view} options={views} onChange={setView} />
          </div>,
        )}
      </div>
      <div
        className={`h-[calc(100dvh-19rem)] min-h-80 min-w-0 xl:sticky xl:top-8 xl:h-[calc(100dvh-4rem)] ${view === 'try' ? '' : 'max-xl:hidden'}`}
      >
        <TryOut
          tested={{ assistantId, instructions, modelId: modelId || null, country: country || null }}
          passages={passages}
          starters={filledStarters(starters)}
          note={note}
        />
      </div>
    </div>
  )
}
