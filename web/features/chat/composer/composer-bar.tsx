import { type ReactNode, useEffect, useRef } from 'react'
import type { Model, Thinking } from '#contract/models.ts'
import { classNames } from '#web/lib/class-names.ts'
import { formatSymbols } from '#web/lib/format.ts'
import { preload, usePart } from '#web/lib/use-part.ts'
import { IconButton } from '#web/ui/button.tsx'
import { buttonStyle } from '#web/ui/button-style.ts'
import { ArrowUp, ChevronDown, Globe, Lightbulb, Paperclip, Square, TriangleAlert } from '#web/ui/icons.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { ACCEPT } from './accepted-files.ts'
import type { ChosenModel } from './model-labels.ts'
import { depthNames } from './thinking-choice.ts'

interface ComposerBarProps {
  chosen: ChosenModel | undefined
  /** The country that the assistant of the chat is bound to. */
  country: string | null
  thinking: Thinking
  isAnswering: boolean
  canSend: boolean
  isEmpty: boolean
  dictate: ReactNode
  /** Null when a search is not possible here. */
  search: { isOn: boolean; price: number; onChange: (isOn: boolean) => void } | null
  onStop: () => void
  onFiles: (files: File[]) => void
  onChooseModel: (model: Model) => void
  onChooseThinking: (thinking: Thinking) => void
}

/** The row below the text: attach, choose a model and how much it thinks, dictate, stop, send. */
export function ComposerBar({
  chosen,
  country,
  thinking,
  isAnswering,
  canSend,
  isEmpty,
  dictate,
  search,
  onStop,
  onFiles,
  onChooseModel,
  onChooseThinking,
}: ComposerBarProps) {
  const thinks = chosen?.model?.thinks === true
  // On a narrow phone the name of the model does not fit beside all buttons, so it gets its own line.
  const isCrowded = search !== null && thinks
  useRememberCrowded(chosen ? isCrowded : null)
  return (
    <div
      data-unknown={chosen ? undefined : ''}
      className={classNames('flex items-center gap-1 p-1.5', isCrowded && 'max-[30rem]:flex-wrap')}
    >
      <AttachButton onFiles={onFiles} />
      {search && <SearchToggle {...search} />}
      <div className={classNames('flex min-w-0', isCrowded && 'max-[30rem]:order-first max-[30rem]:basis-full')}>
        {chosen ? (
          <ModelPicker chosen={chosen} country={country} onChoose={onChooseModel} />
        ) : (
          <Skeleton className="h-5 w-24" />
        )}
      </div>
      {thinks && chosen?.model && <ThinkingPicker model={chosen.model} chosen={thinking} onChoose={onChooseThinking} />}
      <span className="flex-1" />
      {dictate}
      {isAnswering && (
        <button
          type="button"
          aria-label="Остановить"
          title="Остановить (Esc)"
          onClick={onStop}
          className={buttonStyle('secondary', 'icon', 'shrink-0')}
        >
          <Square size={14} fill="currentColor" aria-hidden="true" />
        </button>
      )}
      {(!isAnswering || !isEmpty) && (
        <button
          type="submit"
          aria-label={isAnswering ? 'Отправить после ответа' : 'Отправить'}
          title={isAnswering ? 'Отправить после ответа' : 'Отправить'}
          aria-disabled={!canSend}
          className={buttonStyle('primary', 'icon', 'shrink-0 aria-disabled:opacity-45')}
        >
          <ArrowUp size={20} aria-hidden="true" />
        </button>
      )}
    </div>
  )
}

/** Stored for early.js: until the model is known (null), the row has as many lines as last time. */
function useRememberCrowded(isCrowded: boolean | null) {
  useEffect(() => {
    if (isCrowded === null) return
    try {
      localStorage.setItem('crowded', isCrowded ? 'yes' : 'no')
    } catch {
      // The storage is full: the row may jump once at the next start.
    }
  }, [isCrowded])
}

function AttachButton({ onFiles }: { onFiles: (files: File[]) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <IconButton
        label="Приложить файл"
        icon={<Paperclip size={19} aria-hidden="true" />}
        className="size-9 rounded-sm"
        onClick={() => input.current?.click()}
      />
      <input
        ref={input}
        type="file"
        multiple
        accept={ACCEPT}
        aria-label="Файлы"
        hidden
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
    </>
  )
}

function SearchToggle({ isOn, price, onChange }: NonNullable<ComposerBarProps['search']>) {
  const cost = price > 0 ? ` · +${formatSymbols(price)}` : ''
  return (
    <IconButton
      label={`Поиск в интернете${cost}`}
      icon={<Globe size={19} aria-hidden="true" />}
      aria-pressed={isOn}
      className={classNames('size-9 rounded-sm', isOn && 'bg-accent-soft text-accent-ink!')}
      onClick={() => onChange(!isOn)}
    />
  )
}

const load = async () => (await import('./model-list.tsx')).ModelList
const loadThinkingMenu = async () => (await import('./thinking-menu.tsx')).ThinkingMenu
const pickerStyle =
  'flex h-9 max-frame:h-11 min-w-0 items-center gap-1.5 rounded-sm px-2.5 text-sm transition-colors hover:bg-hover data-[state=open]:bg-hover'

interface ModelPickerProps {
  chosen: ChosenModel
  country: string | null
  onChoose: (model: Model) => void
}

/** A plain button until the first click, which loads the list. */
function ModelPicker({ chosen: { model, name }, country, onChoose }: ModelPickerProps) {
  const [ModelList, ask] = usePart(load)
  const trigger = (
    <button
      type="button"
      aria-haspopup="listbox"
      aria-label={model ? `Модель: ${name}` : `Модель ${name} недоступна, выберите другую`}
      onPointerEnter={() => preload(load)}
      onFocus={() => preload(load)}
      onClick={ModelList ? undefined : ask}
      className={classNames(pickerStyle, model ? 'text-muted hover:text-ink' : 'text-warning')}
    >
      {!model && <TriangleAlert size={16} aria-hidden="true" className="shrink-0" />}
      <span className="truncate">{name}</span>
      <ChevronDown size={16} aria-hidden="true" className="shrink-0" />
    </button>
  )
  const chosenId = model?.id ?? null
  return ModelList ? <ModelList trigger={trigger} chosenId={chosenId} country={country} onChoose={onChoose} /> : trigger
}

interface ThinkingPickerProps {
  model: Model
  chosen: Thinking
  onChoose: (thinking: Thinking) => void
}

/** Chooses how much the model may think; on a phone only an icon, coloured for an unusual choice. */
function ThinkingPicker({ model, chosen, onChoose }: ThinkingPickerProps) {
  const [ThinkingMenu, ask] = usePart(loadThinkingMenu)
  const trigger = (
    <button
      type="button"
      aria-haspopup="menu"
      aria-label={`Сколько думать: ${depthNames[chosen]}`}
      title="Сколько модель думает перед ответом"
      onPointerEnter={() => preload(loadThinkingMenu)}
      onFocus={() => preload(loadThinkingMenu)}
      onClick={ThinkingMenu ? undefined : ask}
      className={classNames(
        pickerStyle,
        'shrink-0 max-frame:min-w-11 max-frame:justify-center',
        chosen === 'usual' ? 'text-muted hover:text-ink' : 'text-accent-ink',
      )}
    >
      <Lightbulb size={17} aria-hidden="true" className="shrink-0" />
      <span className="truncate max-frame:hidden">{depthNames[chosen]}</span>
    </button>
  )
  return ThinkingMenu ? <ThinkingMenu trigger={trigger} model={model} chosen={chosen} onChoose={onChoose} /> : trigger
}
