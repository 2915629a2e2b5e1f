import { type KeyboardEvent, useId, useState } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { IconButton } from '#web/ui/button.tsx'
import { Search, X } from '#web/ui/icons.ts'
import { Modal } from '#web/ui/modal.tsx'
import { type Command, itemAfterKey, type PaletteItem } from './palette-items.ts'
import { PaletteList } from './palette-list.tsx'
import { useSections } from './use-sections.ts'

interface PaletteProps {
  /** What was typed while the palette was loading. */
  typed: string
  commands: Command[]
  onClose: () => void
}

export function Palette({ typed: first, commands, onClose }: PaletteProps) {
  const [typed, setTyped] = useState(first)
  const [chosenId, setChosenId] = useState<string | null>(null)
  const id = useId()
  const found = useSections(typed, { commands, go: navigate })
  const items = found.sections.flatMap((section) => section.items)
  const active = items.find((item) => item.id === chosenId) ?? items[0]
  const optionId = (item: PaletteItem) => `${id}-${item.id}`

  function choose(item: PaletteItem) {
    onClose()
    item.run()
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return
    const next = itemAfterKey(items, active?.id, event.key)
    if (event.key === 'Enter' && active) choose(active)
    else if (next) setChosenId(next.id)
    else return
    event.preventDefault()
  }

  return (
    <Modal
      open
      onClose={onClose}
      labelledBy={`${id}-title`}
      className="m-0 mx-auto mt-[10dvh] w-[min(40rem,calc(100vw-1.5rem))] overflow-hidden rounded-lg border bg-surface text-ink open:animate-[rise_140ms_ease-out]"
    >
      <div className="flex max-h-[min(34rem,78dvh)] flex-col">
        <h2 id={`${id}-title`} className="sr-only">
          Поиск
        </h2>
        <div className="flex items-center gap-2 border-b pr-2 pl-4">
          <Search size={20} className="shrink-0 text-muted" />
          <input
            type="text"
            role="combobox"
            aria-label="Поиск по чатам, страницам и действиям"
            aria-expanded={items.length > 0}
            aria-controls={`${id}-list`}
            aria-activedescendant={active && optionId(active)}
            aria-autocomplete="list"
            autoComplete="off"
            autoCorrect="off"
            spellCheck={false}
            enterKeyHint="go"
            maxLength={100}
            placeholder="Чаты, страницы, действия"
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value)
              setChosenId(null)
            }}
            onKeyDown={onKeyDown}
            className="h-13 min-w-0 flex-1 bg-transparent text-base outline-none"
          />
          <IconButton size="sm" label="Закрыть поиск" icon={<X size={18} />} onClick={onClose} />
        </div>
        <PaletteList
          listId={`${id}-list`}
          found={found}
          active={active}
          optionId={optionId}
          onPoint={(item) => setChosenId(item.id)}
          onChoose={choose}
        />
      </div>
    </Modal>
  )
}
