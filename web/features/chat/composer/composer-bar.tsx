import { type ReactNode, useRef } from 'react'
import type { Model } from '#contract/models.ts'
import { classNames } from '#web/lib/class-names.ts'
import { acceptOf, documents, images } from '#web/lib/file-kinds.ts'
import { formatNumber } from '#web/lib/format.ts'
import { Late, lazy, useOnDemand } from '#web/lib/lazy.tsx'
import { IconButton } from '#web/ui/button.tsx'
import { buttonStyle } from '#web/ui/button-style.ts'
import { ArrowUp, ChevronDown, Globe, Paperclip, Pin, Plus, Square, TriangleAlert } from '#web/ui/icons.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import type { ToolsProps } from './add-menu.tsx'
import type { ChosenModel } from './model-labels.ts'
import { pickerStyle } from './picker-style.ts'
import type { SearchControl } from './use-web-options.ts'
import { searchOff } from './web-choice.ts'

const addMenu = lazy(async () => (await import('./add-menu.tsx')).AddMenu)
const searchMenu = lazy(async () => (await import('./search-menu.tsx')).SearchMenu)
const modelList = lazy(async () => (await import('./model-list.tsx')).ModelList)

/** Only for models that think. */
const thinkingPicker = lazy(async () => (await import('./thinking-picker.tsx')).ThinkingPicker)

/** What can be added to a question: buttons with their prices, on a phone a menu behind «+». */
export function ComposerTools(props: ToolsProps) {
  const { model, thinking, search, onFiles, onChooseThinking } = props
  const input = useRef<HTMLInputElement>(null)
  const attach = () => input.current?.click()
  return (
    <div className="flex min-w-0 items-center gap-1 [grid-area:tools] max-sm:self-end max-sm:p-1 sm:p-1.5 sm:pr-0">
      <AddButton {...props} onAttach={attach} />
      <IconButton
        label="Приложить файл"
        icon={<Paperclip size={19} />}
        className="size-9 rounded-sm max-sm:hidden"
        onClick={attach}
      />
      <input
        ref={input}
        type="file"
        multiple
        accept={acceptOf([...images, ...documents])}
        aria-label="Файлы"
        hidden
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
      {search && <SearchToggle {...search} />}
      {model?.thinks && (
        <Late component={thinkingPicker} props={{ model, chosen: thinking, onChoose: onChooseThinking }} />
      )}
    </div>
  )
}

function AddButton(props: ToolsProps & { onAttach: () => void }) {
  const [AddMenu, , opener] = useOnDemand(addMenu)
  const trigger = (
    <IconButton
      label="Добавить к вопросу"
      aria-haspopup="menu"
      icon={<Plus size={22} />}
      className="size-11 rounded-md data-[state=open]:bg-hover sm:hidden"
      {...opener}
    />
  )
  return AddMenu ? <AddMenu trigger={trigger} {...props} /> : trigger
}

/** «Поиск · до 5 500», and a menu with the detailed search and the pin. */
function SearchToggle(search: SearchControl) {
  const { choice, priceOf, onChange } = search
  const [SearchMenu, , opener] = useOnDemand(searchMenu)
  const isOn = choice.search !== false
  const wanted = choice.search || true
  const name = wanted === 'detailed' ? 'Подробный поиск' : 'Поиск'
  const price = priceOf(wanted)
  const tone = isOn ? 'bg-accent-soft text-accent-ink hover:bg-accent-soft' : 'text-muted hover:text-ink'
  const more = (
    <button
      type="button"
      aria-haspopup="menu"
      aria-label="Какой поиск"
      title="Какой поиск"
      {...opener}
      className={classNames(pickerStyle, tone, 'w-7 shrink-0 justify-center rounded-l-none px-0!')}
    >
      <ChevronDown size={16} className="shrink-0" />
    </button>
  )
  return (
    <div className="flex min-w-0 max-sm:hidden">
      <button
        type="button"
        aria-pressed={isOn}
        onClick={() => onChange(isOn ? searchOff : { search: true, isPinned: false })}
        className={classNames(pickerStyle, tone, 'rounded-r-none pr-1!')}
      >
        {choice.isPinned ? <Pin size={16} className="shrink-0" /> : <Globe size={17} className="shrink-0" />}
        <span className="figures truncate">
          {name} <span className="sr-only">в интернете</span> · до {formatNumber(price)}
          {choice.isPinned && <span className="sr-only">, закреплён</span>}
        </span>
      </button>
      {SearchMenu ? <SearchMenu trigger={more} search={search} /> : more}
    </div>
  )
}

interface ModelPickerProps {
  /** Undefined until the models are loaded. */
  chosen: ChosenModel | undefined
  country: string | null
  onChoose: (model: Model) => void
}

/** A plain button until the first click, which loads the list. */
export function ModelPicker({ chosen, country, onChoose }: ModelPickerProps) {
  const [ModelList, , opener] = useOnDemand(modelList)
  if (!chosen)
    return (
      <div className="flex items-center px-2.5 [grid-area:model] max-sm:h-11">
        <Skeleton className="h-5 w-20" />
      </div>
    )
  const { model, name } = chosen
  const trigger = (
    <button
      type="button"
      aria-haspopup="listbox"
      aria-label={model ? `Модель: ${name}` : `Модель ${name} недоступна, выберите другую`}
      {...opener}
      className={classNames(pickerStyle, model ? 'text-muted hover:text-ink' : 'text-warning')}
    >
      {!model && <TriangleAlert size={16} className="shrink-0" />}
      <span className="truncate">{name}</span>
      <ChevronDown size={16} className="shrink-0" />
    </button>
  )
  return (
    <div className="flex min-w-0 items-center [grid-area:model]">
      {ModelList ? (
        <ModelList trigger={trigger} chosenId={model?.id ?? null} country={country} onChoose={onChoose} />
      ) : (
        trigger
      )}
    </div>
  )
}

interface SendButtonsProps {
  isAnswering: boolean
  canSend: boolean
  isEmpty: boolean
  dictate: ReactNode
  onStop: () => void
}

export function SendButtons({ isAnswering, canSend, isEmpty, dictate, onStop }: SendButtonsProps) {
  return (
    <div className="flex items-center gap-1 [grid-area:send] max-sm:min-h-13 max-sm:self-end max-sm:px-1.5 max-sm:py-1 sm:p-1.5">
      {/* On a phone the text needs the width; dictation goes on where there is none. */}
      <span className={classNames('contents', !isEmpty && 'max-sm:hidden')}>{dictate}</span>
      {isAnswering && (
        <button
          type="button"
          aria-label="Остановить"
          title="Остановить (Esc)"
          onClick={onStop}
          className={buttonStyle('secondary', 'icon', 'shrink-0')}
        >
          <Square size={14} fill="currentColor" />
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
          <ArrowUp size={20} />
        </button>
      )}
    </div>
  )
}
