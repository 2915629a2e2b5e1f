import type { ImportedFrom, Message } from '#contract/threads.ts'
import { classNames } from '#web/lib/class-names.ts'
import { lazy, useOnDemand } from '#web/lib/lazy.tsx'
import { ChevronDown, Ellipsis, Quote, RotateCcw, Square, Volume2 } from '#web/ui/icons.ts'
import { costTitle } from './answer-cost.ts'
import { useMessageActions } from './message-actions.ts'
import { CopyButton, quietTools, ToolButton, Versions } from './message-tools.tsx'
import { RateAnswer } from './rate-answer.tsx'
import { readAloud, stopReading, useCanReadAloud, useReading } from './read-aloud.ts'
import { type AgainChange, usePreloadPrices, useRepeatLabel } from './use-prices.ts'
import { useQuote } from './use-quote.ts'

interface AnswerToolsProps {
  message: Message
  isLast: boolean
  onEdit: () => void
}

export function AnswerTools({ message, isLast, onEdit }: AnswerToolsProps) {
  const actions = useMessageActions(message)
  const preloadPrices = usePreloadPrices()
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: prices are loaded when the buttons may be needed
    <div
      data-screen-only
      onPointerEnter={preloadPrices}
      onFocus={preloadPrices}
      className="-ml-1.5 mt-1.5 flex flex-wrap items-center"
    >
      <div className={classNames('flex flex-wrap items-center', !isLast && quietTools)}>
        {message.content !== '' && <CopyButton text={message.content} />}
        <Again message={message} onClick={() => actions.regenerate()} />
        <Otherwise message={message} onChoose={actions.regenerate} />
        {message.content !== '' && <QuoteButton message={message} />}
        {message.content !== '' && <ReadAloud message={message} />}
        <div className="hidden sm:contents">
          <RateAnswer message={message} />
        </div>
        <More message={message} isLast={isLast} onEdit={onEdit} />
      </div>
      <Versions message={message} />
      <div className={classNames('ml-auto', !isLast && quietTools)}>
        {message.imported ? (
          <span className="px-2 text-[13px] text-muted">{originLabel(message.imported)}</span>
        ) : (
          <Cost message={message} />
        )}
      </div>
    </div>
  )
}

/** «gpt-4o, из ChatGPT»: the model is named as the service does. */
const originLabel = ({ model, service }: ImportedFrom) => (model ? `${model}, из ${service}` : `Из ${service}`)

/** Below this width it stands in the menu, and so do the thumbs. */
function QuoteButton({ message }: { message: Message }) {
  const quote = useQuote(message)
  return (
    <ToolButton
      label="Процитировать"
      className="max-sm:hidden"
      icon={<Quote size={17} />}
      // The click may clear the selection.
      onPointerDown={quote.remember}
      onClick={quote.quote}
    />
  )
}

function Again({ message, onClick }: { message: Message; onClick: () => void }) {
  return (
    <ToolButton label={useRepeatLabel('Ответить заново', message)} icon={<RotateCcw size={17} />} onClick={onClick} />
  )
}

function ReadAloud({ message }: { message: Message }) {
  const isReading = useReading() === message.id
  if (!useCanReadAloud()) return null
  return isReading ? (
    <ToolButton label="Остановить чтение" icon={<Square size={14} fill="currentColor" />} onClick={stopReading} />
  ) : (
    <ToolButton label="Прочитать вслух" icon={<Volume2 size={18} />} onClick={() => void readAloud(message)} />
  )
}

/** The same question to another model, or with more or less thinking. */
function Otherwise({ message, onChoose }: { message: Message; onChoose: (change: AgainChange) => void }) {
  const [AgainMenu, , opener] = useOnDemand(againMenu)
  const trigger = (
    <ToolButton
      label="Ответить заново другой моделью"
      aria-haspopup="menu"
      className="-ml-1 w-5 max-frame:w-8! pointer-coarse:w-8!"
      icon={<ChevronDown size={14} />}
      {...opener}
    />
  )
  return AgainMenu ? <AgainMenu trigger={trigger} message={message} onChoose={onChoose} /> : trigger
}

function More({ message, isLast, onEdit }: AnswerToolsProps) {
  const [MoreMenu, , opener] = useOnDemand(moreMenu)
  const quote = useQuote(message)
  const trigger = (
    <ToolButton
      label="Ещё"
      aria-haspopup="menu"
      icon={<Ellipsis size={18} />}
      {...opener}
      // A press may clear the selection.
      onPointerDown={quote.remember}
    />
  )
  const props = { message, isLast, onEdit, onQuote: quote.quote }
  return MoreMenu ? <MoreMenu trigger={trigger} {...props} /> : trigger
}

export function Cost({ message }: { message: Message }) {
  const [CostBreakdown, , opener] = useOnDemand(costBreakdown)
  if (message.status === 'streaming') return null
  const trigger = (
    <button
      type="button"
      aria-haspopup="dialog"
      title="Из чего сложилась цена"
      {...opener}
      className="figures rounded-sm px-2 py-1.5 text-[13px] max-frame:min-h-11 pointer-coarse:min-h-11 text-muted transition-colors hover:bg-hover hover:text-ink data-[state=open]:bg-hover"
    >
      {costTitle(message.charged)}
    </button>
  )
  return CostBreakdown ? <CostBreakdown trigger={trigger} message={message} /> : trigger
}

/** Loaded on demand, and ahead of that when the pointer is on the button that opens them. */

const moreMenu = lazy(async () => (await import('./answer-menus.tsx')).MoreMenu)
const againMenu = lazy(async () => (await import('./answer-menus.tsx')).AgainMenu)
const costBreakdown = lazy(async () => (await import('./cost-breakdown.tsx')).CostBreakdown)
