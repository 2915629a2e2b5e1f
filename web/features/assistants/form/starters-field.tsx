import { useRef } from 'react'
import { MAX_STARTER, MAX_STARTERS } from '#contract/assistants.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { controlStyle } from '#web/ui/field.tsx'
import { ArrowDown, ArrowUp, Plus, X } from '#web/ui/icons.ts'
import { readStarters, writeStarters } from '../assistant-draft.ts'

interface StartersFieldProps {
  /** JSON, as in the form. */
  value: string
  onChange: (starters: string) => void
}

/** Conversation starters: buttons in an empty chat. */
export function StartersField({ value, onChange }: StartersFieldProps) {
  const list = useRef<HTMLOListElement>(null)
  const lines = readStarters(value)
  const write = (next: string[]) => onChange(writeStarters(next))
  const focus = (index: number) =>
    requestAnimationFrame(() => list.current?.querySelectorAll<HTMLInputElement>('input')[index]?.focus())

  function add() {
    write([...lines, ''])
    focus(lines.length)
  }

  return (
    <div className="flex flex-col gap-3">
      {lines.length > 0 && (
        <ol ref={list} className="flex flex-col gap-2">
          {lines.map((line, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines are identified by their index
            <li key={i} className="flex flex-wrap items-center justify-end gap-1 sm:flex-nowrap">
              <input
                aria-label={`Вопрос ${i + 1}`}
                placeholder="Например: что нового в договоре?"
                maxLength={MAX_STARTER}
                value={line}
                onChange={(event) => write(lines.map((one, at) => (at === i ? event.target.value : one)))}
                className={`${controlStyle} h-11 min-w-0 flex-1 max-sm:basis-full`}
              />
              <IconButton
                size="sm"
                label={`Поднять вопрос ${i + 1}`}
                disabled={i === 0}
                icon={<ArrowUp size={18} />}
                onClick={() => write(moveLine(lines, i, i - 1))}
              />
              <IconButton
                size="sm"
                label={`Опустить вопрос ${i + 1}`}
                disabled={i === lines.length - 1}
                icon={<ArrowDown size={18} />}
                onClick={() => write(moveLine(lines, i, i + 1))}
              />
              <IconButton
                size="sm"
                label={`Убрать вопрос ${i + 1}`}
                icon={<X size={18} />}
                onClick={() => {
                  write(lines.filter((_, at) => at !== i))
                  focus(Math.max(0, i - 1))
                }}
              />
            </li>
          ))}
        </ol>
      )}
      {lines.length < MAX_STARTERS && (
        <Button size="sm" className="self-start" icon={<Plus size={17} />} onClick={add}>
          Добавить вопрос
        </Button>
      )}
    </div>
  )
}

/** Moves a line; an index outside the list changes nothing. */
export function moveLine(lines: readonly string[], from: number, to: number): string[] {
  const moved = lines[from]
  if (moved === undefined || to < 0 || to >= lines.length) return [...lines]
  const rest = lines.filter((_, i) => i !== from)
  return [...rest.slice(0, to), moved, ...rest.slice(to)]
}
