import { useId, useMemo, useRef } from 'react'
import { parsePrompt, type Variable, type VariableType } from '#contract/prompt-variables.ts'
import { formatNumber } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { controlStyle, describeControl, Field } from '#web/ui/field.tsx'
import { Braces } from '#web/ui/icons.ts'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import { TextLink } from '#web/ui/text-link.tsx'
import { Tag } from './prompt-badge.tsx'

interface ContentFieldProps {
  value: string
  maxLength: number
  error: string | null
  onChange: (content: string) => void
}

/** The text of a prompt, with a menu to insert variables and a list of the found ones. */
export function ContentField({ value, maxLength, error, onChange }: ContentFieldProps) {
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  /** The range of the inserted variable's name, selected when the menu has closed. */
  const nameToType = useRef<[from: number, to: number] | null>(null)
  const hint = (
    <>
      Что меняется каждый раз, возьмите в двойные скобки: {'{{имя}}'}.{' '}
      <TextLink href={paths.help('chat/prompts')} inText>
        Как устроены переменные
      </TextLink>
    </>
  )

  function insert(placeholder: string) {
    const area = field.current
    if (!area) return
    const [start, end] = [area.selectionStart, area.selectionEnd]
    onChange(value.slice(0, start) + placeholder + value.slice(end))
    const [from, to] = nameIn(placeholder)
    nameToType.current = [start + from, start + to]
  }

  function typeName(): boolean {
    const [area, name] = [field.current, nameToType.current]
    if (!area || !name) return false
    nameToType.current = null
    area.focus()
    area.setSelectionRange(...name)
    return true
  }

  return (
    <div className="flex flex-col gap-2">
      <Field id={id} label="Текст" hint={hint} error={error}>
        <textarea
          {...describeControl(id, hint, error)}
          ref={field}
          name="content"
          rows={12}
          maxLength={maxLength}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className={`${controlStyle} min-h-48 resize-y py-2.5`}
        />
      </Field>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <InsertMenu onInsert={insert} onClosed={typeName} />
        <span className="figures pt-1.5 text-muted text-sm">
          {formatNumber(value.length)} из {formatNumber(maxLength)}
        </span>
      </div>
      <FoundVariables content={value} />
    </div>
  )
}

const placeholders: { placeholder: string; label: string; hint: string }[] = [
  { placeholder: '{{имя}}', label: 'Строка', hint: 'имя, тема, город' },
  { placeholder: '{{имя:текст}}', label: 'Большой текст', hint: 'письмо, отрывок' },
  { placeholder: '{{имя:число=10}}', label: 'Число', hint: 'сколько слов' },
  { placeholder: '{{имя:дата=сегодня}}', label: 'Дата', hint: 'срок' },
  { placeholder: '{{имя:выбор=первый|второй}}', label: 'Выбор из списка', hint: 'тон, язык' },
]

interface InsertMenuProps {
  onInsert: (placeholder: string) => void
  onClosed: () => boolean
}

function InsertMenu({ onInsert, onClosed }: InsertMenuProps) {
  return (
    <Menu
      onClosed={onClosed}
      trigger={
        <Button size="sm" icon={<Braces size={16} />}>
          Вставить переменную
        </Button>
      }
    >
      {placeholders.map(({ placeholder, label, hint }) => (
        <MenuItem key={placeholder} onSelect={() => onInsert(placeholder)}>
          {label} <span className="ml-auto pl-4 text-muted text-sm">{hint}</span>
        </MenuItem>
      ))}
    </Menu>
  )
}

/** The range of a variable's name: it is selected to be typed over. */
function nameIn(placeholder: string): [from: number, to: number] {
  return [2, placeholder.search(/[:}]/)]
}

const typeNames: Record<VariableType, string> = {
  строка: 'строка',
  текст: 'большой текст',
  число: 'число',
  дата: 'дата',
  выбор: 'выбор',
}

function FoundVariables({ content }: { content: string }) {
  const { variables, problems } = useMemo(() => parsePrompt(content), [content])
  return (
    <div aria-live="polite" className="flex flex-col gap-2">
      {variables.length > 0 && (
        <p className="flex flex-wrap items-center gap-1.5 text-sm">
          <span className="text-muted">В форме будут:</span>
          {variables.map((variable) => (
            <Tag key={variable.key} tone="accent">
              {variableLabel(variable)}
            </Tag>
          ))}
        </p>
      )}
      {problems.map(({ source, reason }, placeholder) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same mistake may be made twice
        <p key={placeholder} className="text-sm text-warning wrap-anywhere">
          {source} останется обычным текстом: {reason}.
        </p>
      ))}
    </div>
  )
}

function variableLabel({ name, type, options, initial }: Variable): string {
  if (type === 'выбор') return `${name}: ${options.join(', ')}`
  const kind = type === 'строка' ? '' : ` · ${typeNames[type]}`
  return `${name}${kind}${initial === '' ? ' · не обязательно' : ''}`
}
